#include <criterion/criterion.h>

#include "hotspot/vmstructs.h"
#include "vmtables.h"

static int thing;
static const char *const words[] = { "some", NULL, "words" };
static const char *const *word_list = words;
static int32_t word_count = 3;

static const struct vmtables_field fields[] = {
	{ "Thing", "_size", "size_t", 0, 24, NULL },
	{ "Thing", "_name", NULL, 0, 8, NULL },
	{ "Other", "_size", "int", 0, 4, NULL },
	{ "Thing", "_all", "Thing*", 1, 0, &thing },
	{ "Thing", "_first", "char*", 1, 0, &words[0] },
	{ "Thing", "_unset", "char*", 1, 0, &words[1] },
	{ "Thing", "_words", "char**", 1, 0, &word_list },
	{ "Thing", "_count", "int", 1, 0, &word_count },
	{ "Thing", NULL, NULL, 0, 0, NULL },
	{ NULL, NULL, NULL, 0, 0, NULL },
};

static const struct vmtables_type types[] = {
	{ "Other", NULL, 0, 0, 0, 8 },
	{ "Thing", "Other", 0, 0, 0, 40 },
	{ NULL, NULL, 0, 0, 0, 0 },
};

Test(vmstructs, finds_fields_and_sizes)
{
	struct vmstructs vmstructs;
	struct vmstructs_field field;

	vmtables_set(fields, types);
	cr_assert(vmstructs_find(&vmstructs, vmtables_symbol));
	cr_expect_eq(vmstructs_static(&vmstructs, "Thing", "_all"), &thing);
	cr_assert(vmstructs_field(&vmstructs, "Thing", "_size", &field));
	cr_expect_eq(field.offset, 24);
	cr_expect_str_eq(field.kind, "size_t");
	cr_assert(vmstructs_field(&vmstructs, "Other", "_size", &field));
	cr_expect_eq(field.offset, 4);
	cr_assert(vmstructs_field(&vmstructs, "Thing", "_name", &field));
	cr_expect_null(field.kind);
	cr_expect_eq(vmstructs_size(&vmstructs, "Thing"), 40);
}

Test(vmstructs, does_not_find_what_is_not_there)
{
	struct vmstructs vmstructs;
	struct vmstructs_field field;

	vmtables_set(fields, types);
	cr_assert(vmstructs_find(&vmstructs, vmtables_symbol));
	cr_expect_null(vmstructs_static(&vmstructs, "Thing", "_none"));
	cr_expect_null(vmstructs_static(&vmstructs, "Thing", "_size"));
	cr_expect_not(vmstructs_field(&vmstructs, "Thing", "_all", &field));
	cr_expect_not(vmstructs_field(&vmstructs, "None", "_size", &field));
	cr_expect_eq(vmstructs_size(&vmstructs, "None"), 0);
}

Test(vmstructs, has_texts)
{
	struct vmstructs_texts texts;
	struct vmstructs vmstructs;

	vmtables_set(fields, types);
	vmstructs = vmtables_structs();
	cr_expect_str_eq(vmstructs_text(&vmstructs, "Thing", "_first"), "some");
	cr_expect_null(vmstructs_text(&vmstructs, "Thing", "_unset"));
	cr_expect_null(vmstructs_text(&vmstructs, "Thing", "_none"));
	texts = vmstructs_texts(&vmstructs, "Thing", "_words", "_count");
	cr_assert_eq(texts.count, 3);
	cr_expect_str_eq(texts.items[2], "words");
	cr_expect_eq(vmstructs_texts(&vmstructs, "Thing", "_words", "_none").count, 0);
	cr_expect_eq(vmstructs_texts(&vmstructs, "Thing", "_unset", "_count").count, 0);
	word_count = -1;
	cr_expect_eq(vmstructs_texts(&vmstructs, "Thing", "_words", "_count").count, 0);
}

Test(vmstructs, has_constants)
{
	static const struct vmtables_int ints[] = {
		{ "_one", 1 }, { "_two", -2 }, { NULL, 0 },
	};
	struct vmstructs vmstructs;
	int32_t value = 7;

	vmtables_set(fields, types);
	vmtables_set_ints(ints);
	vmstructs = vmtables_structs();
	cr_expect_not(vmstructs_int(&vmstructs, "_three", &value));
	cr_expect_eq(value, 7);
	cr_expect(vmstructs_int(&vmstructs, "_one", &value));
	cr_expect_eq(value, 1);
	cr_expect(vmstructs_int(&vmstructs, "_two", &value));
	cr_expect_eq(value, -2);
}

static void expect_nothing(const struct vmstructs *vmstructs)
{
	struct vmstructs_field field;
	int32_t value;

	cr_expect_null(vmstructs_static(vmstructs, "Thing", "_all"));
	cr_expect_not(vmstructs_field(vmstructs, "Thing", "_size", &field));
	cr_expect_eq(vmstructs_size(vmstructs, "Thing"), 0);
	cr_expect_not(vmstructs_int(vmstructs, "_one", &value));
}

Test(vmstructs, needs_all_symbols)
{
	static const char *const symbols[] = {
		"gHotSpotVMStructs", "gHotSpotVMTypes",
		"gHotSpotVMStructEntryTypeNameOffset",
		"gHotSpotVMStructEntryFieldNameOffset",
		"gHotSpotVMStructEntryTypeStringOffset",
		"gHotSpotVMStructEntryIsStaticOffset",
		"gHotSpotVMStructEntryOffsetOffset",
		"gHotSpotVMStructEntryAddressOffset",
		"gHotSpotVMStructEntryArrayStride",
		"gHotSpotVMTypeEntryTypeNameOffset",
		"gHotSpotVMTypeEntrySizeOffset", "gHotSpotVMTypeEntryArrayStride",
		"gHotSpotVMIntConstants", "gHotSpotVMIntConstantEntryNameOffset",
		"gHotSpotVMIntConstantEntryValueOffset",
		"gHotSpotVMIntConstantEntryArrayStride",
	};
	struct vmstructs vmstructs;

	vmtables_set(fields, types);
	for (size_t i = 0; i < sizeof(symbols) / sizeof(symbols[0]); i++) {
		vmtables_hide(symbols[i]);
		cr_expect_not(vmstructs_find(&vmstructs, vmtables_symbol), "%s",
			      symbols[i]);
		expect_nothing(&vmstructs);
	}
}

Test(vmstructs, are_not_there_without_tables)
{
	struct vmstructs vmstructs;

	vmtables_set(NULL, types);
	cr_expect_not(vmstructs_find(&vmstructs, vmtables_symbol));
	expect_nothing(&vmstructs);
	vmtables_set(fields, NULL);
	cr_expect_not(vmstructs_find(&vmstructs, vmtables_symbol));
	expect_nothing(&vmstructs);
	vmtables_set(fields, types);
	vmtables_set_ints(NULL);
	cr_expect_not(vmstructs_find(&vmstructs, vmtables_symbol));
	expect_nothing(&vmstructs);
}

Test(vmstructs, are_not_there_outside_a_jvm)
{
	struct vmstructs vmstructs;

	cr_expect_not(vmstructs_find(&vmstructs, NULL));
	expect_nothing(&vmstructs);
}
