#include "unit/bareconstants.h"

#include <criterion/criterion.h>

struct constants *constants;
static struct records *records;

void bareconstants_open(void)
{
	records = records_new(NULL);
	constants = constants_new(records, NULL, 0);
	cr_assert(constants);
	constants_epoch(constants, 1);
}

void bareconstants_close(void)
{
	constants_free(constants);
	records_free(records);
}
