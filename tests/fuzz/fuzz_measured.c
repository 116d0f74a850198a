// SPDX-License-Identifier: BSD-2-Clause
/*
 * fuzz_measured.c - any bytes as a file for `perf0 diff`: a perf.data, lines of `stat -j`, results
 * of the gate. The file is read, or refused with a sentence that names it.
 */
#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "tools/gate/measured.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* fuzz_stream.c fuzzes streams. */
static int no_stream(const char *path, struct stream *stream, struct reason *why)
{
	(void)path;
	(void)stream;
	return refuse(why, EINVAL, "a stream");
}

static void check_rows(const struct measured *measured)
{
	for (size_t i = 0; i < measured->n; i++) {
		const struct measured_row *row = &measured->row[i];

		if (!row->name || row->kind >= MEASURED_KINDS)
			abort();
		if (i && row->kind == row[-1].kind && strcmp(row[-1].name, row->name) >= 0)
			abort();
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static int fd = -1;
	struct measured measured = {0};
	struct reason why = {""};
	char path[32];

	if (fd < 0)
		fd = memfd_create("measured", 0);
	if (ftruncate(fd, 0) || pwrite(fd, data, size, 0) != (ssize_t)size)
		abort();
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	if (!measured_read(&measured, path, no_stream, &why))
		check_rows(&measured);
	else if (strncmp(why.text, path, strlen(path)) != 0)
		abort();
	measured_free(&measured);
	return 0;
}
