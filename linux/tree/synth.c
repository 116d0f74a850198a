// SPDX-License-Identifier: BSD-2-Clause
/*
 * synth.c - see synth.h. Each lookup of a name makes a new inode with the same number. A read at
 * the start of a file writes the file's text. Later reads take from that text until the next read
 * at the start.
 */
#include "linux/tree/synth.h"

#include "lib/string.h"
#include "linux/tree/cgroup.h"
#include "linux/tree/synth_path.h"
#include "rt/base/heap.h"

#include <linux/fs.h>

#define STORE_MOST 4096

static const struct synth_writer *writer_of(const struct inode *inode)
{
	return inode->synth.writer;
}

/* --- Files --- */

/* The content of a file at the moment when it was read from its start. */
struct snapshot {
	unsigned refs;
	struct text text;
};

static void snapshot_put(struct snapshot *s)
{
	if (!s || __atomic_sub_fetch(&s->refs, 1, __ATOMIC_ACQ_REL))
		return;
	text_free(&s->text);
	heap_free(s);
}

static struct snapshot *snapshot_get(struct file *f)
{
	const uint64_t flags = tree_lock();
	struct snapshot *s = f->private;

	if (s)
		__atomic_fetch_add(&s->refs, 1, __ATOMIC_RELAXED);
	tree_unlock(flags);
	return s;
}

/* The file takes a reference; the caller keeps its own. */
static void snapshot_set(struct file *f, struct snapshot *s)
{
	const uint64_t flags = tree_lock();
	struct snapshot *old = f->private;

	f->private = s;
	__atomic_fetch_add(&s->refs, 1, __ATOMIC_RELAXED);
	tree_unlock(flags);
	snapshot_put(old);
}

static int snapshot_write(struct file *f, struct snapshot **out)
{
	struct snapshot *s = heap_alloc(sizeof(*s));
	int error;

	if (!s)
		return -ENOMEM;
	s->refs = 1;
	error = writer_of(f->inode)->write(f->inode->synth.id, &s->text);
	if (!error)
		error = text_failed(&s->text);
	if (error) {
		snapshot_put(s);
		return error;
	}
	snapshot_set(f, s);
	*out = s;
	return 0;
}

static long read_snapshot(struct snapshot *s, struct io *io, uint64_t at)
{
	uint64_t n;

	if (at >= s->text.size)
		return 0;
	n = s->text.size - at;
	n = n < io->left ? n : io->left;
	return io_to_user(io, s->text.bytes + at, n) ? -EFAULT : (long)n;
}

static long synth_read(struct file *f, struct io *io, const uint64_t *at)
{
	const uint64_t start = at ? *at : f->offset;
	struct snapshot *s = start ? snapshot_get(f) : NULL;
	int error = s ? 0 : snapshot_write(f, &s);
	long n;

	if (error)
		return error;
	n = read_snapshot(s, io, start);
	snapshot_put(s);
	if (n > 0 && !at)
		f->offset = start + (uint64_t)n;
	return n;
}

static long synth_write(struct file *f, struct io *io, const uint64_t *at)
{
	const struct synth_writer *writer = writer_of(f->inode);
	const size_t n = io->left;
	char *bytes;
	long result;

	(void)at;
	if (!writer->store || n > STORE_MOST)
		return -EINVAL;
	bytes = heap_alloc(n + 1);
	if (!bytes)
		return -ENOMEM;
	result = io_from_user(io, bytes, n);
	if (!result)
		result = writer->store(f->inode->synth.id, bytes, n);
	heap_free(bytes);
	return result ? result : (long)n;
}

static void synth_release(struct file *f)
{
	snapshot_put(f->private);
}

static const struct file_ops synth_file_ops = {
	.read = synth_read,
	.write = synth_write,
	.seek = file_seek_plain,
	.release = synth_release,
};

static int synth_open(struct file *f)
{
	if (writer_of(f->inode)->open)
		return writer_of(f->inode)->open(f);
	if (file_can_write(f) && !writer_of(f->inode)->store)
		return -EACCES;
	f->ops = &synth_file_ops;
	return 0;
}

/* --- Inodes --- */

static struct inode *synth_inode(struct inode *mount, const struct synth_node *node);

static struct inode *mount_of(struct inode *inode)
{
	return inode->synth.mount ? inode->synth.mount : inode;
}

static uint32_t mode_of(const struct synth_node *node)
{
	return synth_depth(node->row) == node->depth ? synth_rows[node->row].mode
						     : MODE_DIRECTORY | 0555;
}

static int synth_lookup(struct inode *dir, const char *name, unsigned length, struct inode **child)
{
	struct synth_node node;
	const int found = synth_find(&dir->synth, name, length, &node);

	*child = NULL;
	if (found <= 0)
		return found;
	if (mode_of(&node) == MODE_MOUNT && mount_of(dir)->mounted)
		*child = inode_get(mount_of(dir)->mounted);
	else
		*child = synth_inode(mount_of(dir), &node);
	return *child ? 0 : -ENOMEM;
}

static int synth_list(struct inode *dir, uint64_t *cookie, struct listed *listed)
{
	struct text name = {0};
	struct synth_node child;
	int found = synth_next(&dir->synth, cookie, &child, &name);

	if (found > 0) {
		listed->number = synth_number(&child);
		listed->mode = mode_of(&child);
		listed->length =
			name.size < NAME_BYTES_MOST ? (unsigned)name.size : NAME_BYTES_MOST;
		memcpy(listed->name, name.bytes, listed->length);
	}
	text_free(&name);
	return found;
}

static struct inode *synth_parent(struct inode *dir)
{
	struct synth_node node = dir->synth;
	struct inode *parent;
	uint64_t flags;

	if (!dir->synth.mount) {
		flags = tree_lock();
		parent = inode_get(directory_parent(dir));
		tree_unlock(flags);
		return parent;
	}
	node.depth--;
	return node.depth == 1 ? inode_get(dir->synth.mount) : synth_inode(dir->synth.mount, &node);
}

static void synth_put_path(struct inode *inode, struct text *path)
{
	synth_path(&inode->synth, path);
}

static int synth_readlink(struct inode *link, struct text *to)
{
	const int error =
		writer_of(link)->write ? writer_of(link)->write(link->synth.id, to) : -EINVAL;

	return error ? error : text_failed(to);
}

static int synth_jump(struct inode *link, struct inode **to)
{
	return writer_of(link)->jump(link->synth.id, to);
}

static void synth_destroy(struct inode *inode)
{
	inode_put(inode->synth.mount);
	if (inode->mounted)
		cgroup_unmount(inode->mounted);
}

#define SYNTH_OPS .path = synth_put_path, .destroy = synth_destroy

static const struct inode_ops directory_ops = {
	.lookup = synth_lookup,
	.next = synth_list,
	.parent = synth_parent,
	.open = readdir_open,
	SYNTH_OPS,
};
static const struct inode_ops file_ops = {.open = synth_open, SYNTH_OPS};
static const struct inode_ops named_ops = {.open = synth_open};
static const struct inode_ops link_ops = {.readlink = synth_readlink, SYNTH_OPS};
static const struct inode_ops jump_ops = {
	.readlink = synth_readlink,
	.jump = synth_jump,
	SYNTH_OPS,
};

static const struct inode_ops *ops_of(const struct synth_node *node)
{
	switch (mode_of(node) & MODE_TYPE) {
	case MODE_DIRECTORY:
		return &directory_ops;
	case MODE_LINK:
		return synth_rows[node->row].writer->jump ? &jump_ops : &link_ops;
	default:
		return &file_ops;
	}
}

static struct inode *synth_inode(struct inode *mount, const struct synth_node *node)
{
	struct inode *inode = inode_new(ops_of(node), mode_of(node), mount->device);

	if (!inode)
		return NULL;
	inode->synth = *node;
	inode->synth.mount = inode_get(mount);
	inode->synth.writer = synth_rows[node->row].writer;
	inode->number = synth_number(node);
	inode->links = inode_is_directory(inode) ? 2 : 1;
	return inode;
}

struct inode *synth_file_new(const struct synth_writer *writer, const uint64_t *id,
			     enum inode_device device)
{
	struct inode *inode =
		inode_new(&named_ops, MODE_REGULAR | (writer->store ? 0644 : 0444), device);

	if (!inode)
		return NULL;
	inode->synth.writer = writer;
	memcpy(inode->synth.id, id, sizeof(inode->synth.id));
	return inode;
}

struct inode *synth_mount(const char *path, enum inode_device device)
{
	struct inode *inode = inode_new(&directory_ops, MODE_DIRECTORY | 0555, device);
	const size_t n = strlen(path);
	unsigned row = 0;

	if (!inode)
		return NULL;
	synth_prepare_paths();
	while (strncmp(synth_rows[row].path, path, n) != 0 || synth_rows[row].path[n] != '/')
		row++;
	inode->synth.row = row;
	inode->synth.depth = 1;
	inode->links = 1;
	if (device == DEVICE_SYS) {
		inode->mounted = cgroup_mount(inode);
		if (!inode->mounted) {
			inode_put(inode);
			return NULL;
		}
	}
	return inode;
}
