/* SPDX-License-Identifier: BSD-2-Clause */
/* machine_folder.h - a folder that stands for a machine's files. */
#ifndef TESTS_UNIT_THERE_MACHINE_FOLDER_H
#define TESTS_UNIT_THERE_MACHINE_FOLDER_H

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "tests/unit/test.h"

#include "tools/util/buf.h"
#include "tools/util/helper.h"
#include "tools/util/outfile.h"

static inline int remove_machine(const char *root)
{
	struct reason ignored;

	return helper_run((const char *[]){"rm", "-r", root, NULL}, "coreutils", &ignored);
}

/* Writes the file `path` of that machine, and makes the folders that lead to it. */
static inline void write_machine_bytes(const char *root, const char *path, const void *bytes,
				       size_t n)
{
	struct buf name = {0}, content = {0};
	struct reason why;

	buf_printf(&name, "%s%s", root, path);
	for (char *c = (char *)buf_text(&name) + strlen(root) + 1; (c = strchr(c, '/')); c++) {
		*c = '\0';
		mkdir(buf_text(&name), 0755);
		*c = '/';
	}
	buf_add(&content, bytes, n);
	assert_int_equal(outfile_replace(buf_text(&name), &content, false, &why), 0);
	buf_free(&name);
	buf_free(&content);
}

#endif
