/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * toml.h - reads what perf0.toml uses of TOML 1.0: comments, tables, arrays of tables, and keys
 * with strings, whole numbers, booleans and arrays of strings. What else TOML has is refused by its
 * name, never taken for something else. A key or a table that is there twice is refused, too.
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
	size_t line, column; /* of the value, from 1 */
	size_t key_column;
	char *key;
	enum toml_kind kind;
	char *text; /* of a string; of a number as it was written */
	int64_t number;
	bool is_true;
	char **item; /* strings of an array */
	size_t nitems;
};

struct toml_table {
	char *name; /* "": that of the keys before the first one */
	size_t line;
	bool is_array; /* [[name]] */
	struct toml_entry *entry;
	size_t n;
};

/* A zeroed struct has none. */
struct toml {
	struct toml_table *table; /* as they come; the first one is "" */
	size_t n;
};

/* toml_parse() - the `n` bytes at `text` into `out`, which is empty. -EINVAL with the line, the
 * column (of bytes, from 1) and the reason. toml_free() - in both cases. */
int toml_parse(struct toml *out, const char *text, size_t n, struct reason *why);
void toml_free(struct toml *toml);

#endif
