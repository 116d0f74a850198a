// SPDX-License-Identifier: BSD-2-Clause
/* readdir.c - see readdir.h. The offset of a directory is the cookie of the last name that was
 * read. */
#include "linux/file/readdir.h"

#include "lib/string.h"

#include <linux/fs.h>

/* struct linux_dirent64, as getdents64(2) gives it. */
struct record {
	uint64_t number;
	int64_t next;
	uint16_t bytes;
	uint8_t type;
	char name[NAME_BYTES_MOST + 1];
} __attribute__((packed));

#define RECORD_HEAD offsetof(struct record, name)
_Static_assert(RECORD_HEAD == 19, "as Linux has it");

static void name_dots(struct inode *inode, unsigned dots, struct listed *listed)
{
	listed->number = inode->number;
	listed->mode = inode->mode;
	listed->length = dots;
	memcpy(listed->name, "..", dots);
}

static int list_parent(struct inode *dir, struct listed *listed)
{
	struct inode *parent = inode_parent(dir);

	if (!parent)
		return -ENOMEM;
	name_dots(parent, 2, listed);
	inode_put(parent);
	return 1;
}

/* As `next` of struct inode_ops, with the two dot entries first. */
static int list_next(struct inode *dir, uint64_t *cookie, struct listed *listed)
{
	if (*cookie >= COOKIE_PARENT)
		return dir->ops->next(dir, cookie, listed);
	if (++*cookie == COOKIE_PARENT)
		return list_parent(dir, listed);
	name_dots(dir, 1, listed);
	return 1;
}

static size_t fill_record(struct record *record, const struct listed *listed, uint64_t cookie)
{
	const size_t bytes = (RECORD_HEAD + listed->length + 1 + 7) & ~(size_t)7;

	memset(record, 0, sizeof(*record));
	record->number = listed->number;
	record->next = (int64_t)cookie;
	record->bytes = (uint16_t)bytes;
	record->type = (uint8_t)(listed->mode >> 12);
	memcpy(record->name, listed->name, listed->length);
	return bytes;
}

/* 1: one more entry was given; 0: the end. */
static int give_entry(struct file *f, struct io *io, uint64_t *cookie)
{
	struct listed listed;
	struct record record;
	uint64_t next = *cookie;
	size_t bytes;
	int error = list_next(f->inode, &next, &listed);

	if (error <= 0)
		return error;
	bytes = fill_record(&record, &listed, next);
	if (bytes > io->left)
		return -EINVAL;
	error = io_to_user(io, &record, bytes);
	if (error)
		return error;
	*cookie = next;
	return 1;
}

long file_readdir(struct file *f, struct io *io)
{
	const uint64_t room = io->left;
	uint64_t cookie;
	int got;

	if (!file_can_read(f))
		return -EBADF;
	if (!inode_is_directory(f->inode))
		return -ENOTDIR;
	cookie = __atomic_load_n(&f->offset, __ATOMIC_RELAXED);
	while ((got = give_entry(f, io, &cookie)) > 0)
		__atomic_store_n(&f->offset, cookie, __ATOMIC_RELAXED);
	return io->left < room ? (long)(room - io->left) : got;
}

static const struct file_ops readdir_ops = {.seek = file_seek_plain};

int readdir_open(struct file *f)
{
	f->ops = &readdir_ops;
	return 0;
}
