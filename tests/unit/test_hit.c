/* The expected columns are those of QueryResolver in JDK 25, but for "text". */
#include <criterion/criterion.h>
#include <stdio.h>

#include "planned.h"

TestSuite(hit, .init = planned_open, .fini = planned_close);

static void expect(const char *query, const char *wanted, int line)
{
	struct planned planned;
	struct buf text = { 0 };

	planned_of(&planned, &planned_made.chunk, query);
	cr_expect(planned.is_good, "line %d: %s", line, planned.err.text);
	planned_tell(&text, &planned.plan);
	buf_byte(&text, '\0');
	cr_expect_str_eq(text.bytes, wanted, "line %d: got\n%s", line, text.bytes);
	buf_clear(&text);
	planned_clear(&planned);
}

#define PLANS(query, wanted) expect(query, wanted, __LINE__)

/* Structs are spread over columns once, and no deeper than to their fields. */
Test(hit, has_columns_by_the_types_of_fields)
{
	PLANS("SELECT * FROM All",
	      "'Time' left fixed integral timestamp <- t.All#startTime\n"
	      "'eventThread' left lexical <- t.All#eventThread\n"
	      "'stackTrace' left lexical <- t.All#stackTrace\n"
	      "'GC ID' fixed integral <- t.All#gcId\n"
	      "'Compiler ID' fixed integral <- t.All#compilerId\n"
	      "'z' fixed <- t.All#z\n"
	      "'b' fixed integral <- t.All#b\n"
	      "'s' fixed integral <- t.All#s\n"
	      "'c' left fixed <- t.All#c\n"
	      "'i' fixed integral <- t.All#i\n"
	      "'j' fixed integral <- t.All#j\n"
	      "'f' fixed fractional <- t.All#f\n"
	      "'d' fixed fractional <- t.All#d\n"
	      "'t' left lexical <- t.All#t\n"
	      "'class' left lexical <- t.All#class\n"
	      "'loader' left lexical <- t.All#loader\n"
	      "'group' left lexical <- t.All#group\n"
	      "'method' left lexical <- t.All#method\n"
	      "'symbol' left lexical <- t.All#symbol\n"
	      "'package : name' left lexical <- t.All#package.name\n"
	      "'package : exported' fixed <- t.All#package.exported\n"
	      "'Pair Of : Left Side' fixed integral <- t.All#pair.left\n"
	      "'Pair Of : right' left lexical <- t.All#pair.right\n"
	      "'list' fixed integral <- t.All#list\n"
	      "'Method' left lexical <- t.All#frames\n");
}

/* With a duration, the start keeps its label. */
Test(hit, has_columns_by_the_units_of_fields)
{
	PLANS("SELECT * FROM t.Units",
	      "'Start Time' left fixed integral timestamp <- t.Units#startTime\n"
	      "'Duration' fixed integral timespan <- t.Units#duration\n"
	      "'gcId' fixed integral <- t.Units#gcId\n"
	      "'millis' fixed integral timespan <- t.Units#millis\n"
	      "'since' left fixed integral timestamp <- t.Units#since\n"
	      "'bytes' fixed integral bytes <- t.Units#bytes\n"
	      "'bits' fixed integral bits <- t.Units#bits\n"
	      "'byteRate' fixed integral frequency bytes <- t.Units#byteRate\n"
	      "'bitRate' fixed fractional frequency bits <- t.Units#bitRate\n"
	      "'share' fixed fractional percentage <- t.Units#share\n"
	      "'hertz' fixed integral frequency <- t.Units#hertz\n"
	      "'address' left fixed integral address <- t.Units#address\n"
	      "'x' fixed integral <- t.Units#x\n");
}

Test(hit, has_types_of_events_for_settings)
{
	PLANS("SELECT * FROM ActiveSetting",
	      "'startTime' left fixed integral timestamp <- "
	      "jdk.ActiveSetting#startTime\n"
	      "'Event Id' left lexical <- jdk.ActiveSetting#id\n"
	      "'name' left lexical <- jdk.ActiveSetting#name\n");
	PLANS("SELECT id FROM ActiveSetting, Bare",
	      "'Event Type' left lexical <- jdk.ActiveSetting#id\n");
}

Test(hit, finds_types_with_and_without_package)
{
	PLANS("SELECT x FROM Units",
	      "'x' fixed integral <- t.Units#x\n");
	PLANS("SELECT x FROM o.Units",
	      "'x' fixed integral <- o.Units#x\n");
	PLANS("SELECT o.Units.x, t.Units.x FROM *.Units",
	      "'x' fixed integral <- o.Units#x\n"
	      "'x' fixed integral <- t.Units#x\n");
}

/* Those of different types are made texts. */
Test(hit, finds_all_fields_of_a_name)
{
	PLANS("SELECT Units.x FROM *.Units",
	      "'x' left lexical fixed integral text <- t.Units#x o.Units#x\n");
	PLANS("SELECT [A|B].x FROM t.Units AS A, o.Units AS B",
	      "'x' left lexical fixed integral text <- t.Units#x o.Units#x\n");
}

Test(hit, finds_fields_of_aliases)
{
	PLANS("SELECT A.x, B.y FROM o.Units AS A, o.Units AS B WHERE A.x = '1'",
	      "'x' fixed integral <- o.Units#x\n"
	      "'y' fixed integral <- o.Units#y\n");
	PLANS("SELECT [A|B].startTime FROM t.Units AS A, o.Units AS B",
	      "'Start Time' left fixed integral timestamp <- t.Units#startTime "
	      "o.Units#startTime\n");
}

/* (Of the second the JDK takes the first name, too.) */
Test(hit, finds_unions_of_different_names)
{
	PLANS("SELECT [t.Units.x|o.Units.y] FROM *.Units",
	      "'x' fixed integral <- t.Units#x o.Units#y\n");
}

/* So it is counted twice, as in the JDK. */
Test(hit, finds_a_field_twice_if_its_type_has_no_package)
{
	PLANS("SELECT Bare.x FROM Bare",
	      "'x' fixed integral <- Bare#x Bare#x\n");
}

Test(hit, finds_top_frames)
{
	PLANS("SELECT stackTrace.topFrame, "
	      "stackTrace.topApplicationFrame.lineNumber, "
	      "stackTrace.topNotInitFrame.method.type FROM All",
	      "'Method' left lexical <- t.All#stackTrace.topFrame\n"
	      "'lineNumber' fixed integral <- "
	      "t.All#stackTrace.topApplicationFrame.lineNumber\n"
	      "'type' left lexical <- t.All#stackTrace.topNotInitFrame.method.type\n");
}

Test(hit, finds_types_of_events)
{
	PLANS("SELECT eventType.label, eventType.name FROM All",
	      "'Event Type' left lexical <- t.All#eventType.label\n"
	      "'Event Type' left lexical <- t.All#eventType.name\n");
}

Test(hit, finds_fields_of_structs)
{
	PLANS("SELECT pair.left, pair.deep, pair.deep.x, pair FROM All",
	      "'Left Side' fixed integral <- t.All#pair.left\n"
	      "'deep' left fixed <- t.All#pair.deep\n"
	      "'x' fixed integral <- t.All#pair.deep.x\n"
	      "'Pair Of' left fixed <- t.All#pair\n");
	PLANS("SELECT eventThread.group, eventThread.javaName FROM All",
	      "'group' left lexical <- t.All#eventThread.group\n"
	      "'Java Thread Name' left lexical <- t.All#eventThread.javaName\n");
}

/* The column of a field of t.All. */
static const struct column *column_of(struct planned *planned, const char *field)
{
	char query[64];

	snprintf(query, sizeof(query), "SELECT %s FROM All", field);
	planned_of(planned, &planned_made.chunk, query);
	cr_assert(planned->is_good, "%s", planned->err.text);
	return &planned->plan.columns[0];
}

Test(hit, knows_what_values_stand_for)
{
	static const struct {
		const char *field;
		enum type_role role;
		bool is_boolean, is_array;
	} fields[] = {
		{ "z", TYPE_PLAIN, true, false },
		{ "i", TYPE_PLAIN, false, false },
		{ "t", TYPE_PLAIN, false, false },
		{ "list", TYPE_PLAIN, false, true },
		{ "eventThread", TYPE_THREAD, false, false },
		{ "group", TYPE_THREAD_GROUP, false, false },
		{ "class", TYPE_CLASS, false, false },
		{ "loader", TYPE_CLASS_LOADER, false, false },
		{ "method", TYPE_METHOD, false, false },
		{ "stackTrace", TYPE_STACK_TRACE, false, false },
		{ "stackTrace.topFrame", TYPE_STACK_FRAME, false, false },
		{ "stackTrace.frames", TYPE_STACK_FRAME, false, true },
		{ "frames", TYPE_STACK_FRAME, false, true },
		{ "eventType.label", TYPE_PLAIN, false, false },
	};

	for (size_t i = 0; i < sizeof(fields) / sizeof(fields[0]); i++) {
		struct planned planned;
		const struct column *column = column_of(&planned, fields[i].field);

		cr_expect_eq(column->role, fields[i].role, "%s", fields[i].field);
		cr_expect_eq(column->is_boolean, fields[i].is_boolean, "%s",
			     fields[i].field);
		cr_expect_eq(column->is_array, fields[i].is_array, "%s",
			     fields[i].field);
		cr_expect(str_is(column->name, str_of(fields[i].field)));
		cr_expect(str_is(column->missing, STR("N/A")));
		cr_expect_eq(column->cell_height, 1);
		cr_expect_eq(column->precision, -1);
		planned_clear(&planned);
	}
}

/* One may be the beginning of a name, and lead to itself: there the JDK fails. */
Test(hit, comes_to_an_end_with_aliases)
{
	PLANS("SELECT t.Units.x FROM t.Units AS t",
	      "'x' fixed integral <- t.Units#x\n");
	PLANS("SELECT Units.x FROM t.Units AS Units",
	      "'x' fixed integral <- t.Units#x t.Units#x\n");
}

/* Of sources with the same alias it is that of the last. */
Test(hit, has_an_alias_of_one_source)
{
	PLANS("SELECT A.x FROM t.Units AS A, o.Units AS A",
	      "'x' fixed integral <- o.Units#x\n");
}
