// SPDX-License-Identifier: BSD-2-Clause
/* bin_archive.c - see bin_archive.h. One walk both plans the layout and writes it. */
#include "rt/portable/bin_archive.h"

#include "include/perf0/programs.h"
#include "lib/format/cpio.h"
#include "lib/string.h"
#include "rt/portable/volume_layout.h"

#include <linux/errno.h>
#include <stdbool.h>

/* `at` gets the offset of each file's content; NULL: they are known. */
static uint64_t lay_out(struct volume_layout *l, const struct bin_file *files, unsigned n,
			struct bin_file *to)
{
	for (unsigned i = 0; i < n; i++) {
		const uint64_t at = volume_put(l, BIN_ARCHIVE_FOLDER, files[i].name,
					       CPIO_FILE | 0755, NULL, files[i].bytes);

		if (to)
			to[i].at = at;
		if (l->at > PROGRAMS_PACK_MOST)
			return l->at;
	}
	volume_end(l);
	return l->at;
}

static void sort_files(struct bin_file *files, unsigned n)
{
	for (unsigned i = 1; i < n; i++) {
		const struct bin_file file = files[i];
		unsigned j = i;

		for (; j && strcmp(files[j - 1].name, file.name) > 0; j--)
			files[j] = files[j - 1];
		files[j] = file;
	}
}

int bin_archive_plan(struct bin_file *files, unsigned n, uint64_t *bytes)
{
	struct volume_layout layout = {0};

	sort_files(files, n);
	for (unsigned i = 0; i < n; i++) {
		if (i && !strcmp(files[i - 1].name, files[i].name))
			return -EEXIST;
		if (files[i].bytes > PROGRAMS_PACK_MOST)
			return -EFBIG;
	}
	*bytes = lay_out(&layout, files, n, files);
	return *bytes > PROGRAMS_PACK_MOST ? -EFBIG : 0;
}

void bin_archive_heads(uint8_t *archive, const struct bin_file *files, unsigned n)
{
	struct volume_layout layout = {.archive = archive};

	lay_out(&layout, files, n, NULL);
}
