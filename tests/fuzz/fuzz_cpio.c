// SPDX-License-Identifier: BSD-2-Clause
/*
 * fuzz_cpio.c - any bytes as an archive of files: it is refused with a reason, or becomes a tree.
 * All memory is free in the end, and no byte outside of the archive is read.
 */
#include "linux/file/file_host.h"
#include "linux/tree/tree.h"
#include "tests/shim/shim_heap.h"
#include "tests/unit/file/archive.h"

#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void by_root(struct host_owner *owner)
{
	*owner = (struct host_owner){0};
}

static uint64_t stopped_clock(enum host_clock clock)
{
	(void)clock;
	return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct archive *a = archive_new();
	struct reason why = {0};
	struct inode *root;

	file_host.now = stopped_clock;
	file_host.owner = by_root;
	shim_heap = (struct shim_heap){0};
	if (size > sizeof(a->bytes))
		size = sizeof(a->bytes);
	memcpy(a->bytes, data, size);
	a->source.bytes = size;
	root = tree_create();
	if (cpio_unpack(root, &a->source, &why) && !why.text[0])
		abort();
	tree_destroy(root);
	if (shim_heap.pieces || shim_heap.pages)
		abort();
	free(a);
	return 0;
}
