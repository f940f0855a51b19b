/*
 * values.h - values of annotations, stepped over.
 */
#ifndef CLASSFILE_VALUES_H
#define CLASSFILE_VALUES_H

#include "classfile/reader.h"

/* Steps over what comes behind the type of an annotation: names, each with a value. */
void values_skip(struct reader *reader);

#endif
