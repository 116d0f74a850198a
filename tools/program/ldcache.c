// SPDX-License-Identifier: BSD-2-Clause
/*
 * ldcache.c - see ldcache.h. The layout is the "new format" of ldconfig(8) since glibc 2.2, which
 * `ldconfig -p -C FILE` prints: header, rows from the largest name down, strings.
 */
#include "tools/program/ldcache.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define KIND_X86_64        0x0303u /* 64-bit x86, with libc.so.6 as its libc */
#define LITTLE_ENDIAN_FILE 2

struct ldcache_header {
	char magic[20] __attribute__((nonstring));
	uint32_t rows, string_bytes;
	uint8_t flags, reserved[3];
	uint32_t extensions; /* offset of the extensions; 0: none */
	uint32_t unused[3];
};
_Static_assert(sizeof(struct ldcache_header) == 48, "as glibc has it");

struct ldcache_row {
	uint32_t kind;
	uint32_t name, path; /* offsets of the strings in the file */
	uint32_t os_version;
	uint64_t hardware;
};
_Static_assert(sizeof(struct ldcache_row) == 24, "as glibc has it");

/* Compares consecutive digits as one number. */
static int compare_numbers(const char **a, const char **b)
{
	char *a_end, *b_end;
	const unsigned long x = strtoul(*a, &a_end, 10), y = strtoul(*b, &b_end, 10);

	*a = a_end;
	*b = b_end;
	return x < y ? -1 : x > y;
}

/* Orders names like glibc: a digit is larger than any other character, and than the end. */
static int compare_names(const char *a, const char *b)
{
	int order = 0;

	while (!order && *a) {
		const bool a_digit = isdigit((unsigned char)*a),
			   b_digit = isdigit((unsigned char)*b);

		if (a_digit && b_digit)
			order = compare_numbers(&a, &b);
		else if (a_digit != b_digit)
			order = a_digit - b_digit;
		else if (*a != *b)
			return *a < *b ? -1 : 1;
		else
			a++, b++;
	}
	return order ? order : -(*b != '\0');
}

static int compare_libraries(const void *a, const void *b)
{
	return compare_names(((const struct library *)b)->name, ((const struct library *)a)->name);
}

static uint32_t add_string(struct buf *strings, size_t start, const char *text)
{
	const size_t at = start + strings->size;

	buf_add(strings, text, strlen(text) + 1);
	return (uint32_t)at;
}

void ldcache_add(struct buf *out, struct libraries *libraries)
{
	const size_t start =
		sizeof(struct ldcache_header) + libraries->n * sizeof(struct ldcache_row);
	struct ldcache_header header = {
		.magic = "glibc-ld.so.cache1.1",
		.rows = (uint32_t)libraries->n,
		.flags = LITTLE_ENDIAN_FILE,
	};
	struct buf rows = {0}, strings = {0};

	qsort(libraries->library, libraries->n, sizeof(*libraries->library), compare_libraries);
	for (size_t i = 0; i < libraries->n; i++) {
		const struct ldcache_row row = {
			.kind = KIND_X86_64,
			.name = add_string(&strings, start, libraries->library[i].name),
			.path = add_string(&strings, start, libraries->library[i].path),
		};

		buf_add(&rows, &row, sizeof(row));
	}
	header.string_bytes = (uint32_t)strings.size;
	buf_add(out, &header, sizeof(header));
	if (libraries->n)
		buf_add(out, rows.data, rows.size);
	if (libraries->n)
		buf_add(out, strings.data, strings.size);
	buf_free(&rows);
	buf_free(&strings);
}
