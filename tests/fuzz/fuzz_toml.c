// SPDX-License-Identifier: BSD-2-Clause
/*
 * fuzz_toml.c - any bytes as perf0.toml: the file is read with consistent results, or refused with
 * a sentence and a place inside of it.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "tools/gate/gate_config.h"
#include "tools/gate/toml.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Checks that a message is "3:7: ...", with line and column of a byte of the file or of its end. */
static void check_byte_place(const struct reason *why, const uint8_t *data, size_t size)
{
	unsigned long line, column, at = 1;
	int n = 0;

	if (sscanf(why->text, "%lu:%lu: %n", &line, &column, &n) != 2 || !n || !why->text[n] ||
	    !line || !column)
		abort();
	for (; at < line; at++) {
		const uint8_t *end = memchr(data, '\n', size);

		if (!end)
			abort();
		size -= (size_t)(end + 1 - data);
		data = end + 1;
	}
	if (column > size + 1)
		abort();
}

static void check_toml_entry(const struct toml_entry *entry)
{
	if (!entry->key || !entry->line || !entry->column || !entry->key_column)
		abort();
	if ((entry->kind == TOML_STRING || entry->kind == TOML_INTEGER) && !entry->text)
		abort();
	for (size_t i = 0; i < entry->nitems; i++)
		if (entry->kind != TOML_ARRAY || !entry->item[i])
			abort();
}

static void check_toml(const uint8_t *data, size_t size)
{
	struct toml toml = {0};
	struct reason why = {""};

	if (toml_parse(&toml, (const char *)data, size, &why))
		check_byte_place(&why, data, size);
	else
		for (size_t t = 0; t < toml.n; t++)
			for (size_t i = 0; i < toml.table[t].n; i++)
				check_toml_entry(&toml.table[t].entry[i]);
	toml_free(&toml);
}

static void check_benchmark(const struct benchmark *b)
{
	struct tolerance_item item;
	const char *at = b->tolerance;
	int got = at != NULL;

	if (!gate_results_name_is_plain(b->name) || !b->word[0])
		abort();
	while (got > 0)
		got = tolerances_next(&at, &item);
	if (got)
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static int fd = -1;
	struct gate_config config = {0};
	struct reason why = {""};
	char path[32];

	check_toml(data, size);
	if (memchr(data, '*', size)) /* programs that are looked for in the file system */
		return 0;
	if (fd < 0)
		fd = memfd_create("perf0.toml", 0);
	if (ftruncate(fd, 0) || pwrite(fd, data, size, 0) != (ssize_t)size)
		abort();
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	if (!gate_config_read(&config, path, &why))
		for (size_t i = 0; i < config.benchmarks.n; i++)
			check_benchmark(&config.benchmarks.one[i]);
	else if (strncmp(why.text, path, strlen(path)) != 0)
		abort();
	gate_config_free(&config);
	return 0;
}
