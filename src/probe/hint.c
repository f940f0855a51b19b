#include "probe/hint.h"

#include "base/map.h"
#include "base/siphash.h"
#include "classfile/classfile.h"
#include "probe/filters.h"

#define CLASSES_MAX 1000		/* of which the methods are looked at */
#define SIGNATURES_MAX 3		/* that are told */

/* What is known of a filter, while rules are tried on it. */
struct search {
	const struct methodfilter_item *item;
	const struct hint_known *known;
	struct buf *to;
	struct str tail;		/* as written, from :: on */
	size_t matched;			/* classes that it means */
	struct hint_methods methods;	/* of them */
};

static bool is_pattern(struct str name)
{
	return name.bytes && memchr(name.bytes, '*', name.size);
}

static bool has_dot(struct str name)
{
	return memchr(name.bytes, '.', name.size) != NULL;
}

/* What is in front of the last dot; nothing if there is none. */
static struct str package_of(struct str name)
{
	size_t simple = str_after_last(name, '.').size;

	return (struct str){ name.bytes, name.size > simple ? name.size - simple - 1 : 0 };
}

/* With `!`, `+` and `@` as it was written. */
static void suggest(struct search *search, struct str class_name, struct str tail)
{
	const struct methodfilter_item *item = search->item;

	buf_printf(search->to, "; did you mean %s%s%s%.*s%.*s?",
		   item->is_excluded ? "!" : "", item->has_subtypes ? "+" : "",
		   item->is_annotation ? "@" : "", (int)class_name.size,
		   class_name.bytes, (int)tail.size, tail.bytes ? tail.bytes : "");
}

static void say(struct search *search, const char *reason)
{
	buf_text(search->to, ": ");
	buf_text(search->to, reason);
}

/* Names -------------------------------------------------------------------------- */

typedef VEC(struct str) names;

/* False: a `!` takes nothing out of it, as no other filter means it. */
static bool is_of_others(const struct search *search, struct str class_name)
{
	const struct methodfilter *others = search->known->others;

	if (!search->item->is_excluded || !others)
		return true;
	for (size_t i = 0; i < others->items.count; i++) {
		const struct methodfilter_item *item = &others->items.items[i];

		if (!item->is_excluded &&
		    (item->is_annotation || item->has_subtypes ||
		     !item->class_name.bytes ||
		     methodfilter_matches(item->class_name, class_name)))
			return true;
	}
	return false;
}

/* The methods of all classes that are meant. Gives how many these are. */
static size_t methods_of(const struct search *search, struct str class_name,
			 struct hint_methods *to)
{
	const struct hint_known *known = search->known;
	size_t count = 0;

	for (size_t i = 0; i < known->class_count; i++) {
		if (class_name.bytes &&
		    !methodfilter_matches(class_name, known->classes[i]))
			continue;
		if (to && count < CLASSES_MAX &&
		    (class_name.bytes || is_of_others(search, known->classes[i])))
			known->add_methods(known->context, i, to);
		count++;
	}
	return count;
}

static bool has_method(const struct hint_methods *methods, struct str pattern)
{
	for (size_t i = 0; i < methods->of.count; i++) {
		if (methodfilter_matches(pattern, methods->of.items[i].name))
			return true;
	}
	return false;
}

/* "get" of "getName": a pattern is most often that of the first word. */
static struct str first_word(struct str name)
{
	size_t size = 0;

	while (size < name.size && !(name.bytes[size] >= 'A' && name.bytes[size] <= 'Z'))
		size++;
	return (struct str){ name.bytes, size };
}

/* Appends the method that is nearest to a name, or to one with a star at its end. */
static bool add_nearest_method(struct buf *to, const struct hint_methods *methods,
			       struct str name)
{
	bool is_front = name.size > 1 && name.bytes[name.size - 1] == '*';
	names all = { 0 };
	int at;

	name.size -= is_front;
	for (size_t i = 0; i < methods->of.count; i++) {
		struct str known = methods->of.items[i].name;

		if (!vec_push(&all, is_front ? first_word(known) : known))
			break;
	}
	at = is_pattern(name) ? -1 : str_nearest(name, all.items, all.count);
	if (at >= 0) {
		buf_str(to, all.items[at]);
		buf_text(to, is_front ? "*" : "");
	}
	vec_clear(&all);
	return at >= 0;
}

/* "C" of "a.b.C"; of "a.b.C$D" it may be "D". */
static bool is_simple(struct str name, struct str simple)
{
	name = str_after_last(name, '.');
	return str_is(name, simple) || str_is(str_after_last(name, '$'), simple);
}

/* Of those that have the name, in whichever package: the one that is nearest. */
static int find_simple(struct str name, const struct str *all, size_t count)
{
	int first = -1, nearest;
	names same = { 0 };

	for (size_t i = 0; i < count; i++) {
		if (!is_simple(all[i], str_after_last(name, '.')))
			continue;
		if (first < 0)
			first = (int)i;
		if (!vec_push(&same, all[i]))
			break;
	}
	nearest = str_nearest(name, same.items, same.count);
	for (size_t i = 0; nearest >= 0 && i < count; i++) {
		if (all[i].bytes == same.items[nearest].bytes)
			first = (int)i;
	}
	vec_clear(&same);
	return first;
}

/* Names that differ a little, and not only where they are: in which package, or class. */
static bool are_near(struct str name, struct str other)
{
	name = str_after_last(str_after_last(name, '.'), '$');
	other = str_after_last(str_after_last(other, '.'), '$');
	return str_nearest(name, &other, 1) == 0;
}

static int find_near(struct str name, const struct str *all, size_t count)
{
	names near = { 0 };
	int at = -1;

	for (size_t i = 0; i < count; i++) {
		if (str_is(package_of(all[i]), package_of(name)) &&
		    are_near(name, all[i]) &&
		    !vec_push(&near, str_after_last(all[i], '.')))
			break;
	}
	at = str_nearest(str_after_last(name, '.'), near.items, near.count);
	for (size_t i = 0; at >= 0 && i < count; i++) {
		if (str_after_last(all[i], '.').bytes == near.items[at].bytes) {
			vec_clear(&near);
			return (int)i;
		}
	}
	vec_clear(&near);
	at = str_nearest(name, all, count);
	return at >= 0 && are_near(name, all[at]) ? at : -1;
}

/* Rules: each says what it knows, and true if that is all -------------------------- */

static bool try_annotation(struct search *search)
{
	const struct hint_known *known = search->known;
	struct str name = search->item->class_name;
	int at = -1;

	if (!search->item->is_annotation)
		return false;
	for (size_t i = 0; i < known->annotation_count; i++) {
		if (methodfilter_matches(name, known->annotations[i])) {
			say(search, "no method or class that was loaded has it, or it is "
				    "not kept at run time");
			return true;
		}
	}
	if (!is_pattern(name)) {
		at = find_simple(name, known->annotations, known->annotation_count);
		if (at < 0)
			at = find_near(name, known->annotations,
				       known->annotation_count);
	}
	if (at >= 0)
		suggest(search, known->annotations[at], search->tail);
	else
		say(search, "no such annotation was seen that is kept at run time");
	return true;
}

/* "*" */
static bool try_stars(struct search *search)
{
	struct str name = search->item->class_name;

	if (!name.bytes || !str_is(name, STR("*")) || search->matched)
		return false;
	say(search, "* stands for a name without dots, ** for all");
	suggest(search, STR("**"), search->tail);
	return true;
}

static bool try_excluded(struct search *search)
{
	struct str name = search->item->class_name;

	if (!name.bytes || is_pattern(name) || !search->matched ||
	    !filters_is_excluded(name, search->item->method))
		return false;
	say(search, "it can have no probe (man cjfr-record, What has no probe)");
	return true;
}

/* A class that is there, of which no method is named. */
static bool try_class(struct search *search)
{
	const struct hint_known *known = search->known;
	const struct methodfilter_item *item = search->item;
	struct str name = item->class_name;

	if (!search->matched || item->method.bytes)
		return false;
	for (size_t i = 0; i < known->annotation_count; i++) {
		if (str_is(name, known->annotations[i])) {
			buf_printf(search->to, "; did you mean %s@%.*s?",
				   item->is_excluded ? "!" : "", (int)name.size,
				   name.bytes);
			return true;
		}
	}
	say(search, item->is_excluded ? "the others select nothing of it"
		    : is_pattern(name) ? "no class that it means has methods with code"
		    : item->has_subtypes
			    ? "neither it nor what is below it has methods with code"
			    : "it has no methods with code");
	return true;
}

/* "m(int), m(long) and 2 more" */
static void add_signatures(struct search *search)
{
	size_t count = 0;

	say(search, "there is ");
	for (size_t i = 0; i < search->methods.of.count; i++) {
		const struct hint_method *method = &search->methods.of.items[i];

		if (!methodfilter_matches(search->item->method, method->name) ||
		    count++ >= SIGNATURES_MAX)
			continue;
		buf_printf(search->to, "%s%.*s(%.*s)", count > 1 ? ", " : "",
			   (int)method->name.size, method->name.bytes,
			   (int)method->parameters.size,
			   method->parameters.size ? method->parameters.bytes : "");
	}
	if (count > SIGNATURES_MAX)
		buf_printf(search->to, " and %zu more", count - SIGNATURES_MAX);
}

/* What those that the filter means have in common. False: it means none. */
static bool read_access(const struct search *search, uint16_t *common)
{
	const struct methodfilter_item *item = search->item;
	bool is_one = false;

	for (size_t i = 0; i < search->methods.of.count; i++) {
		const struct hint_method *method = &search->methods.of.items[i];
		struct methodfilter_item alone = {
			.method = item->method, .parameters = item->parameters,
			.is_excluded = true,
		};
		struct methodfilter_method of = {
			.method = method->name, .parameters = method->parameters,
		};

		if (!methodfilter_item_accepts(&alone, &of, NULL, NULL))
			continue;
		*common = is_one ? *common & method->access : method->access;
		is_one = true;
	}
	return is_one;
}

/* It is there. */
static void say_of_method(struct search *search)
{
	static const struct {
		uint16_t access;
		const char *reason;
	} reasons[] = {
		{ ACCESS_NATIVE, "it is native, and has no code" },
		{ ACCESS_ABSTRACT, "it is abstract, and has no code" },
		{ ACCESS_BRIDGE, "it is the compiler's bridge, which its parameters or a * "
				 "select" },
	};
	const struct methodfilter_item *item = search->item;
	uint16_t access;

	if (!read_access(search, &access)) {
		add_signatures(search);
		return;
	}
	for (size_t i = 0; i < sizeof(reasons) / sizeof(reasons[0]); i++) {
		if (!(access & reasons[i].access))
			continue;
		say(search, reasons[i].reason);
		if (access & ACCESS_ABSTRACT && item->class_name.bytes &&
		    !item->has_subtypes && !item->is_excluded)
			buf_printf(search->to, "; did you mean +%.*s?",
				   (int)item->text.size, item->text.bytes);
		return;
	}
	say(search, item->is_excluded ? "the others do not select it"
				      : "it can have no probe");
}

/* "C::C" */
static bool add_constructor(struct buf *to, const struct methodfilter_item *item)
{
	struct str simple = str_after_last(str_after_last(item->class_name, '.'), '$');

	if (!simple.size || !str_is(simple, item->method))
		return false;
	buf_text(to, "<init>");
	return true;
}

/* The class is there, or several are. */
static bool try_method(struct search *search)
{
	const struct methodfilter_item *item = search->item;
	struct str name = item->method;
	struct buf tail = { 0 };

	if (!name.bytes || (item->class_name.bytes && !search->matched))
		return false;
	buf_text(&tail, "::");
	if (has_method(&search->methods, name)) {
		say_of_method(search);
	} else if (add_constructor(&tail, item) ||
		   add_nearest_method(&tail, &search->methods, name)) {
		size_t before = 2 + name.size;

		if (search->tail.size > before)
			buf_add(&tail, search->tail.bytes + before,
				search->tail.size - before);
		suggest(search, item->class_name.bytes ? item->class_name : STR(""),
			buf_as_str(&tail));
	} else {
		say(search, !item->class_name.bytes || is_pattern(item->class_name)
				    ? "no class that it means has such a method"
				    : "that class has no such method");
	}
	buf_clear(&tail);
	return true;
}

/* "a.b.Outer.Inner" */
static bool try_nested(struct search *search)
{
	struct str name = search->item->class_name;
	struct buf copy = { 0 };
	bool is_found = false;

	if (is_pattern(name))
		return false;
	buf_str(&copy, name);
	for (size_t at = copy.size; at > 0 && !copy.failed && !is_found; at--) {
		if (copy.bytes[at - 1] != '.')
			continue;
		copy.bytes[at - 1] = '$';
		is_found = methods_of(search, buf_as_str(&copy), NULL) > 0;
	}
	if (is_found)
		suggest(search, buf_as_str(&copy), search->tail);
	buf_clear(&copy);
	return is_found;
}

/* The full name of a class without its package; the name itself if it is there. */
static struct str full_name(const struct search *search, struct str name)
{
	int at = -1;

	if (methods_of(search, name, NULL))
		return name;
	if (!has_dot(name))
		at = find_simple(name, search->known->classes,
				 search->known->class_count);
	return at < 0 ? (struct str){ NULL, 0 } : search->known->classes[at];
}

/* "a.b.C.m" */
static bool try_dot(struct search *search)
{
	struct str name = search->item->class_name;
	struct str method = str_after_last(name, '.'), class_name;
	struct hint_methods methods = { 0 };
	struct buf tail = { 0 };
	bool is_one = false;

	if (search->item->method.bytes || !has_dot(name) || *method.bytes == '*')
		return false;
	class_name = full_name(search, package_of(name));
	if (class_name.bytes) {
		methods_of(search, class_name, &methods);
		buf_text(&tail, "::");
		is_one = has_method(&methods, method);
		if (is_one)
			buf_str(&tail, method);
		else
			is_one = add_nearest_method(&tail, &methods, method);
	}
	if (is_one)
		suggest(search, class_name, buf_as_str(&tail));
	vec_clear(&methods.of);
	buf_clear(&tail);
	return is_one;
}

static bool suggest_package(struct search *search, struct str package, struct str rest)
{
	struct buf text = { 0 };
	bool is_one;

	buf_str(&text, package);
	buf_str(&text, rest);
	is_one = methods_of(search, buf_as_str(&text), NULL) > 0;
	if (is_one)
		suggest(search, buf_as_str(&text), search->tail);
	buf_clear(&text);
	return is_one;
}

/* "a.b" */
static bool try_package(struct search *search)
{
	struct str name = search->item->class_name;

	return !is_pattern(name) && (suggest_package(search, name, STR(".*")) ||
				     suggest_package(search, name, STR(".**")));
}

/* The name of which a pattern means the members: "a.b" of "a.b.*". */
static struct str front_of(struct str name)
{
	size_t size = name.size;

	while (size && name.bytes[size - 1] == '*')
		size--;
	return (struct str){ name.bytes,
			     size && size < name.size && name.bytes[size - 1] == '.'
				     ? size - 1 : 0 };
}

/* Each once, with those above it. */
static void add_packages(const struct hint_known *known, names *to)
{
	static const struct siphash_key key;
	struct map seen = { 0 };

	for (size_t i = 0; i < known->class_count; i++) {
		struct str at = package_of(known->classes[i]);

		for (; at.size; at = package_of(at)) {
			uint64_t number = siphash(&key, at.bytes, at.size);

			if (map_find(&seen, number) != MAP_NONE ||
			    !map_put(&seen, number, 0) || !vec_push(to, at))
				break;
		}
	}
	map_clear(&seen);
}

/* "a.c.*" */
static bool try_other_package(struct search *search)
{
	struct str name = search->item->class_name, front = front_of(name);
	const struct hint_known *known = search->known;
	struct str rest = { name.bytes + front.size, name.size - front.size };
	names packages = { 0 };
	bool is_one = false;
	int at;

	if (!front.size || is_pattern(front))
		return false;
	if (methods_of(search, front, NULL)) {
		suggest(search, front, search->tail);
		return true;
	}
	add_packages(known, &packages);
	at = str_nearest(front, packages.items, packages.count);
	if (at >= 0)
		is_one = suggest_package(search, packages.items[at], rest) ||
			 suggest_package(search, packages.items[at], STR(".**"));
	vec_clear(&packages);
	return is_one;
}

/* "C", or "C*" */
static bool try_simple(struct search *search)
{
	const struct hint_known *known = search->known;
	struct str name = search->item->class_name;
	int at;

	if (is_pattern(name))
		return !has_dot(name) && suggest_package(search, STR("**."), name);
	at = find_simple(name, known->classes, known->class_count);
	if (at >= 0)
		suggest(search, known->classes[at], search->tail);
	return at >= 0;
}

static bool try_near(struct search *search)
{
	const struct hint_known *known = search->known;
	struct str name = search->item->class_name;
	int at = is_pattern(name) ? -1
				  : find_near(name, known->classes, known->class_count);

	if (at >= 0)
		suggest(search, known->classes[at], search->tail);
	return at >= 0;
}

static bool try_nothing(struct search *search)
{
	say(search, "no such class was loaded");
	return true;
}

void hint_add(struct buf *to, const struct methodfilter_item *item,
	      const struct hint_known *known)
{
	static bool (*const rules[])(struct search *) = {
		try_annotation, try_stars, try_excluded, try_class, try_method,
		/* There is no such class. */
		try_nested, try_dot, try_package, try_other_package, try_simple,
		try_near, try_nothing,
	};
	struct search search = { .item = item, .known = known, .to = to };
	size_t front = (size_t)item->is_excluded + item->has_subtypes +
		       item->class_name.size;

	if (item->method.bytes)
		search.tail = (struct str){ item->text.bytes + front,
					    item->text.size - front };
	if (!item->is_annotation)
		search.matched = methods_of(&search, item->class_name,
					    item->method.bytes ? &search.methods : NULL);
	for (size_t i = 0; !rules[i](&search); i++)
		;
	vec_clear(&search.methods.of);
}
