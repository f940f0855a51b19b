/*
 * form.h - the first row of a result as a form: a label and a value a line
 * (jfr-tool.md 5.9).
 */
#ifndef RENDER_FORM_H
#define RENDER_FORM_H

#include "render/table.h"

/*
 * As table_write; truncation, height and symbolic names do not matter. If the labels
 * are too wide, it says so, and the width it should have is returned.
 */
size_t form_write(const struct result *result, const struct layout *layout,
		  struct out *out);

#endif
