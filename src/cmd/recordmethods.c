#include "cmd/recordmethods.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/path.h"
#include "base/utf.h"
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
	{ STR("/"), STR(".") },	  { STR(","), STR(";") },
};

#define WORDS (sizeof(words) / sizeof(words[0]))

/* Where a method's name is over, or begins with a bracket; NULL: that is not known. */
static const char *find_end(struct str item)
{
	for (size_t i = 0; i < item.size; i++) {
		if (item.bytes[i] == '(' || item.bytes[i] == '<')
			return item.bytes + i;
	}
	return NULL;
}

/*
 * Where the mark is that stands for `::`, if it is one of those in names: the last one, in
 * front of parameters ("a.b.C.m(int)") or <init>, or where there are two kinds ("a.b.C/m",
 * "a/b/C.m"). NULL: none is.
 */
static const char *find_mark(struct str item)
{
	const char *end = find_end(item);
	const char *last = NULL;
	struct str front = item;
	bool has_dot, has_slash;

	if (end)
		front.size = (size_t)(end - item.bytes);
	if (memchr(front.bytes, ':', front.size) || memchr(front.bytes, '#', front.size))
		return NULL;
	has_dot = memchr(front.bytes, '.', front.size);
	has_slash = memchr(front.bytes, '/', front.size);
	for (size_t i = 0; i < front.size; i++) {
		if (front.bytes[i] == '.' || front.bytes[i] == '/')
			last = front.bytes + i;
	}
	return end || (has_dot && has_slash) ? last : NULL;
}

/* One semicolon for all that stands between two filters, and none within one. */
static void put_word(struct buf *to, struct str ours)
{
	if (*ours.bytes != ';' ||
	    (to->size && !strchr(";:", to->bytes[to->size - 1])))
		buf_str(to, ours);
}

static struct str skip_blanks(struct str text, size_t from)
{
	text = (struct str){ text.bytes + from, text.size - from };
	from = utf_blanks(text);
	return (struct str){ text.bytes + from, text.size - from };
}

/* "<Map<K,V>>": types have none here. */
static size_t arguments_size(struct str text)
{
	size_t depth = 0;

	for (size_t i = 0; i < text.size; i++) {
		depth += text.bytes[i] == '<';
		depth -= text.bytes[i] == '>';
		if (!depth)
			return i + 1;
	}
	return text.size;
}

/* The class of the last filter is that of a method that stands alone: "C::m,n". */
static void put_class(struct buf *to, struct str rest)
{
	size_t name = 0, size = to->size - (to->size != 0), start;
	struct buf front = { 0 };
	const char *mark;

	while (name < rest.size && str_is_alphanumeric(rest.bytes[name]))
		name++;
	for (start = size; start && to->bytes[start - 1] != ';'; start--)
		;
	mark = memmem(to->bytes + start, size - start, "::", 2);
	if (name && (name == rest.size || strchr(",; (", rest.bytes[name])) && mark &&
	    *rest.bytes >= 'a') {
		buf_add(&front, to->bytes + start, (size_t)(mark + 2 - to->bytes) - start);
		buf_str(to, buf_as_str(&front));
	}
	buf_clear(&front);
}

/* What stands for the front of the text; gives how much of it that is. */
static size_t mend_word(struct str text, bool is_inside, struct buf *to)
{
	size_t blanks = is_inside ? 0 : utf_blanks(text);

	if (blanks) {
		put_word(to, STR(";"));
		return blanks;
	}
	if (is_inside && *text.bytes == '<')
		return arguments_size(text);
	for (size_t i = 0; i < WORDS; i++) {
		if (str_starts(text, words[i].theirs) &&
		    !(is_inside && *words[i].ours.bytes == ';')) {
			put_word(to, words[i].ours);
			if (*words[i].theirs.bytes == ',' && !to->failed)
				put_class(to, skip_blanks(text, 1));
			return words[i].theirs.size;
		}
	}
	buf_byte(to, *text.bytes);
	return 1;
}

/* The filter as it may have been meant. Parameters have commas of their own. */
static void mend(struct str item, struct buf *to)
{
	const char *mark = find_mark(item);
	bool is_inside = false;
	size_t size;

	for (; item.size; item.bytes += size, item.size -= size) {
		is_inside = *item.bytes == '(' || (is_inside && *item.bytes != ')');
		if (item.bytes == mark) {
			buf_text(to, "::");
			size = 1;
		} else {
			size = mend_word(item, is_inside, to);
		}
	}
}

/* As a message can show it: a line break is a blank there. */
static void put_line(struct buf *to, struct str text)
{
	size_t blanks;

	for (; text.size; text.bytes += blanks + !blanks, text.size -= blanks + !blanks) {
		blanks = utf_blanks(text);
		buf_byte(to, blanks ? ' ' : *text.bytes);
	}
}

static bool fail_filter(const struct methodfilter_fault *fault, struct err *err)
{
	struct methodfilter_fault other;
	struct buf mended = { 0 }, line = { 0 };
	struct str item;
	char hint[256] = "";

	mend(fault->item, &mended);
	if (!mended.failed && is_good(buf_as_str(&mended), &other))
		snprintf(hint, sizeof(hint), "; did you mean '%.*s'?",
			 (int)str_front(buf_as_str(&mended), 200).size, mended.bytes);
	put_line(&line, fault->item);
	item = str_front(buf_as_str(&line), 200);
	err_set(err, ERR_USAGE, "'%.*s' is no filter of methods: %s%s", (int)item.size,
		item.bytes, fault->reason, hint);
	buf_clear(&mended);
	buf_clear(&line);
	return false;
}

/* What is wrong with all filters of a text together; NULL: nothing. */
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

bool record_methods_are_filters(struct str text, struct err *err)
{
	struct methodfilter_fault fault;

	if (is_good(text, &fault))
		return true;
	return fault.reason ? fail_filter(&fault, err) : err_memory(err);
}

bool record_methods_select(struct str text, struct err *err)
{
	const char *reason;

	if (!record_methods_are_filters(text, err))
		return false;
	reason = fault_of_all(text);
	return !reason || err_set(err, ERR_USAGE, "%s", reason);
}

void record_methods_join(const struct option_list *filters, struct buf *to)
{
	for (size_t i = 0; i < filters->count; i++) {
		if (i > 0)
			buf_byte(to, ';');
		buf_text(to, filters->items[i]);
	}
}

/* The usage of record would not help, and be longer than what does. */
static enum status tell(const struct invocation *invocation,
			const struct record_methods *row, const struct err *err)
{
	complain(invocation, "--%s: %s", row->option, err->text);
	return err->kind == ERR_USAGE ? STATUS_USAGE : STATUS_FAILED;
}

/* Each is right by itself. */
static enum status check_all(const struct invocation *invocation,
			     const struct record_methods *row,
			     const struct option_list *filters)
{
	struct buf text = { 0 };
	struct err err;
	bool is_good;

	if (!filters->count)
		return STATUS_DONE;
	record_methods_join(filters, &text);
	is_good = text.failed ? err_memory(&err)
			      : record_methods_select(buf_as_str(&text), &err);
	buf_clear(&text);
	return is_good ? STATUS_DONE : tell(invocation, row, &err);
}

static enum status check_filters(const struct invocation *invocation,
				 const struct record_methods *row,
				 const struct option_list *filters)
{
	struct err err = { 0 };

	for (size_t i = 0; i < filters->count; i++) {
		struct str text = str_of(filters->items[i]);

		if (!record_methods_are_filters(text, &err))
			return tell(invocation, row, &err);
	}
	return check_all(invocation, row, filters);
}

/* --- classes as they were rewritten ---------------------------------------------- */

/* The JVM may go elsewhere before it writes there. */
static bool choose_dump(const char *folder, struct orders *orders, struct err *err)
{
	char *absolute = path_absolute(folder);
	bool is_set = absolute &&
		      orders_text(orders, &orders->dump_classes, str_of(absolute));

	free(absolute);
	return is_set || err_memory(err);
}

/* With those above it. */
static bool make_folder(const char *folder)
{
	char *path = strdup(folder);
	char *slash = path;
	bool is_made;

	/* What cannot be made shows at the last one. */
	while (slash && (slash = strchr(slash + 1, '/'))) {
		*slash = '\0';
		mkdir(path, 0777);
		*slash = '/';
	}
	is_made = path && (mkdir(path, 0777) == 0 || errno == EEXIST);
	free(path);
	return is_made;
}

bool record_methods_make_dump(const char *folder, struct err *err)
{
	if (!folder)
		return true;
	if (!make_folder(folder))
		return err_system(err, "--dump-classes: cannot make the folder '%s'",
				  folder);
	return access(folder, W_OK | X_OK) == 0 ||
	       err_system(err, "--dump-classes: cannot write in the folder '%s'", folder);
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
