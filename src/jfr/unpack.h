/*
 * unpack.h - compressed input, unpacked with libarchive.
 *
 * gzip, bzip2, zstd, xz and lz4, also one within the other, and zip: there the files
 * that begin like a recording are read one after the other, others are passed over. Only
 * the program links this: an agent has no libarchive.
 */
#ifndef JFR_UNPACK_H
#define JFR_UNPACK_H

#include "base/source.h"

extern const struct unpacker unpack_archive;

#endif
