#include "cmd/recordjvms.h"

#include <stdio.h>
#include <unistd.h>

#include "cmd/recordengine.h"
#include "cmd/usage.h"
#include "jvms/vm.h"

static const struct grid_column columns[] = {
	{ "pid", "Process", GRID_INTEGER, false },
	{ "user", "User", GRID_STRING, false },
	{ "version", "Java", GRID_STRING, false },
	{ "recordings", NULL, GRID_READY, false },
	{ NULL, "Recordings", GRID_STRING, false },
	{ "main", "Main class or jar", GRID_STRING, false },
	{ "arguments", "Arguments", GRID_STRING, true },
};

#define COLUMNS (sizeof(columns) / sizeof(columns[0]))

static struct str known(const char *text)
{
	return str_of(*text ? text : NULL);
}

/* Without an agent there is no number; with one that does not answer, it is not known. */
static void add(struct grid *grid, const struct vm *vm)
{
	struct err err = { ERR_NONE, "" };
	bool is_known;
	char number[16];
	int count;

	is_known = record_agent_count(vm, &count, &err);
	snprintf(number, sizeof(number), "%d", count);
	if (!is_known || count < 0)
		number[0] = '\0';
	grid_row(grid, (const union grid_cell[]){
		{ .number = vm->pid },
		{ .text = str_of(vm->user) },
		{ .text = known(vm->version) },
		{ .text = known(number) },
		{ .text = !is_known ? STR("?") : count < 0 ? STR("-") : str_of(number) },
		{ .text = known(vm->main) },
		{ .text = known(vm->arguments) },
	});
}

static void tell_none(const struct invocation *invocation, const struct vms *vms)
{
	if (vms->hidden)
		complain(invocation, "no JVM is seen; %zu process%s of other users cannot "
			 "be looked at, but by root", vms->hidden,
			 vms->hidden == 1 ? "" : "es");
	else
		complain(invocation, "there is no JVM on this host");
}

enum status record_jvms(const struct invocation *invocation,
			const struct grid_format *format)
{
	struct out out = { .fd = STDOUT_FILENO, .is_terminal = isatty(STDOUT_FILENO) };
	struct err err = { ERR_NONE, "" };
	struct vms vms = { .hidden = 0 };
	struct grid grid = { .width = 0 };
	bool is_good = vms_find(&vms, &err);

	grid.width = grid_width(STDOUT_FILENO);
	if (is_good && (vms.all.count || format != &grid_text)) {
		grid_begin(&grid, format, columns, COLUMNS, &out);
		for (size_t i = 0; i < vms.all.count; i++)
			add(&grid, &vms.all.items[i]);
		grid_end(&grid);
		if (format == &grid_json)
			buf_byte(&out.buf, '\n');
	}
	if (is_good)
		is_good = out_close(&out, &err);
	if (is_good && !vms.all.count)
		tell_none(invocation, &vms);
	vms_clear(&vms);
	if (is_good)
		return STATUS_DONE;
	complain(invocation, "%s", err.text);
	return STATUS_FAILED;
}
