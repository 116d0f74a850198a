// SPDX-License-Identifier: BSD-2-Clause
/* file_map.c - see file_map.h. */
#include "rt/task/file_map.h"

#include "arch/x86/mem/paging.h"
#include "include/perf0/layout.h"
#include "lib/string.h"
#include "rt/file/regular.h"
#include "rt/file/text.h"
#include "rt/tree/tree.h"
#include "rt/mem/heap.h"
#include "rt/mem/page_ref.h"

#include <linux/errno.h>

struct file_mapping {
	struct mapped mapped;
	struct inode *inode; /* a reference */
	struct text path;
	uint8_t build_id[ELF_BUILD_ID];
};

/* A hole that is only read is a page of zeros, which nothing else has. */
static int mapping_page(struct mapped *m, uint64_t index, bool write, uint64_t *phys)
{
	struct file_mapping *f = (struct file_mapping *)m;
	void *page;
	int err = regular_page(f->inode, index, write, &page);

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

	inode_put(f->inode);
	text_free(&f->path);
	heap_free(f);
}

static const struct mapped_ops file_ops = {mapping_page, release_file};

/* --- ELF files --- */

static bool read_inode(void *arg, uint64_t offset, void *to, size_t n)
{
	struct inode *inode = arg;
	uint8_t *at = to;

	while (n) {
		const size_t in_page = offset % PAGE_SIZE,
			     some = n < PAGE_SIZE - in_page ? n : PAGE_SIZE - in_page;
		void *page;

		if (regular_page(inode, offset / PAGE_SIZE, false, &page))
			return false;
		if (page)
			memcpy(at, (const uint8_t *)page + in_page, some);
		else
			memset(at, 0, some);
		if (page)
			page_ref_put(page);
		at += some;
		offset += some;
		n -= some;
	}
	return true;
}

static struct elf_source source_of(struct inode *inode)
{
	return (struct elf_source){read_inode, inode, inode->size};
}

static void find_build_id(struct file_mapping *f)
{
	const struct elf_source source = source_of(f->inode);
	struct elf elf;

	if (elf_read(&elf, &source, 0, 0, USER_END))
		return;
	memcpy(f->build_id, elf.build_id, elf.build_id_bytes);
	f->mapped.build_id = f->build_id;
	f->mapped.build_id_bytes = elf.build_id_bytes;
}

struct mapped *file_map(struct inode *inode, struct inode *root, bool code)
{
	struct file_mapping *f = heap_alloc(sizeof(*f));

	if (!f)
		return NULL;
	f->mapped = (struct mapped){
		.ops = &file_ops, .refs = 1, .inode = inode->number, .device = inode->device};
	f->inode = inode_get(inode);
	if (inode_path(inode, root, &f->path) || !text_end(&f->path)) {
		release_file(&f->mapped);
		return NULL;
	}
	f->mapped.path = f->path.bytes;
	if (code)
		find_build_id(f);
	return &f->mapped;
}

struct inode *file_map_inode(struct mapped *m)
{
	return m && m->ops == &file_ops ? inode_get(((struct file_mapping *)m)->inode) : NULL;
}

int file_map_exec(const struct tree_view *view, const char *path, struct exec_file *file)
{
	struct inode *inode;
	int err = walk_inode(view, NULL, path, true, &inode);

	if (err)
		return err;
	if ((inode->mode & MODE_TYPE) != MODE_REGULAR || !(inode->mode & 0111)) {
		inode_put(inode);
		return -EACCES;
	}
	file->mapped = file_map(inode, view->root, true);
	file->source = source_of(inode);
	inode_put(inode); /* the mapping has a reference */
	return file->mapped ? 0 : -ENOMEM;
}
