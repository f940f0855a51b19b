#include "begun.h"

bool begun_record(struct recorder *recorder, const struct orders *orders,
		  struct err *err)
{
	struct err why = { ERR_NONE, "" };
	struct orders copy;
	uint64_t id;
	bool has_begun;

	if (orders_copy(&copy, orders, &why)) {
		has_begun = recorder_begin(recorder, &copy, &id, NULL, &why);
	} else {
		orders_clear(&copy);
		has_begun = false;
	}
	if (!has_begun)
		recorder_fail(recorder, &why);
	if (!has_begun && err)
		*err = why;
	return has_begun;
}
