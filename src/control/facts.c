#include "control/facts.h"

#include "control/members.h"

/* What texts may take of a message. */
#define TEXT_MAX 1000
#define PATH_TEXT_MAX 5000

static const char *const state_words[] = {
	[FACTS_DELAYED] = "delayed",
	[FACTS_RUNNING] = "running",
	[FACTS_STOPPED] = "stopped",
	[FACTS_FAILED] = "failed",
	NULL,
};

#define ROW(key_, kind_, member_, ...)                                         \
	MEMBER_ROW(struct recording_facts, key_, MEMBER_##kind_, member_, __VA_ARGS__)

static const struct member recording_rows[] = {
	ROW("id", COUNT, id),
	ROW("name", TEXT, name, .most = TEXT_MAX),
	ROW("destination", TEXT, destination, .most = PATH_TEXT_MAX),
	ROW("why", TEXT, why, .most = TEXT_MAX),
	ROW("state", WORD, state, .words = state_words),
	ROW("begun", NUMBER, begun),
	ROW("ended", NUMBER, ended),
	ROW("duration", NUMBER, duration),
	ROW("max-age", NUMBER, max_age),
	ROW("max-size", NUMBER, max_size),
	ROW("disk", FLAG, to_disk),
	ROW("bytes", COUNT, bytes),
	ROW("chunks", COUNT, chunks),
	ROW("lost-events", COUNT, lost_events),
};

static const struct member_table recording_table = MEMBER_TABLE(recording_rows);

#undef ROW
#define ROW(key_, kind_, member_, ...)                                         \
	MEMBER_ROW(struct engine_facts, key_, MEMBER_##kind_, member_, __VA_ARGS__)

static const struct member engine_rows[] = {
	ROW("pid", NUMBER, pid),
	ROW("version", TEXT, version, .most = TEXT_MAX),
	ROW("repository", TEXT, repository, .most = PATH_TEXT_MAX),
	ROW("attached", NUMBER, attached),
	ROW("launched", FLAG, is_launched),
	ROW("events", COUNT, events),
	ROW("lost-events", COUNT, lost_events),
	ROW("lost-bytes", COUNT, lost_bytes),
	ROW("memory-size", COUNT, memory_size),
	ROW("memory-used", COUNT, memory_used),
	ROW("cpu-flusher", COUNT, cpu_flusher),
	ROW("cpu-handler", COUNT, cpu_handler),
	ROW("probed-classes", COUNT, probed_classes),
	ROW("probed-methods", COUNT, probed_methods),
	ROW("interval", COUNT, interval),
};

static const struct member_table engine_table = MEMBER_TABLE(engine_rows);

void recording_facts_write(const struct recording_facts *facts, struct buf *to)
{
	members_write(facts, &recording_table, to);
}

void engine_facts_write(const struct engine_facts *facts, struct buf *to)
{
	members_write(facts, &engine_table, to);
}

static bool read_line(void *facts, const struct member_table *table, struct str line,
		      struct arena *arena, struct err *err)
{
	const struct member *row;
	struct str key, value;

	if (!member_split(line, &key, &value, err))
		return false;
	row = member_find(table, key);
	return !row || member_read(facts, row, value, arena, err);
}

static bool read(void *facts, const struct member_table *table, struct str text,
		 struct arena *arena, struct err *err)
{
	struct str line;

	for (int number = 1; str_split(&text, '\n', &line); number++) {
		if (!read_line(facts, table, line, arena, err))
			return err_within(err, "line %d", number);
	}
	return true;
}

bool recording_facts_read(struct recording_facts *facts, struct str text,
			  struct arena *arena, struct err *err)
{
	*facts = (struct recording_facts){ .id = 0 };
	return read(facts, &recording_table, text, arena, err);
}

bool engine_facts_read(struct engine_facts *facts, struct str text, struct arena *arena,
		       struct err *err)
{
	*facts = (struct engine_facts){ .pid = 0 };
	return read(facts, &engine_table, text, arena, err);
}

const char *facts_state_word(enum facts_state state)
{
	return state_words[state];
}
