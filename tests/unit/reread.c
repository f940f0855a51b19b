#include "reread.h"

#include <stdio.h>

#include "jfr/event.h"
#include "jfr/input.h"
#include "verify/verdict.h"

struct findings_of {
	uint64_t faults, remarks;
};

static bool print_finding(void *context, const struct finding *finding)
{
	struct findings_of *found = context;

	if (finding->cause.severity == SEVERITY_FAULT)
		found->faults++;
	else
		found->remarks++;
	printf("# %s: chunk %zu, byte %llu: %s %.*s %.*s\n", finding->site.file,
	       finding->site.chunk, (unsigned long long)finding->site.at,
	       finding->cause.text, (int)finding->type.size, finding->type.bytes,
	       (int)finding->detail.size, finding->detail.bytes);
	return true;
}

static struct findings_of verify(const char *const *paths, size_t count)
{
	struct findings_of found = { 0, 0 };
	struct damage damage = { 0 };
	struct input input = { 0 };
	struct err err = { ERR_NONE, "" };
	struct verify_request request = {
		.input = &input,
		.threads = 1,
		.limit = 3,
		.tell = print_finding,
		.context = &found,
	};
	struct verdict verdict = { 0 };

	if (!input_open(&input, paths, count, &damage, &err) ||
	    !verify_input(&verdict, &request, &damage, &err)) {
		printf("# %s\n", err.text);
		found.faults++;
	}
	verdict_clear(&verdict);
	damage_clear(&damage);
	input_close(&input);
	return found;
}

uint64_t reread_verify(const char *const *paths, size_t count)
{
	return verify(paths, count).faults;
}

uint64_t reread_findings(const char *const *paths, size_t count)
{
	struct findings_of found = verify(paths, count);

	return found.faults + found.remarks;
}

static void tell_event(const struct chunk *chunk, const struct event *event,
		       reread_told *told, void *context)
{
	struct cursor cursor = event_cursor(chunk, event);
	uint64_t fields[REREAD_FIELDS];

	for (int i = 0; i < REREAD_FIELDS; i++)
		fields[i] = cursor_varint(&cursor);
	told(context, event->type_id, fields);
}

uint64_t reread_events(const char *const *paths, size_t count, reread_told *told,
		       void *context)
{
	struct damage damage = { 0 };
	struct input input = { 0 };
	struct err err = { ERR_NONE, "" };
	struct chunk chunk;
	uint64_t wrong;

	if (input_open(&input, paths, count, &damage, &err)) {
		while (input_open_next(&input, &chunk, &damage, &err)) {
			struct event_walk walk = event_walk(&chunk, &damage);
			struct event event;

			while (event_next(&walk, &event)) {
				if (event.type)
					tell_event(&chunk, &event, told, context);
			}
			chunk_close(&chunk);
		}
	}
	wrong = err.kind != ERR_NONE;
	for (size_t i = 0; i < damage.faults.count; i++)
		wrong += !damage.faults.items[i].is_note;
	damage_clear(&damage);
	input_close(&input);
	return wrong;
}
