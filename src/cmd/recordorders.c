#include "cmd/recordorders.h"

#include <string.h>

#include "base/now.h"
#include "base/number.h"
#include "base/scale.h"
#include "base/timespan.h"
#include "cmd/usage.h"
#include "control/threadfilter.h"
#include "jfr/spill.h"

/* The text of a number that has a name. */
#define TEXT_OF(number) #number
#define TEXT(number) TEXT_OF(number)

#define ROW(name_, letter_, kind_, member_, value_, help_)                             \
	{ name_, letter_, kind_, offsetof(struct record_options, member_), value_,     \
	  help_ }

/* What a recording is: of a command, and of a JVM that runs. */
#define ROWS_OF_EVENTS                                                                 \
	ROW("settings", 0, OPTION_LIST, settings, "<files>",                           \
	    "What to record: default, profile or none, or .jfc files,\n"               \
	    "separated by commas (default: default)"),                                 \
	ROW("interval", 0, OPTION_TEXT, interval, "<time>",                            \
	    "Sample each thread so often: 1ms to 1h, or 0 for never (default:\n"       \
	    "20ms, with --settings profile 10ms)"),                                    \
	ROW("mode", 0, OPTION_TEXT, mode, "cpu|wall",                                  \
	    "Sample threads by the time that they run, or by the time that\n"          \
	    "passes (default: cpu)"),                                                  \
	ROW("threads", 0, OPTION_TEXT, threads, "<names>",                             \
	    "Sample only threads of these names or patterns, separated by\n"           \
	    "commas; a ! in front takes threads out again (\"worker-*\",\n"            \
	    "'worker-*,!worker-1?', '!main')"),                                        \
	ROW("stack-depth", 0, OPTION_COUNT, stack_depth, "<frames>",                   \
	    "Frames of a stack trace, at most: 1 to " TEXT(ORDERS_STACK_DEPTH_MAX)     \
	    " (default: " TEXT(ORDERS_STACK_DEPTH) ")"),                               \
	ROW("method-timing", 0, OPTION_LIST, method_timing, "<filter>",                \
	    "Count the calls of these methods, and time them: a.b.Class,\n"            \
	    "a.b.Class::method, ::method, @a.b.Annotation, a.b.**, +a.b.Type\n"        \
	    "(it and its subtypes), !<filter> (not these), several with ;\n"           \
	    "between, or the option again"),                                           \
	ROW("period", 0, OPTION_TEXT, period, "<time>",                                \
	    "Tell these counts so often (default: at the end of each chunk)"),         \
	ROW("method-trace", 0, OPTION_LIST, method_trace, "<filter>",                  \
	    "Record each call of these methods, with its time and its stack"),         \
	ROW("threshold", 0, OPTION_TEXT, threshold, "<time>",                          \
	    "Of these calls record those that take so long (default: all)"),           \
	ROW("dump-classes", 0, OPTION_TEXT, dump_classes, "<folder>",                  \
	    "Write the classes with such methods there, as they were changed")

#define ROWS_OF_LIMITS                                                                 \
	ROW("maxage", 0, OPTION_TEXT, max_age, "<time>",                               \
	    "Keep no data that is older"),                                             \
	ROW("maxsize", 0, OPTION_TEXT, max_size, "<size>",                             \
	    "Keep no more data, as in 500k, 250M, 1.5G"),                              \
	ROW("disk", 0, OPTION_CHOICE, to_disk, NULL,                                   \
	    "Write data to a repository all the time (the default)"),                  \
	ROW("memory", 0, OPTION_CHOICE, in_memory, NULL,                               \
	    "Keep data in memory, the newest of it, and write it at the end"),         \
	ROW("memory-size", 0, OPTION_TEXT, memory_size, "<size>",                      \
	    "The most memory for data that is not written yet\n"                       \
	    "(default: " TEXT(ORDERS_MEMORY_MB) "M)")

#define ROWS_OF_BUFFERS                                                                \
	ROW("buffer-size", 0, OPTION_TEXT, buffer_size, "<size>",                      \
	    "Size of the buffers of threads (default: " TEXT(ORDERS_BUFFER_KB) "k)"),  \
	ROW("flush-interval", 0, OPTION_TEXT, flush_interval, "<time>",                \
	    "Write the buffers out so often (default: " TEXT(ORDERS_FLUSH_SECONDS)     \
	    "s)"),                                                                     \
	ROW("max-chunk-size", 0, OPTION_TEXT, max_chunk_size, "<size>",                \
	    "Begin a new chunk when one has grown to this (default: " TEXT(            \
	    ORDERS_CHUNK_MB) "M)")

#define ROWS_OF_REPOSITORY                                                             \
	ROW("repository", 0, OPTION_TEXT, repository, "<folder>",                      \
	    "Where data is kept until the end (default: $TMPDIR or /tmp)"),            \
	ROW("preserve-repository", 0, OPTION_FLAG, preserve, NULL,                     \
	    "Leave it there when the recording is written"),                           \
	ROW("no-redact", 0, OPTION_FLAG, no_redact, NULL,                              \
	    "Record values also of variables, properties and arguments whose\n"        \
	    "names look secret (password, token, key ...)"),                           \
	ROW("quiet", 'q', OPTION_FLAG, quiet, NULL,                                    \
	    "Tell nothing but what goes wrong")

const struct option_row record_rows[] = {
	ROW("output", 'o', OPTION_TEXT, output, "<file>",
	    "The recording: %p is the process, %t the time, - is standard\n"
	    "output (the command's own then goes to standard error)\n"
	    "(default: <name of what runs>-%p-%t.jfr)"),
	ROWS_OF_EVENTS,
	ROW("duration", 0, OPTION_TEXT, duration, "<time>",
	    "Record for so long, as in 90s, 10m, 1h30m (default: to the\n"
	    "end)"),
	ROW("delay", 0, OPTION_TEXT, delay, "<time>",
	    "Begin so long after the start of the JVM"),
	ROWS_OF_LIMITS,
	ROW("spill", 0, OPTION_TEXT, spill, "memory|disk",
	    "Where events wait until they are written: in memory shared with\n"
	    "cjfr, or in a file in the repository, which stays if the JVM and\n"
	    "cjfr are killed together (default: memory)"),
	ROWS_OF_BUFFERS,
	ROW("name", 0, OPTION_TEXT, name, "<name>",
	    "Name of the recording, told in it"),
	ROWS_OF_REPOSITORY,
	OPTION_ROW_LAST,
};

/* Nobody waits for it, so its buffers are in a file, and it is written by the JVM. */
const struct option_row record_start_rows[] = {
	ROW("output", 'o', OPTION_TEXT, output, "<file>",
	    "The file when it has stopped: %p is the process, %t the time\n"
	    "(default: <name>-%p-%t.jfr, in this folder)"),
	ROW("name", 0, OPTION_TEXT, name, "<name>",
	    "Name of the recording (default: that of what runs)"),
	ROWS_OF_EVENTS,
	ROW("duration", 0, OPTION_TEXT, duration, "<time>",
	    "Record for so long, as in 90s, 10m, 1h30m (default: until it is\n"
	    "stopped, or the JVM ends)"),
	ROW("delay", 0, OPTION_TEXT, delay, "<time>", "Begin so long from now"),
	ROWS_OF_LIMITS,
	ROWS_OF_BUFFERS,
	RECORD_ALL_ROW(offsetof(struct record_options, is_all)),
	RECORD_ENGINE_ROW(offsetof(struct record_options, engine)),
	ROWS_OF_REPOSITORY,
	OPTION_ROW_LAST,
};

#define DAY (86400 * SECOND)
#define KILOBYTE INT64_C(1024)
#define MEGABYTE (KILOBYTE * KILOBYTE)
#define GIGABYTE (KILOBYTE * MEGABYTE)

/* A time or a size, and what it may be: from .. to, as texts for the message. */
struct amount {
	const char *name;
	bool is_size;
	bool may_be_none;	/* 0 stands for no limit */
	size_t option, number;	/* where the text is, and where the number goes: */
	bool is_order;		/* into the orders, not into the options */
	int64_t from, to;
	const char *range;
};

#define AMOUNT(name_, is_size_, may_be_none_, member_, from_, to_, range_)             \
	{ name_, is_size_, may_be_none_, offsetof(struct record_options, member_),     \
	  offsetof(struct orders, member_), true, from_, to_, range_ }

/* A time that becomes a setting: the options keep the number. */
#define SETTING_TIME(name_, may_be_none_, member_, from_, to_, range_)                 \
	{ name_, false, may_be_none_, offsetof(struct record_options, member_),        \
	  offsetof(struct record_options, member_##_nanos), false, from_, to_, range_ }

static const struct amount amounts[] = {
	AMOUNT("duration", false, true, duration, SECOND, 36500 * DAY,
	       "1s to 36500d, or 0 for no limit"),
	AMOUNT("delay", false, true, delay, MILLISECOND, 36500 * DAY,
	       "1ms to 36500d, or 0 for none"),
	AMOUNT("maxage", false, true, max_age, SECOND, 36500 * DAY,
	       "1s to 36500d, or 0 for no limit"),
	AMOUNT("maxsize", true, true, max_size, KILOBYTE, INT64_MAX,
	       "1 kB or more, or 0 for no limit"),
	AMOUNT("memory-size", true, false, memory_size, 256 * KILOBYTE, 64 * GIGABYTE,
	       "256 kB to 64 GB"),
	AMOUNT("buffer-size", true, false, buffer_size, KILOBYTE, ORDERS_BUFFER_MAX,
	       "1 kB to 16 MB"),
	AMOUNT("flush-interval", false, false, flush_interval, 10 * MILLISECOND, DAY,
	       "10ms to 1d"),
	AMOUNT("max-chunk-size", true, false, max_chunk_size, 64 * KILOBYTE, GIGABYTE,
	       "64 kB to 1 GB"),
	SETTING_TIME("interval", true, interval, MILLISECOND, 3600 * SECOND,
		     "1ms to 1h, or 0 for no samples"),
	SETTING_TIME("period", false, period, MILLISECOND, 36500 * DAY,
		     "1ms to 36500d"),
	SETTING_TIME("threshold", true, threshold, 0, 36500 * DAY, "0 to 36500d"),
};

static bool read_size(struct str text, int64_t *bytes)
{
	struct number number;
	struct product product;
	uint64_t unit;

	if (!number_take(&text, &number) ||
	    !scale_read(&scale_of_bytes, str_trim(text), &unit))
		return false;
	product = number_times(&number, unit);
	*bytes = product.whole < INT64_MAX ? (int64_t)product.whole : INT64_MAX;
	return true;
}

static enum status read_amount(const struct invocation *invocation,
			       const struct amount *amount, const char *text,
			       int64_t *number)
{
	struct err err = { 0 };
	bool is_negative = false;

	if (!amount->is_size &&
	    !timespan_parse(str_of(text), number, &is_negative, &err))
		return complain_usage(invocation, "--%s: %s", amount->name, err.text);
	if (amount->is_size && !read_size(str_of(text), number))
		return complain_usage(invocation,
				      "--%s: '%s' is no number of bytes, as in 500k, "
				      "250M, 1.5G", amount->name, text);
	if (*number == 0 && amount->may_be_none)
		return STATUS_DONE;
	if (is_negative || *number < amount->from || *number > amount->to)
		return complain_usage(invocation, "--%s: '%s' is out of range (%s)",
				      amount->name, text, amount->range);
	return STATUS_DONE;
}

static const char *text_of(const struct record_options *options,
			   const struct amount *amount)
{
	const char *at = (const char *)options + amount->option;

	return *(const char *const *)(const void *)at;
}

static enum status read_amounts(const struct invocation *invocation,
				struct record_options *options, struct orders *orders)
{
	enum status status = STATUS_DONE;

	for (size_t i = 0; i < sizeof(amounts) / sizeof(amounts[0]) && !status; i++) {
		const char *text = text_of(options, &amounts[i]);
		char *to = amounts[i].is_order ? (char *)orders : (char *)options;

		if (text)
			status = read_amount(invocation, &amounts[i], text,
					     (int64_t *)(void *)(to + amounts[i].number));
	}
	return status;
}

/* What is wrong with the options together, or NULL. */
static const char *conflict(const struct record_options *options,
			    const struct orders *orders)
{
	if (options->to_disk && options->in_memory)
		return "only one of --disk and --memory can be given";
	if (options->in_memory && (orders->max_age || orders->max_size))
		return "--maxage and --maxsize are for data on disk; with --memory, "
		       "--memory-size says how much is kept";
	if (options->in_memory && options->max_chunk_size)
		return "--max-chunk-size is for data on disk, not for --memory";
	if (orders->memory_size < ORDERS_BUFFERS_MIN * orders->buffer_size)
		return "--memory-size must have room for " TEXT(ORDERS_BUFFERS_MIN)
		       " buffers (--buffer-size)";
	return NULL;
}

/* A sample of the deepest stack has to fit a buffer, and that buffer the memory. */
static enum status fit_stacks(const struct invocation *invocation,
			      const struct orders *orders)
{
	int64_t buffer = orders_buffer_for(orders->stack_depth);
	int64_t all = ORDERS_BUFFERS_MIN * buffer + SPILL_HEADER_SIZE;
	const char *name = NULL;
	int64_t needed = buffer;

	if (orders_buffer_of(orders->buffer_size) < buffer) {
		name = "buffer";
	} else if (orders_memory_of_buffers(orders) < all) {
		name = "memory";
		needed = orders->to_disk ? all : 4 * all;
	}
	if (!name)
		return STATUS_DONE;
	return complain_usage(invocation, "--%s-size must have room for stacks of %lld "
			      "frames (--stack-depth): %lldk", name,
			      (long long)orders->stack_depth,
			      (long long)(needed / KILOBYTE));
}

/* What is not given grows with what is. */
static enum status fit_buffers(const struct invocation *invocation,
			       const struct record_options *options,
			       struct orders *orders)
{
	int64_t buffer = orders_buffer_for(orders->stack_depth);

	if (!options->buffer_size && orders->buffer_size < buffer)
		orders->buffer_size = buffer;
	if (!options->memory_size &&
	    orders->memory_size < ORDERS_BUFFERS_MIN * orders->buffer_size)
		orders->memory_size = ORDERS_BUFFERS_MIN * orders->buffer_size;
	return fit_stacks(invocation, orders);
}

/* Which threads are sampled, and by which clock. */
static enum status choose_samples(const struct invocation *invocation,
				  const struct record_options *options,
				  struct orders *orders)
{
	struct err err = { 0 };

	orders->samples_wall = options->mode && strcmp(options->mode, "wall") == 0;
	if (options->mode && !orders->samples_wall && strcmp(options->mode, "cpu") != 0)
		return complain_usage(invocation, "--mode: '%s' is neither cpu nor wall",
				      options->mode);
	if (!options->threads)
		return STATUS_DONE;
	if (!threadfilter_check(str_of(options->threads), &err))
		return complain_usage(invocation, "--threads: %s", err.text);
	if (orders_text(orders, &orders->threads, str_of(options->threads)))
		return STATUS_DONE;
	err_memory(&err);
	complain(invocation, "%s", err.text);
	return STATUS_FAILED;
}

static enum status choose_spill(const struct invocation *invocation,
				const struct record_options *options,
				struct orders *orders)
{
	orders->spill_file = options->spill && strcmp(options->spill, "disk") == 0;
	if (!options->spill || orders->spill_file ||
	    strcmp(options->spill, "memory") == 0)
		return STATUS_DONE;
	return complain_usage(invocation, "--spill: '%s' is neither memory nor disk",
			      options->spill);
}

enum status record_orders(const struct invocation *invocation,
			  struct record_options *options, struct orders *orders)
{
	enum status status = read_amounts(invocation, options, orders);
	const char *problem;

	if (status == STATUS_DONE)
		status = choose_samples(invocation, options, orders);
	if (status == STATUS_DONE)
		status = choose_spill(invocation, options, orders);
	if (status != STATUS_DONE)
		return status;
	if (options->repository && !*options->repository)
		return complain_usage(invocation, "--repository: it is empty");
	if (options->stack_depth == 0 || options->stack_depth > ORDERS_STACK_DEPTH_MAX)
		return complain_usage(invocation, "--stack-depth: '%d' is out of range "
				      "(1 to " TEXT(ORDERS_STACK_DEPTH_MAX) ")",
				      options->stack_depth);
	if (options->stack_depth > 0)
		orders->stack_depth = options->stack_depth;
	orders->to_disk = !options->in_memory;
	status = fit_buffers(invocation, options, orders);
	if (status != STATUS_DONE)
		return status;
	problem = conflict(options, orders);
	if (problem)
		return complain_usage(invocation, "%s", problem);
	orders->preserve = options->preserve;
	orders->redact = !options->no_redact;
	return STATUS_DONE;
}
