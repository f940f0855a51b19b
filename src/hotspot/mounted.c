#include "hotspot/mounted.h"

#include "hotspot/symtab.h"

/* The owner of monitors: a virtual thread owns them itself since JDK 24. */
static const char *const owners[] = { "_monitor_owner_id", "_lock_id" };

static bool find_owner(struct mounted *mounted, const struct vmstructs *vmstructs)
{
	struct vmstructs_field field;

	for (size_t i = 0; i < sizeof(owners) / sizeof(owners[0]); i++) {
		if (!vmstructs_field(vmstructs, "JavaThread", owners[i], &field))
			continue;
		*mounted = (struct mounted){ true, field.offset, 0 };
		return true;
	}
	return false;
}

/* A table that is for the JVM's own compiler in Java, and for nobody outside. */
static const void *hidden(const char *name)
{
	return symtab_find(vmstructs_exported("gHotSpotVMStructs"), name);
}

/* The threads of the JVM's recorder are kept whether it records or not. */
static bool find_recorded(struct mounted *mounted, const struct vmstructs *vmstructs,
			  vmstructs_symbol *symbol)
{
	struct vmstructs_field thread, number, flag;
	struct vmstructs more = *vmstructs;

	if (!vmstructs_field(vmstructs, "JavaThread", "_vthread", &thread))
		return false;
	more.fields = vmstructs_pointer(symbol("jvmciHotSpotVMStructs"));
	if (!vmstructs_field(&more, "Thread", "_jfr_thread_local", &thread) ||
	    !vmstructs_field(&more, "JfrThreadLocal", "_vthread_id", &number) ||
	    !vmstructs_field(&more, "JfrThreadLocal", "_vthread", &flag))
		return false;
	*mounted = (struct mounted){ true, thread.offset + number.offset,
				     thread.offset + flag.offset };
	return true;
}

bool mounted_find(struct mounted *mounted, const struct vmstructs *vmstructs,
		  vmstructs_symbol *symbol)
{
	*mounted = (struct mounted){ false, 0, 0 };
	return find_owner(mounted, vmstructs) ||
	       find_recorded(mounted, vmstructs, symbol ? symbol : hidden);
}

int64_t mounted_here(const struct mounted *mounted, uintptr_t vm)
{
	const char *thread = (const char *)vm;
	int64_t number;

	if (!mounted->is_known || !vm ||
	    (mounted->flag_at && !thread[mounted->flag_at]))
		return 0;
	memcpy(&number, thread + mounted->number_at, sizeof(number));
	return number;
}
