// SPDX-License-Identifier: BSD-2-Clause
/* left_files.c - see left_files.h. The archive is copied when a command first needs it. */
#include "rt/console/left_files.h"

#include "arch/x86/mem/paging.h"
#include "include/perf0/handoff.h"
#include "lib/reason.h"
#include "linux/program/program_pack.h"
#include "rt/portable/volume_archive.h"

#include <linux/errno.h>
#include <stdbool.h>

static struct {
	const uint8_t *archive; /* as the loader left it */
	size_t size;
	uint8_t *copy; /* NULL: not yet */
	uint64_t bytes;
} left;

static struct reason why_not;

static int copy_archive(struct reason *why)
{
	uint64_t bytes;
	struct reason what;

	if (volume_archive_plan(left.archive, left.size, &bytes, &what))
		return refuse(why, EINVAL, "the archive that the loader handed in: %s", what.text);
	left.copy = page_alloc_user(pages_of(bytes));
	if (!left.copy)
		return refuse(why, ENOMEM,
			      "there is no memory for the files that the loader handed in");
	volume_archive_write(left.copy, left.archive, left.size);
	left.bytes = bytes;
	return 0;
}

static const void *find_left_files(size_t *bytes, const char **why)
{
	if (!left.copy && copy_archive(&why_not)) {
		*why = why_not.text;
		return NULL;
	}
	*bytes = left.bytes;
	return left.copy;
}

void left_files_init(const struct handoff *handoff)
{
	if (!handoff->archive)
		return;
	left.archive = virt_of(handoff->archive);
	left.size = handoff->archive_bytes;
	pack_set_source(find_left_files);
}
