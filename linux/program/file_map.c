// SPDX-License-Identifier: BSD-2-Clause
/* file_map.c - see file_map.h. */
#include "linux/program/file_map.h"

#include "arch/x86/mem/paging.h"
#include "include/perf0/layout.h"
#include "lib/string.h"
#include "linux/file/regular.h"
#include "linux/file/text.h"
#include "linux/tree/tree.h"
#include "rt/base/heap.h"
#include "linux/mem/page_ref.h"

#include <linux/errno.h>

struct file_mapping {
	struct mapped mapped;
	struct file *file; /* a reference */
	struct text path;
	bool counted, writable; /* counted by regular_map() */
	uint8_t build_id[ELF_BUILD_ID];
};

/* A zero page for a hole of the file belongs to this mapping alone. */
static int mapping_page(struct mapped *m, uint64_t index, bool write, uint64_t *phys)
{
	struct file_mapping *f = (struct file_mapping *)m;
	void *page;
	int err = file_page(f->file, index, write, &page);

	if (err)
		return err == -ENOSPC ? -ENOMEM : err;
	if (!page)
		page = page_ref_new();
	if (!page)
		return -ENOMEM;
	*phys = phys_of(page);
	return 0;
}

static void release_file(struct mapped *m)
{
	struct file_mapping *f = (struct file_mapping *)m;

	if (f->counted)
		regular_unmap(f->file->inode, f->writable);
	file_put(f->file);
	text_free(&f->path);
	heap_free(f);
}

static const struct mapped_ops file_ops = {mapping_page, release_file};

/* --- ELF files --- */

static bool read_whole(void *arg, uint64_t offset, void *to, size_t n)
{
	struct io io = io_kernel(to, n);

	return file_read_at(arg, &io, (int64_t)offset) == (long)n;
}

static struct elf_source elf_source_of(struct file *file)
{
	return (struct elf_source){read_whole, file, file->inode->size};
}

static void find_build_id(struct file_mapping *f)
{
	const struct elf_source source = elf_source_of(f->file);

	f->mapped.build_id_bytes = elf_build_id(&source, f->build_id);
	f->mapped.build_id = f->mapped.build_id_bytes ? f->build_id : NULL;
}

static int count_mapping(struct file_mapping *f, bool writable)
{
	int err;

	if (!inode_has_content(f->file->inode))
		return 0;
	err = regular_map(f->file->inode, writable);
	f->counted = !err;
	f->writable = writable;
	return err;
}

int file_map(struct file *file, struct inode *root, unsigned how, struct mapped **mapped)
{
	struct file_mapping *f;
	int err;

	if (!file->ops->page)
		return -ENODEV;
	f = heap_alloc(sizeof(*f));
	if (!f)
		return -ENOMEM;
	f->mapped = (struct mapped){.ops = &file_ops,
				    .refs = 1,
				    .inode = file->inode->number,
				    .device = file->inode->device,
				    .content = file->inode};
	f->file = file_get(file);
	err = count_mapping(f, how & FILE_MAP_WRITABLE);
	if (!err && (inode_path(file->inode, root, &f->path) || !text_end(&f->path)))
		err = -ENOMEM;
	if (err) {
		release_file(&f->mapped);
		return err;
	}
	f->mapped.path = f->path.bytes;
	if (how & FILE_MAP_CODE)
		find_build_id(f);
	*mapped = &f->mapped;
	return 0;
}

struct inode *file_map_inode(struct mapped *m)
{
	return m && m->ops == &file_ops ? inode_get(((struct file_mapping *)m)->file->inode) : NULL;
}

static int open_program(const struct tree_view *view, const char *path, struct file **file)
{
	struct inode *inode;
	int err = walk_inode(view, NULL, path, true, &inode);

	if (err)
		return err;
	if (inode_type(inode) != MODE_REGULAR || !(inode->mode & 0111))
		err = -EACCES;
	else
		err = file_open_inode(inode, O_RDONLY | O_NOATIME, file);
	inode_put(inode);
	return err;
}

int file_map_exec(const struct tree_view *view, const char *path, struct exec_file *file)
{
	struct file *opened;
	int err = open_program(view, path, &opened);

	if (err)
		return err;
	err = file_map(opened, view->root, FILE_MAP_CODE, &file->mapped);
	file->source = elf_source_of(opened);
	file_put(opened); /* the mapping has a reference */
	return err;
}
