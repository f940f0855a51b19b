/*
 * shop.h - the recording of a little shop, of which the sample files are made.
 *
 * It has one of everything: each primitive, unit and string encoding, threads with
 * and without Java, hidden frames, nested structs. Times are fixed: writing it twice
 * gives the same bytes.
 */
#ifndef TESTS_SHOP_H
#define TESTS_SHOP_H

#include "unit/make.h"

/* The first second of the shop: 2024-05-01 10:00 UTC, tick 1,000,000,000. */
#define SHOP_NANOS INT64_C(1714557600000000000)
#define SHOP_TICK INT64_C(1000000000)
#define SHOP_SECOND INT64_C(1000000000)

/* Keys of constants; the same thing has the same key in all chunks. */
enum shop_key {
	MAIN_THREAD = 1, CLERK_THREAD, VIRTUAL_THREAD, UNNAMED_THREAD, VM_THREAD,
	SYSTEM_GROUP = 1, MAIN_GROUP, VIRTUAL_GROUP,
	BOOT_LOADER = 1, APP_LOADER,
	JAVA_BASE = 1, NO_MODULE,
	LANG_PACKAGE = 1, SHOP_PACKAGE,
	SHOP_CLASS = 100, CLERK_CLASS, STRING_CLASS, GRID_CLASS, HIDDEN_CLASS,
	LOADER_CLASS, INT_CLASS,
	MAIN_METHOD = 0x10000, SELL_METHOD, RUN_METHOD, HIDDEN_METHOD, NATIVE_METHOD,
	SELL_STACK = 1, MAIN_STACK, HIDDEN_STACK, NATIVE_STACK, EMPTY_STACK, LONG_STACK,
};

extern const struct schema_type shop_types[];

/* shop.Sale alone, for files that should be small. */
extern const struct schema_type shop_sale_types[];

/* As they are in a later chunk: one more type, one more field in shop.Sale. */
extern const struct schema_type shop_later_types[];

/* A header for the chunk that begins `seconds` after the first. */
struct header shop_header(int64_t seconds);

/* The pools that all events of the shop need, in one checkpoint. */
void shop_constants(struct writer *writer);

/* One event of each type, some more of shop.Sale; times from `tick` on. */
void shop_events(struct writer *writer, int64_t tick);

/* A sale at this tick, as the first chunk declares it. */
void shop_sale(struct writer *writer, int64_t tick, int64_t ticks, uint64_t thread,
	       uint64_t stack, const char *item);

#endif
