#include "cmd/recordmethods.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/path.h"
#include "cmd/usage.h"
#include "jfc/methodfilter.h"

#define AT(member_) offsetof(struct record_options, member_)

const struct record_methods record_methods[RECORD_METHODS] = {
	{ EVENT_METHOD_TIMING, "method-timing", AT(method_timing), "period",
	  AT(period), "view method-timing" },
	{ EVENT_METHOD_TRACE, "method-trace", AT(method_trace), "threshold",
	  AT(threshold), "view method-calls" },
};

/* --- filters ------------------------------------------------------------------- */

static bool is_good(struct str text, struct methodfilter_fault *fault)
{
	struct methodfilter filter;
	bool is_read = methodfilter_read(&filter, text, METHODFILTER_OURS, fault);

	methodfilter_clear(&filter);
	return is_read;
}

/* What other tools write, and what stands for it here; ours is left as it is. */
static const struct {
	struct str theirs, ours;
} words[] = {
	{ STR("::"), STR("::") }, { STR(":"), STR("::") }, { STR("#"), STR("::") },
	{ STR("/"), STR(".") },	  { STR(","), STR(";") },  { STR(" "), STR(";") },
	{ STR("\t"), STR(";") },  { STR("\n"), STR(";") },
};

#define WORDS (sizeof(words) / sizeof(words[0]))

/* Blanks are of no matter behind a semicolon. */
static void put_word(struct buf *to, struct str ours)
{
	if (*ours.bytes != ';' || (to->size && to->bytes[to->size - 1] != ';'))
		buf_str(to, ours);
}

/* The filter as it may have been meant. Parameters have commas of their own. */
static void mend(struct str item, struct buf *to)
{
	bool is_inside = false;
	size_t word, size;

	for (; item.size; item.bytes += size, item.size -= size) {
		char byte = *item.bytes;

		is_inside = byte == '(' || (is_inside && byte != ')');
		for (word = 0; word < WORDS; word++) {
			if (str_starts(item, words[word].theirs) &&
			    !(is_inside && *words[word].ours.bytes == ';'))
				break;
		}
		size = word == WORDS ? 1 : words[word].theirs.size;
		if (word == WORDS)
			buf_byte(to, byte);
		else
			put_word(to, words[word].ours);
	}
}

static bool fail_filter(const struct methodfilter_fault *fault, struct err *err)
{
	struct methodfilter_fault other;
	struct buf mended = { 0 };
	struct str item = str_front(fault->item, 200);
	char hint[256] = "";

	mend(fault->item, &mended);
	if (!mended.failed && is_good(buf_as_str(&mended), &other))
		snprintf(hint, sizeof(hint), "; did you mean '%.*s'?",
			 (int)str_front(buf_as_str(&mended), 200).size, mended.bytes);
	buf_clear(&mended);
	return err_set(err, ERR_USAGE, "'%.*s' is no filter of methods: %s%s",
		       (int)item.size, item.bytes, fault->reason, hint);
}

bool record_methods_are_filters(struct str text, struct err *err)
{
	struct methodfilter_fault fault;

	if (is_good(text, &fault))
		return true;
	return fault.reason ? fail_filter(&fault, err) : err_memory(err);
}

void record_methods_join(const struct option_list *filters, struct buf *to)
{
	for (size_t i = 0; i < filters->count; i++) {
		if (i > 0)
			buf_byte(to, ';');
		buf_text(to, filters->items[i]);
	}
}

/* What is wrong with all filters of an option together; NULL: nothing. */
static const char *fault_of_all(struct str text)
{
	struct methodfilter filter;
	struct methodfilter_fault fault;
	const char *reason = "the filter is empty";

	methodfilter_read(&filter, text, METHODFILTER_OURS, &fault);
	for (size_t i = 0; i < filter.items.count && reason; i++)
		reason = filter.items.items[i].is_excluded
				 ? "filters with ! take methods out of those of others, "
				   "and there are no others"
				 : NULL;
	methodfilter_clear(&filter);
	return reason;
}

/* Each is right by itself. */
static enum status check_all(const struct invocation *invocation,
			     const struct record_methods *row,
			     const struct option_list *filters)
{
	struct buf text = { 0 };
	const char *reason;

	if (!filters->count)
		return STATUS_DONE;
	record_methods_join(filters, &text);
	reason = text.failed ? NULL : fault_of_all(buf_as_str(&text));
	buf_clear(&text);
	return reason ? complain_usage(invocation, "--%s: %s", row->option, reason)
		      : STATUS_DONE;
}

static enum status check_filters(const struct invocation *invocation,
				 const struct record_methods *row,
				 const struct option_list *filters)
{
	struct err err = { 0 };

	for (size_t i = 0; i < filters->count; i++) {
		struct str text = str_of(filters->items[i]);

		if (record_methods_are_filters(text, &err))
			continue;
		if (err.kind == ERR_USAGE)
			return complain_usage(invocation, "--%s: %s", row->option,
					      err.text);
		complain(invocation, "%s", err.text);
		return STATUS_FAILED;
	}
	return check_all(invocation, row, filters);
}

/* --- classes as they were rewritten ---------------------------------------------- */

/* The JVM may go elsewhere before it writes there. */
static bool choose_dump(const char *folder, struct orders *orders, struct err *err)
{
	char *absolute;
	bool is_set;

	if (mkdir(folder, 0777) != 0 && errno != EEXIST)
		return err_system(err, "cannot make the folder '%s'", folder);
	if (access(folder, W_OK | X_OK) != 0)
		return err_system(err, "cannot write in the folder '%s'", folder);
	absolute = path_absolute(folder);
	is_set = absolute &&
		 orders_text(orders, &orders->dump_classes, str_of(absolute));
	free(absolute);
	return is_set || err_memory(err);
}

static bool is_folder(const char *path)
{
	struct stat status;

	return stat(path, &status) != 0 || S_ISDIR(status.st_mode);
}

static enum status check_dump(const struct invocation *invocation,
			      const char *folder, struct orders *orders)
{
	struct err err = { 0 };

	if (!*folder)
		return complain_usage(invocation, "--dump-classes: it is empty");
	if (!is_folder(folder))
		return complain_usage(invocation,
				      "--dump-classes: '%s' is not a folder", folder);
	if (choose_dump(folder, orders, &err))
		return STATUS_DONE;
	complain(invocation, "--dump-classes: %s", err.text);
	return STATUS_FAILED;
}

enum status record_methods_check(const struct invocation *invocation,
				 const struct record_options *options,
				 struct orders *orders)
{
	enum status status = STATUS_DONE;

	for (size_t i = 0; i < RECORD_METHODS && status == STATUS_DONE; i++)
		status = check_filters(invocation, &record_methods[i],
				       record_methods_filters(&record_methods[i],
							      options));
	if (status == STATUS_DONE && options->dump_classes)
		status = check_dump(invocation, options->dump_classes, orders);
	return status;
}
