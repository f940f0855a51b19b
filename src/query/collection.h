/*
 * collection.h - aggregators that keep values: LIST, SET and UNIQUE.
 */
#ifndef QUERY_COLLECTION_H
#define QUERY_COLLECTION_H

#include "query/function.h"

extern const struct function collection_list, collection_set, collection_unique;

#endif
