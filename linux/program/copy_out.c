// SPDX-License-Identifier: BSD-2-Clause
/* copy_out.c - see copy_out.h. */
#include "linux/program/copy_out.h"

#include "lib/string.h"
#include "linux/tree/tree.h"
#include "linux/program/program_pack.h"
#include "rt/wire/wire.h"

#include <linux/errno.h>

/* Opens a regular file only: a device may never end, and a pipe may never get data. */
static int open_regular(const struct tree_view *view, const char *path, struct file **f)
{
	int err = tree_open(view, NULL, path, O_RDONLY | O_NONBLOCK, 0, f);

	if (err)
		return err;
	if (inode_type((*f)->inode) == MODE_REGULAR)
		return 0;
	err = inode_is_directory((*f)->inode) ? -EISDIR : -EINVAL;
	file_put(*f);
	return err;
}

static int send_content(struct wire_file *head, struct file *f)
{
	static uint8_t bytes[WIRE_FILE_BYTES];
	long n;

	do {
		struct io io = io_kernel(bytes, sizeof(bytes));

		n = file_read(f, &io);
		if (n < 0)
			return (int)n;
		if (!n)
			head->flags |= WIRE_FILE_LAST;
		wire_file(head, bytes, (size_t)n);
		head->offset += (uint64_t)n;
	} while (n);
	return 0;
}

static void bring_file(const struct tree_view *view, const char *path, uint32_t index)
{
	struct wire_file head = {.index = index};
	struct file *f;
	int err = open_regular(view, path, &f);

	if (!err) {
		head.mode = f->inode->mode & MODE_BITS;
		err = send_content(&head, f);
		file_put(f);
	}
	if (!err)
		return;
	head.error = (uint16_t)-err;
	head.flags = WIRE_FILE_LAST;
	wire_file(&head, NULL, 0);
}

void bring_files(struct inode *root)
{
	const struct pack_note paths = pack_bring();
	struct inode *cwd = pack_folder(root);
	const struct tree_view view = {root, cwd, 0};
	uint32_t index = 0;

	for (size_t at = 0; at < paths.size; at += strlen(paths.bytes + at) + 1)
		bring_file(&view, paths.bytes + at, index++);
	inode_put(cwd);
}
