/*
 * ndjson.h - pieces of an NDJSON event, for other formats that have them inside.
 *
 * cjfr-format(5) describes them. None contains a line break.
 */
#ifndef RENDER_NDJSON_H
#define RENDER_NDJSON_H

#include "render/pen.h"

/* Of what cjfr-format(5) says, the version that is written. */
#define NDJSON_VERSION "1"

void ndjson_label(struct buf *to, const struct field *field, bool is_first, int depth);

void ndjson_object(struct pen *pen, const struct object *object);

void ndjson_array(struct pen *pen, const struct field *field,
		  const struct value *value);

#endif
