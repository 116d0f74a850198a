/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * toml.h - parses the part of TOML 1.0 that perf0.toml uses: comments, tables, arrays of tables,
 * and keys with strings, whole numbers, booleans and arrays of strings. A message names other
 * syntax of TOML when it is refused. A duplicate key or table is refused, too.
 */
#ifndef TOOLS_GATE_TOML_H
#define TOOLS_GATE_TOML_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/reason.h"

enum toml_kind { TOML_STRING, TOML_INTEGER, TOML_BOOLEAN, TOML_ARRAY };

/* A key and its value. */
struct toml_entry {
	size_t line, column; /* position of the value, from 1 */
	size_t key_column;
	char *key;
	enum toml_kind kind;
	char *text; /* a string's value; a number as it was written */
	int64_t number;
	bool is_true;
	char **item; /* strings of an array */
	size_t nitems;
};

struct toml_table {
	char *name; /* "": the table of the keys before the first header */
	size_t line;
	bool is_array; /* [[name]] */
	struct toml_entry *entry;
	size_t n;
};

/* The tables of a file. A zeroed struct has none. */
struct toml {
	struct toml_table *table; /* in the file's order; the first one is "" */
	size_t n;
};

/*
 * toml_parse() - parses the `n` bytes at `text` into the empty `out`. -EINVAL with the line, the
 * column (of bytes, from 1) and the reason. The caller calls toml_free() in both cases.
 */
int toml_parse(struct toml *out, const char *text, size_t n, struct reason *why);
void toml_free(struct toml *toml);

#endif
