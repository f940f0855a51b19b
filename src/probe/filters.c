#include "probe/filters.h"

#include <string.h>

#include "base/utf.h"

/* What can have no probe ---------------------------------------------------------- */

/* Patterns; class names have dots here, as in filters. */
static const struct {
	struct str class_name;
	struct str method;		/* bytes NULL: all */
} excluded[] = {
	/* The probes, and what they call. */
	{ STR("java.lang.CjfrRuntime"), { 0 } },
	{ STR("sun.misc.Unsafe"), { 0 } },
	{ STR("jdk.internal.misc.Unsafe*"), { 0 } },
	/* Made by the JVM and its libraries as they run, and maybe shared in an archive. */
	{ STR("java.lang.invoke.LambdaForm$*"), { 0 } },
	{ STR("**$$Lambda*"), { 0 } },
	/*
	 * What runs while a virtual thread comes to its carrier, or leaves it: the JVM
	 * walks no stack there, and who asks for one waits for himself.
	 */
	{ STR("java.lang.VirtualThread*"), { 0 } },
	{ STR("java.lang.BaseVirtualThread"), { 0 } },
	{ STR("jdk.internal.vm.Continuation*"), { 0 } },
	{ STR("jdk.internal.vm.StackChunk"), { 0 } },
	{ STR("java.lang.System$*"), { 0 } },
	{ STR("java.lang.Thread"), STR("currentCarrierThread") },
	{ STR("java.lang.Thread"), STR("setCurrentThread") },
	{ STR("java.lang.Thread"), STR("setInterrupt") },
	{ STR("java.lang.Thread"), STR("clearInterrupt") },
	{ STR("java.lang.Thread"), STR("isInterrupted") },
	{ STR("java.lang.Thread"), STR("interrupted") },
	{ STR("java.lang.Thread"), STR("getAndClearInterrupt") },
	{ STR("java.lang.Thread"), STR("*ontinuation") },
	{ STR("java.lang.Thread"), STR("*copedValue*") },
};

#define EXCLUDED (sizeof(excluded) / sizeof(excluded[0]))

bool filters_is_excluded(struct str class_name, struct str method)
{
	for (size_t i = 0; i < EXCLUDED; i++) {
		struct str name = excluded[i].method;

		if (!methodfilter_matches(excluded[i].class_name, class_name))
			continue;
		if (!name.bytes ||
		    (method.bytes && methodfilter_matches(name, method)))
			return true;
	}
	return false;
}

/* Every object's making comes by there: it has a probe if somebody means just that. */
static bool is_for_all_objects(const struct methodfilter_item *item,
			       const struct methodfilter_method *method)
{
	static const struct str object = STR("java.lang.Object");

	return str_is(method->method, STR("<init>")) &&
	       methodfilter_matches(object, method->class_name) && !item->is_excluded &&
	       !(item->class_name.bytes && str_is(item->class_name, object));
}

/* Filters ------------------------------------------------------------------------- */

static bool fail(struct err *err, const struct methodfilter_fault *fault)
{
	if (!fault->reason)
		return err_memory(err);
	return err_set(err, ERR_USAGE, "the filter '%.*s' is wrong: %s",
		       (int)str_front(fault->item, 100).size, fault->item.bytes,
		       fault->reason);
}

bool filters_add(struct filters *filters, unsigned kind, struct str text,
		 struct err *err)
{
	struct filters_of_kind *of = &filters->of[filters->count];
	struct methodfilter_fault fault;

	if (filters->count == FILTERS_KINDS_MAX)
		return err_set(err, ERR_USAGE, "too many kinds of probes");
	*of = (struct filters_of_kind){ .kind = kind };
	if (methodfilter_read(&of->filter, text, METHODFILTER_OURS, &fault)) {
		of->hits = calloc(of->filter.items.count + 1, sizeof(*of->hits));
		of->lost = calloc(of->filter.items.count + 1, sizeof(*of->lost));
		if (of->hits && of->lost) {
			filters->count++;
			return true;
		}
		free(of->hits);
		free(of->lost);
	}
	methodfilter_clear(&of->filter);
	return fail(err, &fault);
}

void filters_clear(struct filters *filters)
{
	for (size_t i = 0; i < filters->count; i++) {
		methodfilter_clear(&filters->of[i].filter);
		free(filters->of[i].hits);
		free(filters->of[i].lost);
	}
	*filters = (struct filters){ 0 };
}

/* Calls `has` for each item that selects, until that is true. */
typedef bool item_has(const struct methodfilter_item *item, void *context);

static bool any_item(const struct filters *filters, item_has *has, void *context)
{
	for (size_t i = 0; i < filters->count; i++) {
		const struct methodfilter *filter = &filters->of[i].filter;

		for (size_t k = 0; k < filter->items.count; k++) {
			const struct methodfilter_item *item = &filter->items.items[k];

			if (!item->is_excluded && has(item, context))
				return true;
		}
	}
	return false;
}

static bool is_any(const struct methodfilter_item *item, void *context)
{
	(void)item, (void)context;
	return true;
}

bool filters_is_empty(const struct filters *filters)
{
	return !any_item(filters, is_any, NULL);
}

static bool has_subtypes(const struct methodfilter_item *item, void *context)
{
	(void)context;
	return item->has_subtypes;
}

bool filters_has_subtypes(const struct filters *filters)
{
	return any_item(filters, has_subtypes, NULL);
}

bool filters_wait(const struct filters *filters)
{
	for (size_t i = 0; i < filters->count; i++) {
		const struct methodfilter *filter = &filters->of[i].filter;

		for (size_t k = 0; k < filter->items.count; k++) {
			if (filter->items.items[k].is_excluded &&
			    filter->items.items[k].has_subtypes)
				return true;
		}
	}
	return false;
}

/* Classes, at first sight --------------------------------------------------------- */

/* As it is: not a pattern, and the same in UTF-8 and in class files. */
static bool is_plain(struct str name)
{
	for (size_t i = 0; i < name.size; i++) {
		if (name.bytes[i] == '*' || (uint8_t)name.bytes[i] >= 0xf0)
			return false;
	}
	return true;
}

static bool may_have_text(const struct filters_class *type, struct str text)
{
	return !text.bytes || !type->texts || !is_plain(text) ||
	       memmem(type->texts, type->size, text.bytes, text.size);
}

/* Its descriptor has slashes: the longest piece between dots is looked for. */
static bool may_have_annotation(const struct filters_class *type, struct str name)
{
	struct str longest = { "", 0 }, piece;

	if (!is_plain(name))
		return true;
	while (str_split(&name, '.', &piece)) {
		if (piece.size >= longest.size)
			longest = piece;
	}
	return may_have_text(type, longest);
}

static bool may_select(const struct methodfilter_item *item, void *context)
{
	const struct filters_class *type = context;

	if (item->is_annotation)
		return may_have_annotation(type, item->class_name);
	if (!may_have_text(type, item->method))
		return false;
	return !item->class_name.bytes ||
	       !utf_is_ascii(type->name.bytes, type->name.size) ||
	       methodfilter_matches(item->class_name, type->name) ||
	       (item->has_subtypes && type->is_below &&
		type->is_below(type->context, item->class_name));
}

bool filters_may_have(const struct filters *filters, const struct filters_class *type)
{
	return !filters_is_excluded(type->name, (struct str){ NULL, 0 }) &&
	       any_item(filters, may_select, (void *)type);
}

static bool means_above(const struct methodfilter_item *item, void *context)
{
	const struct filters_class *type = context;

	return item->has_subtypes && type->is_below &&
	       !methodfilter_matches(item->class_name, type->name) &&
	       type->is_below(type->context, item->class_name);
}

bool filters_mean_above(const struct filters *filters, const struct filters_class *type)
{
	return !filters_is_excluded(type->name, (struct str){ NULL, 0 }) &&
	       any_item(filters, means_above, (void *)type);
}

static bool names_class(const struct methodfilter_item *item, struct str class_name)
{
	return !item->is_annotation && item->class_name.bytes &&
	       !memchr(item->class_name.bytes, '*', item->class_name.size) &&
	       methodfilter_matches(item->class_name, class_name);
}

static bool names_it(const struct methodfilter_item *item, void *context)
{
	return names_class(item, *(const struct str *)context);
}

bool filters_name_in_vain(const struct filters *filters, struct str class_name)
{
	return filters_is_excluded(class_name, (struct str){ NULL, 0 }) &&
	       any_item(filters, names_it, &class_name);
}

/* Methods ------------------------------------------------------------------------- */

/* The names of a method as filters have them; made anew only where they differ. */
struct names {
	struct buf class_name, name, parameters;
	struct methodfilter_method of;
};

static struct str in_utf8(struct str name, struct buf *room)
{
	if (utf_is_ascii(name.bytes, name.size))
		return name;
	utf_add_modified(room, name);
	return buf_as_str(room);
}

static const char *primitive(char code)
{
	static const struct { char code; const char *name; } all[] = {
		{ 'Z', "boolean" }, { 'B', "byte" }, { 'C', "char" }, { 'S', "short" },
		{ 'I', "int" }, { 'J', "long" }, { 'F', "float" }, { 'D', "double" },
	};

	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
		if (all[i].code == code)
			return all[i].name;
	}
	return NULL;
}

/* Takes the next type off the front of a descriptor; false at its end, or in rubbish. */
static bool add_type(struct buf *to, struct str *rest)
{
	const char *end = rest->bytes + rest->size, *at = rest->bytes, *after = NULL;
	size_t arrays = 0, first = to->size;

	for (; at < end && *at == '['; at++)
		arrays++;
	if (at == end)
		return false;
	if (*at == 'L') {
		after = memchr(at, ';', (size_t)(end - at));
		if (after)
			utf_add_modified(to, (struct str){ at + 1,
							   (size_t)(after - at - 1) });
	} else if (primitive(*at)) {
		buf_text(to, primitive(*at));
		after = at;
	}
	if (!after)
		return false;
	for (size_t i = first; i < to->size; i++) {
		if (to->bytes[i] == '/')
			to->bytes[i] = '.';
	}
	while (arrays--)
		buf_text(to, "[]");
	*rest = (struct str){ after + 1, (size_t)(end - after - 1) };
	return true;
}

/* "(Ljava/lang/String;[I)V": "java.lang.String,int[]". */
struct str filters_parameters(struct str descriptor, struct buf *room)
{
	struct str rest = descriptor;
	const char *end = memchr(rest.bytes, ')', rest.size);

	if (!end || *rest.bytes != '(')
		return (struct str){ NULL, 0 };
	rest = (struct str){ rest.bytes + 1, (size_t)(end - rest.bytes - 1) };
	while (rest.size && add_type(room, &rest)) {
		if (rest.size)
			buf_byte(room, ',');
	}
	return rest.size ? (struct str){ NULL, 0 } : buf_as_str(room);
}

static bool names_read(struct names *names, const struct filters_asked *asked)
{
	const struct classfile_method *method = asked->method;

	*names = (struct names){ 0 };
	names->of = (struct methodfilter_method){
		.class_name = in_utf8(asked->file->name, &names->class_name),
		.method = in_utf8(method->name, &names->name),
		.parameters = filters_parameters(method->descriptor, &names->parameters),
		.is_synthetic = method->access & ACCESS_SYNTHETIC,
		.is_bridge = method->access & ACCESS_BRIDGE,
	};
	return !names->class_name.failed && !names->name.failed &&
	       !names->parameters.failed;
}

static void names_clear(struct names *names)
{
	buf_clear(&names->class_name);
	buf_clear(&names->name);
	buf_clear(&names->parameters);
}

struct search {
	struct str pattern;
	bool is_found;
};

static bool is_annotation(void *context, struct str descriptor)
{
	struct search *search = context;
	struct buf room = { 0 };
	struct str name = descriptor;

	if (name.size < 2 || *name.bytes != 'L')
		return true;
	name = in_utf8((struct str){ name.bytes + 1, name.size - 2 }, &room);
	search->is_found = methodfilter_matches(search->pattern, name);
	buf_clear(&room);
	return !search->is_found;
}

static bool is_kind(void *context, const struct methodfilter_item *item,
		    const struct methodfilter_method *method)
{
	const struct filters_asked *asked = context;
	struct search search = { .pattern = item->class_name };

	(void)method;
	if (!item->is_annotation)
		return asked->is_below && asked->is_below(asked->context,
							  item->class_name);
	classfile_annotations(asked->file, asked->method->annotations, is_annotation,
			      &search);
	if (!search.is_found)
		classfile_annotations(asked->file, asked->file->annotations,
				      is_annotation, &search);
	return search.is_found;
}

static bool selects(const struct methodfilter_item *item, const struct names *names,
		    const struct filters_asked *asked)
{
	return !is_for_all_objects(item, &names->of) &&
	       methodfilter_item_accepts(item, &names->of, is_kind, (void *)asked);
}

/* Items that exclude win. */
static void add_kind(struct filters_kinds *kinds, const struct filters_of_kind *of,
		     const struct names *names, const struct filters_asked *asked)
{
	bool is_selected = false, is_taken = false;

	for (size_t i = 0; i < of->filter.items.count; i++) {
		const struct methodfilter_item *item = &of->filter.items.items[i];
		bool *is = item->is_excluded ? &is_taken : &is_selected;

		*is = *is || selects(item, names, asked);
	}
	if (is_selected)
		*(is_taken ? &kinds->taken : &kinds->selected) |= of->kind;
}

bool filters_of(const struct filters *filters, const struct filters_asked *asked,
		struct filters_kinds *kinds)
{
	struct names names;
	bool is_good;

	*kinds = (struct filters_kinds){ 0 };
	if (asked->method->code.size == 0 ||
	    filters_is_excluded(asked->file->name, asked->method->name))
		return true;
	is_good = names_read(&names, asked);
	for (size_t i = 0; is_good && i < filters->count; i++)
		add_kind(kinds, &filters->of[i], &names, asked);
	names_clear(&names);
	return is_good;
}

/* +a.b.C::m of an abstract method means what is below. */
static bool asks_in_vain(const struct filters_of_kind *of, const struct names *names,
			 const struct filters_asked *asked, int why)
{
	struct filters_kinds kinds = { 0 };

	add_kind(&kinds, of, names, asked);
	for (size_t i = 0; kinds.selected && i < of->filter.items.count; i++) {
		const struct methodfilter_item *item = &of->filter.items.items[i];

		if (!item->is_excluded && names_class(item, names->of.class_name) &&
		    !(item->has_subtypes && why == OUTCOME_ABSTRACT) &&
		    selects(item, names, asked))
			return true;
	}
	return false;
}

unsigned filters_in_vain(const struct filters *filters, const struct filters_asked *asked,
			 int *why)
{
	struct names names;
	unsigned kinds = 0;
	bool is_good;

	if (filters_is_excluded(asked->file->name, asked->method->name))
		*why = OUTCOME_EXCLUDED;
	else if (asked->method->access & (ACCESS_NATIVE | ACCESS_ABSTRACT))
		*why = asked->method->access & ACCESS_NATIVE ? OUTCOME_NATIVE
							      : OUTCOME_ABSTRACT;
	else
		return 0;
	is_good = names_read(&names, asked);
	for (size_t i = 0; is_good && i < filters->count; i++) {
		if (asks_in_vain(&filters->of[i], &names, asked, *why))
			kinds |= filters->of[i].kind;
	}
	names_clear(&names);
	return kinds;
}

static void hit(struct filters_of_kind *of, const struct names *names,
		const struct filters_asked *asked, struct filters_kinds news)
{
	bool is_taken = of->kind & news.taken;

	for (size_t i = 0; i < of->filter.items.count; i++) {
		const struct methodfilter_item *item = &of->filter.items.items[i];

		if ((item->is_excluded && !is_taken) || !selects(item, names, asked))
			continue;
		atomic_fetch_add(is_taken && !item->is_excluded ? &of->lost[i]
								: &of->hits[i], 1);
	}
}

void filters_hit(struct filters *filters, const struct filters_asked *asked,
		 struct filters_kinds news)
{
	struct names names;
	bool is_good = names_read(&names, asked);

	for (size_t i = 0; is_good && i < filters->count; i++) {
		if (filters->of[i].kind & (news.selected | news.taken))
			hit(&filters->of[i], &names, asked, news);
	}
	names_clear(&names);
}

/* What came of them ---------------------------------------------------------------- */

bool filters_seek_annotations(const struct filters *filters)
{
	for (size_t i = 0; i < filters->count; i++) {
		const struct filters_of_kind *of = &filters->of[i];

		for (size_t k = 0; k < of->filter.items.count; k++) {
			if (of->filter.items.items[k].is_annotation &&
			    atomic_load(&of->hits[k]) == 0)
				return true;
		}
	}
	return false;
}

bool filters_have_selected(const struct filters *filters)
{
	for (size_t i = 0; i < filters->count; i++) {
		const struct filters_of_kind *of = &filters->of[i];

		for (size_t k = 0; k < of->filter.items.count; k++) {
			if (!of->filter.items.items[k].is_excluded &&
			    atomic_load(&of->hits[k]))
				return true;
		}
	}
	return false;
}

/* True if there was something to take out, or to leave. */
static bool has_hits(const struct filters_of_kind *of)
{
	for (size_t i = 0; i < of->filter.items.count; i++) {
		if (atomic_load(&of->hits[i]))
			return true;
	}
	return false;
}

void filters_unmatched(const struct filters *filters, filters_told *told, void *context)
{
	for (size_t i = 0; i < filters->count; i++) {
		const struct filters_of_kind *of = &filters->of[i];
		bool had_some = has_hits(of);

		for (size_t k = 0; k < of->filter.items.count; k++) {
			struct filters_unmatched unmatched = {
				of->kind, &of->filter, &of->filter.items.items[k],
				atomic_load(&of->lost[k]) > 0
			};

			if (atomic_load(&of->hits[k]) == 0 &&
			    (had_some || !unmatched.item->is_excluded))
				told(context, &unmatched);
		}
	}
}
