/*
 * property.h - the properties of FORMAT: how a column is shown.
 */
#ifndef QUERY_PROPERTY_H
#define QUERY_PROPERTY_H

#include "base/err.h"
#include "base/str.h"
#include "query/query.h"

/* The format of a column of which nothing is said; its text is empty. */
extern const struct query_format property_none;

/*
 * What the property asks for is added to the format, but for its text. False,
 * ERR_USAGE, if there is no such property, or its value cannot be.
 */
bool property_apply(struct query_format *format, struct str property, struct err *err);

#endif
