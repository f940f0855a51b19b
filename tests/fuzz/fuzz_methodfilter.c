/*
 * fuzz_methodfilter.c - the filters of methods to time and trace.
 *
 * The input is a text of filters, maybe with a method to ask for behind the last line
 * break: class, method and parameters with blanks between.
 */
#include <stdlib.h>
#include <string.h>

#include "jfc/methodfilter.h"

/* People write no more, and patterns of many stars take their time. */
#define TEXT_MAX 2000

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(bool good)
{
	if (!good)
		abort();
}

static bool is_within(struct str part, struct str text)
{
	return part.bytes >= text.bytes && part.size <= text.size &&
	       (size_t)(part.bytes - text.bytes) <= text.size - part.size;
}

static void check_fault(const struct methodfilter_fault *fault, struct str text)
{
	must(fault->reason && fault->item.size && is_within(fault->item, text));
	must(fault->at >= (size_t)(fault->item.bytes - text.bytes));
	must(fault->at <= (size_t)(fault->item.bytes - text.bytes) + fault->item.size);
}

struct telling {
	struct str text;
	size_t count;
};

static void count_fault(void *context, const struct methodfilter_fault *fault)
{
	struct telling *telling = context;

	check_fault(fault, telling->text);
	telling->count++;
}

static bool says_yes(void *context, const struct methodfilter_item *item,
		     const struct methodfilter_method *method)
{
	(void)context;
	(void)method;
	must(item->is_annotation || item->has_subtypes);
	return true;
}

/* A filter alone, written without parameters, accepts the very names it consists of. */
static void check_item(const struct methodfilter_item *item)
{
	struct methodfilter_method same = {
		.class_name = item->class_name,
		.method = item->method,
		.parameters = item->parameters,
	};
	struct methodfilter alone;
	struct methodfilter_fault fault;
	struct str text = item->text;

	if (item->is_excluded)
		text = (struct str){ text.bytes + 1, text.size - 1 };
	must(methodfilter_read(&alone, text, METHODFILTER_OURS, &fault));
	must(alone.items.count == 1 && !alone.items.items[0].is_excluded);
	must(methodfilter_accepts(&alone, &same, says_yes, NULL));
	methodfilter_clear(&alone);
	must(methodfilter_read(&alone, item->text, METHODFILTER_JDK, &fault) ==
	     item->is_jdk);
	methodfilter_clear(&alone);
}

/* True if it has no fault. */
static bool read_text(struct str text, enum methodfilter_mode mode,
		      const struct methodfilter_method *method)
{
	struct telling telling = { text, 0 };
	struct methodfilter filter;
	struct methodfilter_fault fault;
	bool is_read = methodfilter_read(&filter, text, mode, &fault);

	if (!is_read)
		check_fault(&fault, text);
	methodfilter_check(text, mode, count_fault, &telling);
	must(is_read == (telling.count == 0));
	for (size_t i = 0; i < filter.items.count; i++)
		check_item(&filter.items.items[i]);
	methodfilter_accepts(&filter, method, says_yes, NULL);
	if (methodfilter_accepts(&filter, method, NULL, NULL))
		must(filter.items.count > 0);
	methodfilter_clear(&filter);
	return is_read;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct str text = { (const char *)data, size };
	struct str last = str_after_last(text, '\n');
	struct methodfilter_method method = { 0 };
	bool is_jdk, is_ours;

	if (size > TEXT_MAX)
		return 0;
	if (last.size < text.size)
		text.size -= last.size + 1;
	str_split(&last, ' ', &method.class_name);
	str_split(&last, ' ', &method.method);
	str_split(&last, ' ', &method.parameters);
	is_jdk = read_text(text, METHODFILTER_JDK, &method);
	is_ours = read_text(text, METHODFILTER_OURS, &method);
	must(is_ours || !is_jdk);
	return 0;
}
