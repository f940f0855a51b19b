#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/now.h"
#include "control/orders.h"
#include "control/outname.h"
#include "fault.h"
#include "jfr/rawsample.h"

static struct orders read_good(const char *text)
{
	struct orders orders;
	struct err err = { 0 };

	orders_init(&orders);
	cr_assert(orders_read(&orders, str_of(text), &err), "%s", err.text);
	return orders;
}

/* What is wrong with that text. */
static const char *fault_of(struct str text)
{
	static struct err err;
	struct orders orders;

	err = (struct err){ 0 };
	orders_init(&orders);
	cr_assert_not(orders_read(&orders, text, &err));
	cr_expect_eq(err.kind, ERR_FORMAT);
	orders_clear(&orders);
	return err.text;
}

#define FAULT_OF(literal) fault_of(STR(literal))

static void expect_written(const struct orders *orders, const char *text)
{
	struct buf buf = { 0 };

	orders_write(orders, &buf);
	buf_byte(&buf, '\0');
	cr_assert_not(buf.failed);
	cr_expect_str_eq(buf.bytes, text);
	buf_clear(&buf);
}

#define DEFAULT_NUMBERS                                                        \
	"delay=0\nduration=0\nmax-age=0\nflush-interval=1000000000\nmax-size=0\n" \
	"max-chunk-size=12582912\nmemory-size=16777216\nbuffer-size=8192\n"    \
	"stack-depth=64\n"
#define DEFAULT_FLAGS                                                          \
	"samples-wall=false\ndisk=true\nspill-file=false\npreserve=false\n"      \
	"redact=true\nmade-up=false\n"

Test(orders, have_defaults)
{
	struct orders orders = read_good("");

	expect_written(&orders, DEFAULT_NUMBERS DEFAULT_FLAGS);
	orders_clear(&orders);
}

#define EVERYTHING                                                             \
	"name=profile of the checkout\ndestination=/tmp/a=b.jfr\nrepository=/tmp\n" \
	"socket=/run/s\ndelay=1\nduration=2\nmax-age=600000000000\n"           \
	"flush-interval=4\nmax-size=9223372036854775807\nmax-chunk-size=6\n"   \
	"memory-size=7\nbuffer-size=8\nstack-depth=9\nsamples-wall=true\n"     \
	"threads=main,worker-*,!worker-1?\ndisk=false\nspill-file=true\n"       \
	"preserve=true\nredact=false\nmade-up=true\n"                         \
	"setting=jdk.A#enabled=true\n"                                         \
	"setting=jdk.B#filter=a=b\nsetting=jdk.C#x=\n"

Test(orders, are_read_and_written)
{
	struct orders orders = read_good(EVERYTHING);

	expect_written(&orders, EVERYTHING);
	cr_expect_str_eq(orders.name.bytes, "profile of the checkout");
	cr_expect_eq(orders.name.size, strlen(orders.name.bytes));
	cr_expect_eq(orders.max_age, 600000000000);
	cr_expect_eq(orders.max_size, INT64_MAX);
	cr_expect(orders.samples_wall && !orders.to_disk && !orders.redact);
	cr_expect_str_eq(orders.threads.bytes, "main,worker-*,!worker-1?");
	cr_assert_eq(orders.settings.count, 3);
	cr_expect_str_eq(orders.settings.items[1].key.bytes, "jdk.B#filter");
	cr_expect_str_eq(orders.settings.items[1].value.bytes, "a=b");
	cr_expect_eq(orders.settings.items[2].value.size, 0);
	orders_clear(&orders);
}

static void expect_destination(const char *pattern)
{
	const int64_t begin = 1796036400 * SECOND;
	char *name = outname_expand(pattern, getpid(), begin);

	struct buf text = { 0 };
	struct orders orders;

	buf_printf(&text, "destination=%s\n", pattern);
	buf_byte(&text, '\0');
	orders = read_good(text.bytes);
	cr_expect(str_is(orders.destination, str_of(pattern)));
	cr_assert(orders_name_recording(&orders, begin, NULL));
	cr_expect(str_is(orders.destination, str_of(name)), "%s",
		  orders.destination.bytes);
	free(name);
	buf_clear(&text);
	orders_clear(&orders);
}

Test(orders, name_the_recording_of_this_process)
{
	expect_destination("/tmp/x-%p.jfr");
	expect_destination("/tmp/%%p-%p-100%%");
	expect_destination("/tmp/x-%p-%t-%%.jfr");
	expect_destination("-");
	expect_destination("");
}

Test(orders, escape_what_would_end_a_line_or_a_key)
{
	struct orders orders, again;

	orders_init(&orders);
	cr_assert(orders_text(&orders, &orders.name, STR("two\nlines\\n\r=\xe2\x82\xac")));
	cr_assert(orders_set(&orders, STR("a=b\\#c\nd"), STR("=\n\\=")));
	cr_assert(orders_set(&orders, STR(""), STR("")));
#define ESCAPED "name=two\\nlines\\\\n\r=\xe2\x82\xac\n" DEFAULT_NUMBERS               \
	DEFAULT_FLAGS "setting=a\\=b\\\\#c\\nd==\\n\\\\=\nsetting==\n"
	expect_written(&orders, ESCAPED);
	again = read_good(ESCAPED);
	cr_expect(str_is(again.name, orders.name));
	cr_assert_eq(again.settings.count, 2);
	cr_expect(str_is(again.settings.items[0].key, STR("a=b\\#c\nd")));
	cr_expect(str_is(again.settings.items[0].value, STR("=\n\\=")));
	cr_expect_eq(again.settings.items[1].key.size, 0);
	orders_clear(&again);
	orders_clear(&orders);
}

Test(orders, name_the_line_that_is_wrong)
{
	cr_expect_str_eq(FAULT_OF("name=x\nnam=y\n"), "line 2: 'nam' is unknown here");
	cr_expect_str_eq(FAULT_OF("disk=true\n\n"), "line 2: no '='");
	cr_expect_str_eq(FAULT_OF("=x"), "line 1: '' is unknown here");
	cr_expect_str_eq(FAULT_OF("delay=1s"),
			 "line 1: delay: '1s' is no number from 0 on");
	cr_expect_str_eq(FAULT_OF("delay=-1"),
			 "line 1: delay: '-1' is no number from 0 on");
	cr_expect_str_eq(FAULT_OF("max-size=9223372036854775808"),
			 "line 1: max-size: '9223372036854775808' is no number from 0 on");
	cr_expect_str_eq(FAULT_OF("disk=yes"),
			 "line 1: disk: 'yes' is neither true nor false");
	cr_expect_str_eq(FAULT_OF("name=a\\b"),
			 "line 1: name: a backslash before nothing that needs one");
	cr_expect_str_eq(FAULT_OF("name=a\\"),
			 "line 1: name: a backslash before nothing that needs one");
	cr_expect_str_eq(FAULT_OF("name=a\0b"), "line 1: name: a zero byte in a text");
	cr_expect_str_eq(FAULT_OF("setting=a#b"), "line 1: a setting without a value");
	cr_expect_str_eq(FAULT_OF("setting=a\\=b"), "line 1: a setting without a value");
}

Test(orders, have_room_for_deep_stacks)
{
	cr_expect_eq(orders_buffer_of(1), 4096);
	cr_expect_eq(orders_buffer_of(4096), 4096);
	cr_expect_eq(orders_buffer_of(4097), 8192);
	cr_expect_leq(orders_buffer_for(ORDERS_STACK_DEPTH), ORDERS_BUFFER_KB * 1024);
	for (uint32_t depth = 1; depth <= ORDERS_STACK_DEPTH_MAX; depth++) {
		size_t room = rawsample_room(depth) + ORDERS_BUFFER_EXTRA;
		int64_t buffer = orders_buffer_for(depth);

		cr_assert(buffer >= (int64_t)room && buffer < (int64_t)room + 4096);
	}
	cr_expect_leq(orders_buffer_for(ORDERS_STACK_DEPTH_MAX), 48 * 1024);
}

Test(orders, share_the_memory)
{
	struct orders orders = { .memory_size = 1003, .to_disk = true };

	cr_expect_eq(orders_memory_of_buffers(&orders), 1003);
	orders.to_disk = false;
	cr_expect_eq(orders_memory_of_buffers(&orders), 253);
}

static bool take_all(struct orders *orders, struct err *err)
{
	struct buf buf = { 0 };
	bool is_good;

	orders_write(orders, &buf);
	is_good = !buf.failed || err_memory(err);
	is_good = is_good &&
		  (orders_text(orders, &orders->socket, STR("/x")) || err_memory(err)) &&
		  (orders_set(orders, STR("a"), STR("b")) || err_memory(err));
	buf_clear(&buf);
	return is_good;
}

Test(orders, survive_without_memory)
{
	bool is_good = false;

	for (size_t n = 1; !is_good; n++) {
		struct orders orders;
		struct err err = { 0 };

		orders_init(&orders);
		fault_at(n);
		is_good = orders_read(&orders, STR(EVERYTHING), &err) &&
			  take_all(&orders, &err);
		cr_expect_eq(is_good, !fault_happened());
		cr_expect(is_good || err.kind == ERR_MEMORY);
		fault_at(0);
		orders_clear(&orders);
	}
}
