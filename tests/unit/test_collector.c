#include <criterion/criterion.h>

#include "hotspot/hotspot.h"

/* In a process that is no JVM: all there is to be known is what the counters say. */

Test(collector, is_the_serial_one_without_flags)
{
	struct vmflags flags = { 0 };

	cr_expect_str_eq(collector_used(&flags)->young, "DefNew");
	cr_expect_str_eq(collector_used(&flags)->old, "SerialOld");
}

Test(collector, is_named_after_the_counter_that_went_up)
{
	const struct collector *serial = collector_used(&(struct vmflags){ 0 });
	struct gcname young = collector_name(serial, (const int64_t[]){ 1, 0, 0, 0 });
	struct gcname full = collector_name(serial, (const int64_t[]){ 1, 1, 0, 0 });
	struct gcname old = collector_name(serial, (const int64_t[]){ 0, 0, 1, 0 });
	struct gcname none = collector_name(serial, (const int64_t[]){ 0, 0, 0, 0 });

	cr_expect(young.is_young && !young.is_old);
	cr_expect(str_is(young.text, STR("DefNew")));
	cr_expect(full.is_old && !full.is_young, "a young one that failed");
	cr_expect(old.is_old && str_is(old.text, STR("SerialOld")));
	cr_expect_not(none.is_young || none.is_old);
	cr_expect_null(none.text.bytes);
}

Test(collector, knows_no_heap_without_a_jvm)
{
	struct hotspot none = { 0 };
	struct gceden eden;

	cr_expect_eq(collector_heap(&none.structs).start, 0);
	cr_expect_eq(collector_heap(&none.structs).size, 0);
	cr_expect_not(collector_eden(&none.structs, &none.flags, &eden));
}
