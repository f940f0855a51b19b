#include <criterion/criterion.h>
#include <stdlib.h>

#include "fault.h"
#include "query/query.h"

/* A query as it is written, and how it is written out. */
static const struct {
	const char *text, *written;
} good[] = {
	{ "SELECT * FROM jdk.X", "SELECT * FROM jdk.X" },
	{ "select*from*", "SELECT * FROM *" },
	{ "\n\tSELECT a,b.c , [A|B].d FROM X,Y", "SELECT a, b.c, [A|B].d FROM X, Y" },
	{ "COLUMN 'A', 'b c'  FORMAT none, missing:'x y';cell-height:5 SELECT a, b FROM X",
	  "COLUMN 'A', 'b c' FORMAT none, missing:x y;cell-height:5 SELECT a, b FROM X" },
	{ "FORMAT Normalized SELECT a FROM X", "FORMAT Normalized SELECT a FROM X" },
	{ "SELECT a AS A, AVG(b) AS \xc3\xa9 FROM X AS Y GROUP BY A",
	  "SELECT a AS A, AVERAGE(b) AS \xc3\xa9 FROM X AS Y GROUP BY A" },
	{ "SELECT Count ( * ) FROM X GROUP BY a", "SELECT COUNT(*) FROM X GROUP BY a" },
	/* One group of all, which the JDK makes when it looks the query up. */
	{ "SELECT a, SUM(b) FROM X ORDER BY a LIMIT 3",
	  "SELECT a, SUM(b) FROM X GROUP BY startTime ORDER BY a LIMIT 3" },
	{ "SELECT a FROM X WHERE a = 'it' AND b='\"'",
	  "SELECT a FROM X WHERE a = 'it' AND b = '\"'" },
	{ "SELECT a FROM X ORDER BY a ASC, b DESC, c",
	  "SELECT a FROM X ORDER BY a ASC, b DESC, c" },
	{ "SELECT a FROM X LIMIT 0", "SELECT a FROM X LIMIT 0" },
	{ "SELECT a FROM X LIMIT '+5'", "SELECT a FROM X LIMIT 5" },
	{ "SELECT a FROM X LIMIT 2147483647", "SELECT a FROM X" },
	{ "COLUMN 'a' FORMAT none SELECT MAX(a) AS M FROM A AS X, B WHERE f = 'v' AND "
	  "g = 'w' GROUP BY a, b ORDER BY c DESC LIMIT 25",
	  "COLUMN 'a' FORMAT none SELECT MAXIMUM(a) AS M FROM A AS X, B WHERE f = 'v' AND "
	  "g = 'w' GROUP BY a, b ORDER BY c DESC LIMIT 25" },
	/* Keywords are only beginnings, and quotes join what is beside them. */
	{ "SELECTa FROMX GROUPBYb ORDERBYcDESC LIMIT5",
	  "SELECT a FROM X GROUP BY b ORDER BY cDESC LIMIT 5" },
	{ "SELECT a ASb FROM X ASSET", "SELECT a AS b FROM X AS SET" },
	{ "SELECT \"dur\"ation, x'y'z FROM 'jdk'.X",
	  "SELECT duration, xyz FROM jdk.X" },
	{ "SELECT a FROM X WHERE a = 'b'c AND ANDd = 'e'",
	  "SELECT a FROM X WHERE a = 'bc' AND ANDd = 'e'" },
	{ "COLUMN '', SELECT a FROM X", "COLUMN ',' SELECT a FROM X" },
	{ "COLUMN '' SELECT a FROM X", "COLUMN '' SELECT a FROM X" },
	{ "SELECT from, a FROM X", NULL },
	{ "SELECT \"from\", a FROM X", "SELECT from, a FROM X" },
	{ "SELECT count, avg FROM X", "SELECT count, avg FROM X" },
	{ "SELECT _a, $b, a1, gr\xc3\xb6\xc3\x9f\x65 FROM X",
	  "SELECT _a, $b, a1, gr\xc3\xb6\xc3\x9f\x65 FROM X" },
	/* Ours. */
	{ "FORMAT share-of-run SELECT SUM(a) FROM X?, Y? AS Z GROUP BY b",
	  "FORMAT share-of-run SELECT SUM(a) FROM X?, Y? AS Z GROUP BY b" },
	{ "SELECT * FROM ?", "SELECT * FROM ?" },
	{ "SELECT * FROM X??", "SELECT * FROM X??" },
};

static void check_good(const char *text, const char *written)
{
	struct arena arena = { 0 };
	struct buf told = { 0 };
	struct err err = { 0 };
	struct query query;
	size_t at;
	bool is_read = query_parse(&query, str_of(text), &arena, &at, &err);

	if (!written) {
		cr_expect(!is_read, "%s", text);
	} else if (!is_read) {
		cr_expect_fail("%s: %s", text, err.text);
	} else {
		query_write(&query, &told);
		buf_byte(&told, '\0');
		cr_expect_str_eq(told.bytes, written);
	}
	buf_clear(&told);
	arena_clear(&arena);
}

Test(query, is_read_and_written)
{
	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++)
		check_good(good[i].text, good[i].written);
}

#define NO_JOIN "JOIN is not known; a query takes the events of all types behind FROM"

#define NO_FIELD                                                                         \
	"expected the name of a field, found FROM; write a field of that name with its " \
	"event type, as in Message.from"

/* What is wrong with a query, and where: behind the `~`, which is not part of it. */
static const struct {
	const char *text, *why;
} bad[] = {
	{ "~", "expected COLUMN, FORMAT or SELECT, found the end" },
	{ "  ~x", "expected COLUMN, FORMAT or SELECT, found 'x'" },
	{ "~SELCT a FROM X",
	  "expected COLUMN, FORMAT or SELECT, found 'SELCT'; did you mean SELECT?" },
	{ "COLUMN ~\"a\" SELECT a FROM X",
	  "expected a text in single quotes, found \"a\"" },
	{ "COLUMN 'a' ~'b' SELECT a FROM X",
	  "expected a comma, FORMAT or SELECT, found 'b'" },
	{ "FORMAT ~normalised SELECT a FROM X",
	  "there is no property 'normalised'; did you mean normalized?" },
	{ "FORMAT none;~", "expected a property, found the end" },
	{ "FORMAT none ~none SELECT a FROM X",
	  "expected a comma or SELECT, found 'none'" },
	{ "SELECT a ~FORM X",
	  "expected a comma or FROM, found 'FORM'; did you mean FROM?" },
	{ "SELECT * ~FORM X", "expected FROM, found 'FORM'" },
	{ "SELECT a~", "expected a comma or FROM, found the end" },
	{ "SELECT ~FROM X", "expected fields or *, found FROM" },
	{ "SELECT ~FROMage FROM X", "expected fields or *, found FROM" },
	{ "SELECT a, ~FROM X", NO_FIELD },
	{ "SELECT a, ~FROM FROM X", NO_FIELD },
	{ "SELECT a, b, COUNT(~from) FROM X", NO_FIELD },
	{ "SELECT a, ~, b FROM X",
	  "expected the name of a field, without quotes, found ','" },
	{ "SELECT ~'a' FROM X",
	  "expected the name of a field, without quotes, found 'a'" },
	{ "SELECT ~1a FROM X", "'1a' cannot be the name of a field" },
	{ "SELECT ~a-b FROM X", "'a-b' cannot be the name of a field" },
	{ "SELECT ~\xf0\x90\x90\x80 FROM X",
	  "'\xf0\x90\x90\x80' cannot be the name of a field" },
	{ "SELECT ~AVGE(a) FROM X",
	  "there is no aggregator 'AVGE'; did you mean AVG?" },
	{ "SELECT ~FOO (a) FROM X", "there is no aggregator 'FOO'" },
	{ "SELECT COUNT(~) FROM X",
	  "expected the name of a field, without quotes, found ')'" },
	{ "SELECT COUNT(a ~FROM X", "expected ), found 'FROM'" },
	{ "SELECT a AS ~x1 FROM X",
	  "'x1' cannot be a name behind AS; it must consist of letters" },
	{ "SELECT a AS ~, b FROM X",
	  "',' cannot be a name behind AS; it must consist of letters" },
	{ "SELECT a AS ~a\xe2\x86\x92z FROM X",
	  "'a\xe2\x86\x92z' cannot be a name behind AS; it must consist of letters" },
	{ "SELECT a AS~", "expected a name behind AS, found the end" },
	{ "SELECT a ~'b FROM X", "a quote is not closed: 'b FROM X" },
	{ "SELECT a FROM ~", "expected an event type, found the end" },
	{ "SELECT a FROM X, ~, Y", "expected an event type, found ','" },
	{ "SELECT a FROM ~(SELECT b FROM X)", "a query inside a query is not known" },
	{ "SELECT a FROM X ~SELECT", "a query inside a query is not known" },
	{ "SELECT a FROM X ~JOIN Y", NO_JOIN },
	{ "SELECT a FROM X ~left join Y", NO_JOIN },
	{ "SELECT a FROM X ~HAVING a = 'b'",
	  "HAVING is not known; WHERE chooses events before they are grouped" },
	{ "SELECT a FROM X GROUP BY a ~HAVING a = 'b'",
	  "HAVING is not known; WHERE chooses events before they are grouped" },
	{ "SELECT a FROM X ~y",
	  "expected a comma, WHERE, GROUP BY, ORDER BY, LIMIT or the end, found 'y'" },
	{ "SELECT a FROM X ~GRUOP BY a",
	  "expected a comma, WHERE, GROUP BY, ORDER BY, LIMIT or the end, found 'GRUOP'; "
	  "did you mean GROUP BY?" },
	{ "SELECT a FROM X GROUP ~a", "expected BY, found 'a'" },
	{ "SELECT a FROM X ORDER BY a ~ENDING",
	  "expected a comma, LIMIT or the end, found 'ENDING'" },
	{ "SELECT a FROM X ORDER BY a ASC~ENDING",
	  "expected a comma, LIMIT or the end, found 'ENDING'" },
	{ "SELECT a FROM X ORDER BY a ~GROUP BY b",
	  "expected a comma, LIMIT or the end, found 'GROUP'" },
	{ "SELECT a FROM X GROUP BY a ~LIMT 5",
	  "expected a comma, ORDER BY, LIMIT or the end, found 'LIMT'; did you mean LIMIT?" },
	{ "SELECT a FROM X WHERE a ~< 'b'",
	  "expected = or !=, found '<'" },
	{ "SELECT a FROM X WHERE a ~LIKE 'b'",
	  "expected = or !=, found 'LIKE'" },
	{ "SELECT a FROM X WHERE a ~! = 'b'", "expected = or !=, found '!'" },
	{ "SELECT a FROM X WHERE ~a!= 'b'", "'a!' cannot be the name of a field" },
	{ "SELECT a FROM X WHERE a ~== 'b'", "== is not known; write =" },
	{ "SELECT a FROM X WHERE a = ~b",
	  "expected a text in single quotes, found 'b'" },
	{ "SELECT a FROM X WHERE a = ~''", "there is nothing between the quotes: ''" },
	{ "SELECT a FROM X WHERE a = 'b' ~OR c = 'd'",
	  "OR is not known; conditions are joined by AND" },
	{ "SELECT a FROM X WHERE a = 'b' ~ADN c = 'd'",
	  "expected AND, GROUP BY, ORDER BY, LIMIT or the end, found 'ADN'; did you mean "
	  "AND?" },
	{ "SELECT a FROM X LIMIT ~", "expected a number behind LIMIT, found the end" },
	{ "SELECT a FROM X LIMIT ~-1",
	  "'-1' cannot be a limit; it must be a whole number, 0 or more" },
	{ "SELECT a FROM X LIMIT ~2147483648",
	  "'2147483648' cannot be a limit; it must be a whole number, 0 or more" },
	{ "SELECT a FROM X LIMIT 5 ~6", "expected the end, found '6'" },
	{ "SELECT a FROM X LIMIT 2147483647 ~6",
	  "expected a comma, WHERE, GROUP BY, ORDER BY, LIMIT or the end, found '6'" },
};

Test(query, that_is_none_is_told)
{
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		size_t wanted = strcspn(bad[i].text, "~"), at;
		struct arena arena = { 0 };
		struct buf text = { 0 };
		struct err err = { 0 };
		struct query query;

		buf_add(&text, bad[i].text, wanted);
		buf_text(&text, bad[i].text + wanted + 1);
		cr_expect(!query_parse(&query, (struct str){ text.bytes, text.size },
				       &arena, &at, &err),
			  "%s", bad[i].text);
		cr_expect_eq(err.kind, ERR_USAGE);
		cr_expect_str_eq(err.text, bad[i].why);
		cr_expect_eq(at, wanted, "%s: %zu", bad[i].text, at);
		buf_clear(&text);
		arena_clear(&arena);
	}
}

Test(query, knows_where_its_parts_are)
{
	static const char text[] = "COLUMN 'x' FORMAT cell-height:3;normalized SELECT "
				   "SUM( a.b ) AS S FROM X?, y.Z AS W WHERE c = 'd' "
				   "GROUP BY e ORDER BY f DESC, g LIMIT 7";
	struct arena arena = { 0 };
	struct query query;
	size_t at;

	cr_assert(query_parse(&query, str_of(text), &arena, &at, NULL));
	cr_expect_eq(query.column_count, 1);
	cr_expect(str_is(query.columns[0], STR("x")));
	cr_expect_eq(query.columns_at, 0);
	cr_expect_eq(query.format_count, 1);
	cr_expect_eq(query.formats[0].cell_height, 3);
	cr_expect_eq(query.formats[0].precision, -1);
	cr_expect(query.formats[0].is_normalized);
	cr_expect_eq(query.formats_at, (size_t)(strstr(text, "FORMAT") - text));
	cr_expect_eq(query.select_count, 1);
	cr_expect_eq(query.select[0].aggregator, AGGREGATOR_SUM);
	cr_expect(str_is(query.select[0].field, STR("a.b")));
	cr_expect(str_is(query.select[0].alias, STR("S")));
	cr_expect_eq(query.select[0].at, (size_t)(strstr(text, "a.b") - text));
	cr_expect_eq(query.from_count, 2);
	cr_expect(query.from[0].is_optional);
	cr_expect(str_is(query.from[0].name, STR("X")));
	cr_expect_null(query.from[0].alias.bytes);
	cr_expect(!query.from[1].is_optional);
	cr_expect(str_is(query.from[1].alias, STR("W")));
	cr_expect_eq(query.from[1].at, (size_t)(strstr(text, "y.Z") - text));
	cr_expect_eq(query.where_count, 1);
	cr_expect(str_is(query.where[0].field, STR("c")));
	cr_expect(str_is(query.where[0].value, STR("d")));
	cr_expect_eq(query.where[0].at, (size_t)(strstr(text, "c =") - text));
	cr_expect_eq(query.group_count, 1);
	cr_expect_eq(query.group_by[0].at, (size_t)(strstr(text, "e ORDER") - text));
	cr_expect_eq(query.order_count, 2);
	cr_expect_eq(query.order_by[0].direction, ORDER_DESCENDING);
	cr_expect_eq(query.order_by[1].direction, ORDER_DEFAULT);
	cr_expect_eq(query.order_by[1].at, (size_t)(strstr(text, "g LIMIT") - text));
	cr_expect_eq(query.limit, 7);
	arena_clear(&arena);
}

Test(query, keeps_its_own_texts)
{
	char text[] = "COLUMN 'x' FORMAT none SELECT a AS b FROM X";
	struct arena arena = { 0 };
	struct query query;
	size_t at;

	cr_assert(query_parse(&query, str_of(text), &arena, &at, NULL));
	memset(text, '#', sizeof(text));
	cr_expect(str_is(query.columns[0], STR("x")));
	cr_expect(str_is(query.formats[0].text, STR("none")));
	cr_expect(str_is(query.select[0].field, STR("a")));
	cr_expect(str_is(query.select[0].alias, STR("b")));
	cr_expect(str_is(query.from[0].name, STR("X")));
	cr_expect_eq(query.limit, QUERY_NO_LIMIT);
	arena_clear(&arena);
}

/* As many items as there is room for. */
Test(query, has_a_longest_text)
{
	static const char head[] = "SELECT a", tail[] = " FROM X";
	size_t size = 64 << 10, at;
	size_t room = size - strlen(head) - strlen(tail);
	char *text = malloc(size + 1);
	struct arena arena = { 0 };
	struct err err = { 0 };
	struct query query;

	memset(text, ' ', size + 1);
	memcpy(text, head, strlen(head));
	for (size_t i = 0; i < room / 2; i++)
		memcpy(text + strlen(head) + 2 * i, ",a", 2);
	memcpy(text + strlen(head) + room, tail, strlen(tail));
	cr_assert(query_parse(&query, (struct str){ text, size }, &arena, &at, &err),
		  "%s", err.text);
	cr_expect_eq(query.select_count, 1 + room / 2);
	for (size_t i = 0; i < query.select_count; i++)
		cr_expect(str_is(query.select[i].field, STR("a")), "%zu", i);
	cr_expect(!query_parse(&query, (struct str){ text, size + 1 }, &arena, &at,
			       &err));
	cr_expect_str_eq(err.text, "a query of 65537 bytes is too long");
	arena_clear(&arena);
	free(text);
}

Test(query, survives_without_memory)
{
	static const char *const texts[] = {
		("COLUMN 'a', 'b' FORMAT none;none, missing:'x y' SELECT a, AVG(b) AS c "
		 "FROM X, Y WHERE d = 'e' GROUP BY f, g, h ORDER BY i LIMIT 5"),
		"SELECT a FROM X HAVIN",
		"SELECT AVGE(a) FROM X",
	};

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		bool is_refused = true;

		for (size_t n = 1; is_refused; n++) {
			struct arena arena = { 0 };
			struct err err = { 0 };
			struct query query;
			size_t at;
			bool is_read;

			fault_at(n);
			is_read = query_parse(&query, str_of(texts[i]), &arena, &at,
					      &err);
			is_refused = fault_happened();
			fault_at(0);
			cr_expect_eq(is_read, !is_refused && i == 0);
			cr_expect(is_read ||
				  err.kind == (is_refused ? ERR_MEMORY : ERR_USAGE));
			arena_clear(&arena);
		}
	}
}

/* The limit of the arena grows until the query can be read. */
Test(query, survives_a_full_arena)
{
	struct str text = STR(
		"COLUMN 'a', 'b', 'c' FORMAT none, missing:'x y', none SELECT "
		"a, AVG(b), c FROM X, Y WHERE d = 'e' AND f = 'g'z GROUP BY "
		"f, g, h ORDER BY i, j LIMIT 5");
	bool is_read = false;

	for (size_t limit = 1; !is_read; limit += 16) {
		struct arena arena = { .limit = limit };
		struct err err = { 0 };
		struct query query;
		size_t at;

		is_read = query_parse(&query, text, &arena, &at, &err);
		cr_expect_eq(err.kind, is_read ? ERR_NONE : ERR_MEMORY, "%s", err.text);
		arena_clear(&arena);
	}
}

Test(query, has_names_for_all_aggregators)
{
	for (int i = AGGREGATOR_NONE + 1; i < AGGREGATOR_COUNT_OF_KINDS; i++) {
		const struct aggregator_facts *words = &aggregator_facts[i];
		struct arena arena = { 0 };
		struct buf text = { 0 };
		struct query query;
		size_t at;

		buf_printf(&text, "SELECT %s(a) FROM X", words->name);
		cr_assert(query_parse(&query, (struct str){ text.bytes, text.size },
				      &arena, &at, NULL));
		cr_expect_eq((int)query.select[0].aggregator, i);
		cr_expect(words->long_name && words->before && words->after);
		buf_clear(&text);
		arena_clear(&arena);
	}
	cr_expect_str_eq(aggregator_facts[AGGREGATOR_DEVIATION].long_name,
			 "STANDARD_DEVIATION");
	cr_expect_str_eq(aggregator_facts[AGGREGATOR_P999].before, "P99.9 ");
	cr_expect_str_eq(aggregator_facts[AGGREGATOR_SET].after, "s");
}
