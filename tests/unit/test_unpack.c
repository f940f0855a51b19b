#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "jfr/unpack.h"
#include "way.h"

enum { SIZE = 400000 };

/* A recording for all an archive knows: it begins like one. */
static unsigned char *make_bytes(size_t size, unsigned char salt)
{
	unsigned char *bytes = malloc(size);

	for (size_t i = 0; i < size; i++)
		bytes[i] = (unsigned char)(i * i / 7 + salt);
	memcpy(bytes, "FLR", 4);
	return bytes;
}

static char path[64];

/* Opens these bytes as a file. */
static bool open_packed(struct source *source, const void *bytes, size_t size,
			struct err *err)
{
	bool is_open;

	way_file(path, bytes, size);
	is_open = source_open(source, path, &unpack_archive, err);
	unlink(path);
	return is_open;
}

static void expect_all(struct source *source, const void *bytes, size_t size)
{
	cr_expect_eq(source_fill(source, SIZE_MAX / 2), size);
	cr_expect_eq(source->failure.kind, ERR_NONE, "%s", source->failure.text);
	cr_expect(source->size == size && memcmp(source->bytes, bytes, size) == 0);
}

#define FILTERS(...) (const char *const[]){ __VA_ARGS__, NULL }

static const char *const *const filters[] = {
	FILTERS("gzip"), FILTERS("bzip2"), FILTERS("zstd"), FILTERS("xz"), FILTERS("lz4"),
	FILTERS("zstd", "gzip"), FILTERS("gzip", "xz", "lz4"),
};

#define FILTER_COUNT (sizeof(filters) / sizeof(filters[0]))

Test(unpack, gives_what_was_packed)
{
	static const size_t sizes[] = { SIZE, 68, 5 };
	unsigned char *bytes = make_bytes(SIZE, 0);

	for (size_t i = 0; i < FILTER_COUNT * 3; i++) {
		size_t packed_size, size = sizes[i % 3];
		void *packed = way_pack(bytes, size, filters[i / 3], &packed_size);
		struct source source;
		struct err err = { 0 };

		cr_assert(open_packed(&source, packed, packed_size, &err), "%s: %s",
			  filters[i / 3][0], err.text);
		expect_all(&source, bytes, size);
		cr_expect_eq(source_position(&source), packed_size);
		cr_expect_eq(source.file_size, packed_size);
		source_close(&source);
		free(packed);
	}
	free(bytes);
}

/* A few bytes at a time, from a pipe. */
Test(unpack, gives_what_comes_packed_through_a_pipe)
{
	unsigned char *bytes = make_bytes(SIZE, 0);

	for (size_t i = 0; i < FILTER_COUNT; i++) {
		size_t packed_size;
		void *packed = way_pack(bytes, SIZE, filters[i], &packed_size);
		struct come come = way_open(WAY_PIPE, packed, packed_size);
		struct source source;
		struct err err = { 0 };

		cr_assert(source_open(&source, come.path, &unpack_archive, &err), "%s",
			  err.text);
		expect_all(&source, bytes, SIZE);
		cr_expect_eq(source.file_size, 0);
		source_close(&source);
		way_close(&come);
		free(packed);
	}
	free(bytes);
}

Test(unpack, reads_packed_files_that_were_joined)
{
	unsigned char *bytes = make_bytes(SIZE, 0);

	for (size_t i = 0; i < 5; i++) {
		size_t one, other;
		char *first = way_pack(bytes, 1000, filters[i], &one);
		char *second = way_pack(bytes + 1000, SIZE - 1000, filters[i], &other);
		struct source source;
		struct err err = { 0 };

		first = realloc(first, one + other);
		memcpy(first + one, second, other);
		cr_assert(open_packed(&source, first, one + other, &err), "%s", err.text);
		expect_all(&source, bytes, SIZE);
		source_close(&source);
		free(first);
		free(second);
	}
	free(bytes);
}

Test(unpack, takes_the_recordings_of_a_zip_archive)
{
	unsigned char *one = make_bytes(SIZE, 0), *other = make_bytes(1000, 5), *both;
	const struct way_entry entries[] = {
		{ "README", "read me", 7 },
		{ "empty", "", 0 },
		{ "a.jfr", one, SIZE },
		{ "FL", "FL", 2 },
		{ "notes/FLX", "FLX and more", 12 },
		{ "b.jfr", other, 1000 },
		{ "z", "the end", 7 },
		{ NULL, NULL, 0 },
	};
	struct source source;
	struct err err = { 0 };
	size_t size;
	void *zip = way_zip(entries, &size);

	both = malloc(SIZE + 1000);
	memcpy(both, one, SIZE);
	memcpy(both + SIZE, other, 1000);
	cr_assert(open_packed(&source, zip, size, &err), "%s", err.text);
	expect_all(&source, both, SIZE + 1000);
	source_close(&source);
	free(zip);
	free(one);
	free(other);
	free(both);
}

Test(unpack, says_that_an_archive_holds_no_recording)
{
	const struct way_entry entries[] = {
		{ "README", "read me", 7 },
		{ NULL, NULL, 0 },
	};
	struct source source;
	struct err err = { 0 };
	size_t size;
	void *zip = way_zip(entries, &size);

	cr_assert(open_packed(&source, zip, size, &err), "%s", err.text);
	cr_expect_eq(source_fill(&source, 1), 0);
	cr_expect_eq(source.failure.kind, ERR_FORMAT);
	cr_expect_str_eq(source.failure.text, "the archive holds no recording");
	source_close(&source);
	free(zip);
}

/* Wherever it is cut, what comes before is given, and the loss is told. */
Test(unpack, gives_what_comes_before_the_end_of_a_file_that_is_cut)
{
	unsigned char *bytes = make_bytes(SIZE, 0);

	for (size_t i = 0; i < 5; i++) {
		size_t size;
		void *packed = way_pack(bytes, SIZE, filters[i], &size);

		for (size_t cut = 1; cut < 10; cut++) {
			struct source source;
			struct err err = { 0 };
			size_t there;

			if (!open_packed(&source, packed, size * cut / 10, &err)) {
				cr_expect_eq(err.kind, ERR_FORMAT);
				continue;
			}
			there = source_fill(&source, SIZE_MAX / 2);
			cr_expect_lt(there, (size_t)SIZE);
			cr_expect_eq(memcmp(source.bytes, bytes, there), 0);
			cr_expect_neq(source.failure.kind, ERR_NONE, "%s at %zu",
				      filters[i][0], cut);
			source_close(&source);
		}
		free(packed);
	}
	free(bytes);
}

/* Nothing worse happens than that it cannot be unpacked. */
Test(unpack, survives_damage)
{
	unsigned char *bytes = make_bytes(3000, 0);

	for (size_t i = 0; i < 5; i++) {
		size_t size;
		unsigned char *packed = way_pack(bytes, 3000, filters[i], &size);

		for (size_t at = 0; at < size; at += at < 40 ? 1 : 37) {
			struct source source;

			packed[at] ^= 0x55;
			if (open_packed(&source, packed, size, NULL)) {
				source_fill(&source, 1 << 20);
				source_close(&source);
			}
			packed[at] ^= 0x55;
		}
		free(packed);
	}
	free(bytes);
}

Test(unpack, leaves_alone_what_looks_packed_and_is_not)
{
	static const char *const cases[] = {
		"BZh no, it is not", "\x1f\x8b no, it is not", "PK\3\4 no, it is not",
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct source source;
		struct err err = { 0 };

		cr_assert(open_packed(&source, cases[i], strlen(cases[i]), &err), "%s",
			  err.text);
		if (source_fill(&source, 100) == 0)
			cr_expect(strstr(source.failure.text, "cannot be unpacked: "),
				  "%s", source.failure.text);
		else
			expect_all(&source, cases[i], strlen(cases[i]));
		source_close(&source);
	}
}

/* But for lz4, with which libarchive itself cannot pack nothing. */
Test(unpack, may_find_nothing_in_it)
{
	for (size_t i = 0; i < 4; i++) {
		struct source source;
		struct err err = { 0 };
		size_t size;
		void *packed = way_pack("", 0, filters[i], &size);

		cr_assert(open_packed(&source, packed, size, &err), "%s", err.text);
		expect_all(&source, "", 0);
		source_close(&source);
		free(packed);
	}
}
