#include "hotspot/gcid.h"

#include <limits.h>
#include <string.h>

/* Two pointers, and then the number, filled up to the size of another one. */
static bool find_offset(struct gcid *gcid, const struct vmstructs *vmstructs)
{
	struct vmstructs_field name, last;

	if (!vmstructs_field(vmstructs, "NamedThread", "_name", &name) ||
	    !vmstructs_field(vmstructs, "NamedThread", "_processed_thread", &last) ||
	    last.offset != name.offset + sizeof(void *) ||
	    vmstructs_size(vmstructs, "NamedThread") != last.offset + 2 * sizeof(void *))
		return false;
	gcid->offset = last.offset + sizeof(void *);
	return true;
}

static bool find_key(struct gcid *gcid, uint64_t thread)
{
	for (pthread_key_t key = 0; key < PTHREAD_KEYS_MAX; key++) {
		if ((uintptr_t)pthread_getspecific(key) == thread) {
			gcid->key = key;
			return true;
		}
	}
	return false;
}

bool gcid_find(struct gcid *gcid, const struct vmstructs *vmstructs, uint64_t thread)
{
	*gcid = (struct gcid){ .is_known = false };
	gcid->is_known =
		thread && find_offset(gcid, vmstructs) && find_key(gcid, thread);
	return gcid->is_known;
}

int64_t gcid_here(const struct gcid *gcid)
{
	const char *thread = gcid->is_known ? pthread_getspecific(gcid->key) : NULL;
	uint32_t number;

	if (!thread)
		return -1;
	memcpy(&number, thread + gcid->offset, sizeof(number));
	return number == UINT32_MAX ? -1 : (int64_t)number;
}
