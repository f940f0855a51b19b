#include <criterion/criterion.h>

#include "fault.h"
#include "jfc/node.h"

static struct arena arena;

static struct node *add(struct node *parent, const char *name)
{
	struct node *node = node_add(parent, str_of(name), &arena);

	cr_assert_not_null(node);
	return node;
}

static void set(struct node *node, const char *name, const char *value)
{
	cr_assert(node_set(node, str_of(name), str_of(value), &arena));
}

/* A root that lacks nothing. */
static struct node *root(void)
{
	struct node *node = node_new(NODE_CONFIGURATION, &arena);

	cr_assert_not_null(node);
	set(node, "version", "2.0");
	set(node, "label", "Test");
	return node;
}

static void expect_good(const struct node *node)
{
	struct err err = { 0 };

	cr_expect(node_check(node, &err), "%s", err.text);
}

static void expect_bad(const struct node *node, const char *why)
{
	struct err err = { 0 };

	cr_expect(!node_check(node, &err));
	cr_expect_eq(err.kind, ERR_FORMAT);
	cr_expect_str_eq(err.text, why);
}

Test(node, is_known_by_its_name_and_place)
{
	struct node *top = root();
	struct node *event = add(top, "EVENT"), *other = add(top, "Other");

	cr_expect_eq(event->kind, NODE_EVENT);
	cr_expect(str_is(event->name, STR("event")));
	cr_expect_eq(event->parent, top);
	cr_expect_eq(add(event, "Setting")->kind, NODE_SETTING);
	cr_expect_eq(add(event, "event")->kind, NODE_UNKNOWN);
	cr_expect_eq(other->kind, NODE_UNKNOWN);
	cr_expect(str_is(other->name, STR("Other")));
	cr_expect_eq(add(other, "setting")->kind, NODE_UNKNOWN);
	cr_expect_eq(add(top, "setting")->kind, NODE_UNKNOWN);
	cr_expect_eq(add(top, "")->kind, NODE_UNKNOWN);
	arena_clear(&arena);
}

Test(node, keeps_attributes_in_their_order)
{
	struct node *node = root();

	set(node, "b", "1");
	set(node, "a", "2");
	set(node, "b", "3");
	set(node, "", "");
	cr_expect(str_is(node_get(node, STR("b")), STR("3")));
	cr_expect(str_is(node_get(node, STR("a")), STR("2")));
	cr_expect(str_is(node_get(node, STR("")), STR("")));
	cr_expect_not_null(node_get(node, STR("")).bytes);
	cr_expect_null(node_get(node, STR("B")).bytes);
	cr_expect(str_is(node->attributes->next->next->name, STR("b")));
	cr_expect(str_is(node->attributes->next->next->next->name, STR("a")));
	arena_clear(&arena);
}

Test(node, copies_what_it_is_given)
{
	char name[] = "name", value[] = "value", kind[] = "kind";
	struct node *node = node_add(root(), str_of(kind), &arena);

	set(node, name, value);
	name[0] = value[0] = kind[0] = 'x';
	cr_expect(str_is(node->name, STR("kind")));
	cr_expect(str_is(node_get(node, STR("name")), STR("value")));
	arena_clear(&arena);
}

Test(node, has_children_of_several_kinds)
{
	struct node *top = root();
	struct node *one = add(top, "event"), *two = add(top, "x"),
		    *three = add(top, "control");
	const unsigned known = NODE_BIT(NODE_EVENT) | NODE_BIT(NODE_CONTROL);

	cr_expect_eq(node_child(top, known), one);
	cr_expect_eq(node_next(one, known), three);
	cr_expect_null(node_next(three, known));
	cr_expect_eq(node_child(top, NODE_BIT(NODE_UNKNOWN)), two);
	cr_expect_null(node_child(top, NODE_BIT(NODE_TEST)));
	cr_expect_null(node_child(top, 0));
	arena_clear(&arena);
}

Test(node, moves_children)
{
	struct node *to = root(), *from = root(), *none = root();
	struct node *one = add(to, "event"), *two = add(from, "event");

	add(from, "event");
	node_move(to, none);
	node_move(to, from);
	cr_expect_eq(to->first, one);
	cr_expect_eq(one->next, two);
	cr_expect_eq(two->parent, to);
	cr_expect_eq(to->last, two->next);
	cr_expect_null(from->first);
	cr_expect_null(from->last);
	arena_clear(&arena);
}

Test(node, must_have_attributes)
{
	struct node *top = node_new(NODE_CONFIGURATION, &arena), *event;

	top->line = 3;
	expect_bad(top, "line 3: <configuration> has no attribute 'version'");
	set(top, "version", "");
	expect_bad(top, "line 3: <configuration> has no attribute 'label'");
	set(top, "label", "");
	expect_bad(top, "line 3: the version must be 2.0, but is ''");
	set(top, "version", "2.0");
	expect_good(top);
	event = add(top, "event");
	event->line = 7;
	expect_bad(top, "line 7: <event> has no attribute 'name'");
	set(event, "name", "a");
	expect_good(top);
	add(add(event, "unknown"), "setting");
	expect_good(top);
	arena_clear(&arena);
}

Test(node, must_have_options)
{
	struct node *top = root();
	struct node *selection = add(add(top, "control"), "selection"), *option;

	set(selection, "name", "a");
	set(selection, "label", "A");
	expect_bad(top, "line 0: <selection> has no attribute 'default'");
	set(selection, "default", "x");
	expect_bad(top, "line 0: <selection> has no <option>");
	option = add(selection, "option");
	set(option, "label", "X");
	expect_bad(top, "line 0: <option> has no attribute 'name'");
	set(option, "name", "y");
	expect_good(top);
	arena_clear(&arena);
}

static struct node *test(struct node *parent)
{
	struct node *node = add(parent, "test");

	set(node, "name", "n");
	set(node, "operator", "equal");
	set(node, "value", "v");
	return node;
}

Test(node, must_have_so_many_expressions)
{
	struct node *top = root();
	struct node *condition = add(add(top, "control"), "condition"), * or, *not,
		    *leaf;

	set(condition, "name", "c");
	expect_good(top);
	or = add(condition, "or");
	expect_bad(top, "line 0: <or> must have two expressions in it or more");
	test(or);
	expect_bad(top, "line 0: <or> must have two expressions in it or more");
	not = add(or, "not");
	expect_bad(top, "line 0: <not> must have one expression in it");
	leaf = test(not);
	expect_good(top);
	set(leaf, "operator", "EQUAL");
	expect_good(top);
	set(leaf, "operator", "equals");
	expect_bad(top,
		   "line 0: the operator of <test> must be 'equal', but is 'equals'");
	set(leaf, "operator", "Equal");
	test(not);
	expect_bad(top, "line 0: <not> must have one expression in it");
	arena_clear(&arena);
}

Test(node, must_not_have_too_many_expressions)
{
	struct node *top = root();
	struct node *condition = add(add(top, "control"), "condition"), *leaf;

	set(condition, "name", "c");
	leaf = test(condition);
	expect_good(top);
	add(leaf, "other");
	expect_good(top);
	test(leaf);
	expect_bad(top, "line 0: <test> cannot have expressions in it");
	leaf->first = NULL;
	test(condition);
	expect_bad(top,
		   "line 0: <condition> cannot have more than one expression in it");
	arena_clear(&arena);
}

Test(node, is_an_entity_or_not)
{
	struct node *top = root();
	struct node *event = add(top, "event");

	cr_expect(node_is_entity(top) && node_is_entity(event));
	cr_expect(node_is_entity(add(event, "unknown")));
	cr_expect(!node_is_entity(add(event, "setting")));
	arena_clear(&arena);
}

Test(node, needs_memory)
{
	bool is_good = false;

	for (size_t n = 1; !is_good; n++) {
		struct arena small = { 0 };
		struct node *node, *child = NULL;

		fault_at(n);
		node = node_new(NODE_CONFIGURATION, &small);
		if (node)
			child = node_add(node, STR("something"), &small);
		is_good = child && node_set(child, STR("a"), STR("b"), &small);
		cr_expect_eq(is_good, !fault_happened());
		fault_at(0);
		arena_clear(&small);
	}
}

/* An arena's limit stands for any lack of memory, at any place. */
Test(node, changes_nothing_without_memory)
{
	for (size_t limit = 16; limit < 600; limit += 16) {
		struct arena small = { .limit = limit };
		struct node *node = node_new(NODE_CONFIGURATION, &small), *child;

		child = node ? node_add(node, STR("something"), &small) : NULL;
		if (child && !node_set(child, STR("a"), STR("b"), &small))
			cr_expect_null(node_get(child, STR("a")).bytes);
		if (node && !child)
			cr_expect_null(node->first);
		arena_clear(&small);
	}
}
