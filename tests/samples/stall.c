#include "samples/stall.h"

#include "jfr/cursor.h"
#include "shop.h"

#define CHUNK_HEADER "jdk.types.ChunkHeader"

static const struct schema_type header_types[] = {
	TYPE(CHUNK_HEADER, NULL, .is_simple = true,
	     FIELDS(FIELD("payload", "byte", ARRAY))),
	TYPES_END,
};

static const char *const words[] = {
	"apple",  "bread", "cocoa", "dates", "eggs", "figs",
	"grapes", "honey", "ice",   "jam",   "kale", "lemon",
};

/* Keys of symbols. */
enum { SHOP = 1, CLERK, MAIN, SELL, RUN, ARGUMENTS, NOTHING, APP };

void stall_begin(struct writer *writer, int64_t seconds)
{
	sample_begin(writer, shop_sale_types, seconds);
	writer_describe(writer, header_types);
	writer->header.flags = HEADER_COMPRESSED; /* more chunks may come */
	sample_put(&writer->buf, writer->chunk_at + AT(flags), 2, HEADER_COMPRESSED);
}

void stall_sales(struct writer *writer, int from, int to)
{
	int64_t tick = writer->header.start_ticks;

	for (int i = from; i < to; i++)
		shop_sale(writer, tick + i * SHOP_SECOND / 2, 2000000 + i, 1 + i % 2,
			  i % 3 ? SELL_STACK : MAIN_STACK, words[i]);
}

static void threads(struct writer *writer)
{
	POOL(writer, "java.lang.Thread");
	CONSTANT(writer, MAIN_THREAD, TEXT("main"), LONG(4001), TEXT("main"), LONG(1),
		 KEY(MAIN_GROUP), BOOLEAN(false));
	CONSTANT(writer, CLERK_THREAD, TEXT("clerk"), LONG(4002), TEXT("clerk"),
		 LONG(31), KEY(MAIN_GROUP), BOOLEAN(false));
	POOL(writer, "jdk.types.ThreadGroup");
	CONSTANT(writer, MAIN_GROUP, KEY(0), TEXT("main"));
}

void stall_threads(struct writer *writer)
{
	writer_checkpoint(writer, CHECKPOINT_THREADS);
	threads(writer);
	writer_end(writer);
}

static void stacks(struct writer *writer)
{
	POOL(writer, "jdk.types.StackTrace");
	CONSTANT(writer, SELL_STACK, BOOLEAN(false), COUNT(2), KEY(SELL_METHOD),
		 INT(42), INT(7), KEY(1), KEY(RUN_METHOD), INT(20), INT(3), KEY(0));
	CONSTANT(writer, MAIN_STACK, BOOLEAN(false), COUNT(1), KEY(MAIN_METHOD), INT(9),
		 INT(0), KEY(0));
	POOL(writer, "jdk.types.FrameType");
	CONSTANT(writer, 0, TEXT("Interpreted"));
	CONSTANT(writer, 1, TEXT("JIT compiled"));
	POOL(writer, "jdk.types.Method");
	CONSTANT(writer, MAIN_METHOD, KEY(SHOP_CLASS), KEY(MAIN), KEY(ARGUMENTS),
		 INT(9), BOOLEAN(false));
	CONSTANT(writer, SELL_METHOD, KEY(CLERK_CLASS), KEY(SELL), KEY(NOTHING), INT(1),
		 BOOLEAN(false));
	CONSTANT(writer, RUN_METHOD, KEY(CLERK_CLASS), KEY(RUN), KEY(NOTHING), INT(1),
		 BOOLEAN(false));
}

void stall_constants(struct writer *writer)
{
	static const char *const symbols[] = {
		"shop/Stall", "shop/Clerk", "main",
		"sell",	      "run",	    "([Ljava/lang/String;)V",
		"()V",	      "app",
	};

	writer_checkpoint(writer, 0);
	threads(writer);
	stacks(writer);
	POOL(writer, "java.lang.Class");
	CONSTANT(writer, SHOP_CLASS, KEY(APP_LOADER), KEY(SHOP), KEY(0), INT(1),
		 BOOLEAN(false));
	CONSTANT(writer, CLERK_CLASS, KEY(APP_LOADER), KEY(CLERK), KEY(0), INT(1),
		 BOOLEAN(false));
	POOL(writer, "jdk.types.ClassLoader");
	CONSTANT(writer, APP_LOADER, KEY(0), KEY(APP));
	POOL(writer, SYMBOL);
	for (size_t i = 0; i < sizeof(symbols) / sizeof(symbols[0]); i++) {
		writer_constant(writer, i + 1);
		encode_string(&writer->buf, str_of(symbols[i]));
	}
	writer_end(writer);
}

/* The copy is that of a finished header whose chunk ends here. */
void stall_header(struct writer *writer)
{
	writer_copy_header(writer, writer_type(writer, CHUNK_HEADER), 0, 0);
}

void stall_open(struct writer *writer, int64_t seconds)
{
	stall_begin(writer, seconds);
	writer_metadata(writer);
	stall_sales(writer, 0, 6);
	stall_constants(writer);
}

void stall_end(struct writer *writer)
{
	stall_sales(writer, 6, 12);
	stall_header(writer);
}

void stall(struct writer *writer, int64_t seconds)
{
	stall_open(writer, seconds);
	stall_end(writer);
}

void stall_closed(struct writer *writer, int64_t seconds)
{
	stall_begin(writer, seconds);
	stall_threads(writer);
	stall_sales(writer, 0, 6);
	stall_constants(writer);
	stall_sales(writer, 6, 12);
	writer_metadata(writer);
	stall_header(writer);
}

static struct cursor cursor_at(const struct buf *bytes, size_t at)
{
	return cursor_of((const unsigned char *)bytes->bytes + at, bytes->size - at);
}

size_t stall_place(const struct buf *bytes, size_t chunk_at, int number)
{
	size_t at = chunk_at + HEADER_SIZE;

	while (number-- > 0) {
		struct cursor cursor = cursor_at(bytes, at);

		at += cursor_varint(&cursor);
	}
	return at;
}

size_t stall_next(const struct buf *bytes, size_t chunk_at)
{
	struct cursor cursor = cursor_at(bytes, chunk_at + AT(chunk_size));

	return chunk_at + cursor_big(&cursor, 8);
}
