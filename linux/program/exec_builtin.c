// SPDX-License-Identifier: BSD-2-Clause
/* exec_builtin.c - the programs that are linked into the image. All of them are mapped at once. */
#include "linux/program/exec.h"

#include "arch/x86/mem/image.h"
#include "include/perf0/layout.h"
#include "lib/string.h"
#include "lib/words/workload_words.h"
#include "linux/file/regular.h"
#include "linux/mem/mapped_memory.h"

#include <linux/errno.h>
#include <linux/mman.h>

#define IMAGE_FILE "perf0.elf" /* the file that the image was made from */

struct user_section {
	const uint8_t *start, *end;
	unsigned prot;
};

static const struct user_section sections[] = {
	{__user_text_start, __user_text_end, PROT_READ | PROT_EXEC},
	{__user_rodata_start, __user_rodata_end, PROT_READ},
	{__user_data_start, __user_data_end, PROT_READ | PROT_WRITE},
};

#define NSECTIONS (sizeof(sections) / sizeof(sections[0]))

static uint64_t user_address(const void *in_image)
{
	return WORKLOAD_BASE + image_offset((uintptr_t)in_image);
}

/* The mapping begins at the start of the image, so that offsets are those of its ELF file. */
static struct mapped *image_file(void)
{
	static struct mapped_memory image;

	if (!image.mapped.refs) {
		mapped_memory_init(&image, &mapped_memory_kept_ops, IMAGE_FILE,
				   (void *)(uintptr_t)image_start,
				   (size_t)(__user_data_end - image_start) / PAGE_SIZE);
		image.mapped.build_id_bytes = image_build_id(&image.mapped.build_id);
	}
	return mapped_get(&image.mapped);
}

static int map_section(struct mm *mm, const struct user_section *s)
{
	struct mapped *image;
	long at;

	if (s->start == s->end)
		return 0;
	image = image_file();
	at = mm_map(mm, &(struct mm_request){
				.address = user_address(s->start),
				.bytes = (uint64_t)(s->end - s->start),
				.prot = s->prot,
				.flags = MAP_FIXED_NOREPLACE | MAP_PRIVATE | MAP_POPULATE,
				.from = image,
				.offset = image_offset((uintptr_t)s->start),
			});
	if (at < 0)
		mapped_put(image);
	return at < 0 ? (int)at : 0;
}

/* The file borrows the pages of the section (content.h). */
static int give_section(struct inode *inode, const struct user_section *s)
{
	int err = 0;

	for (const uint8_t *page = s->start; page < s->end && !err; page += PAGE_SIZE) {
		page_get(phys_of(page));
		err = content_give(&inode->content, image_offset((uintptr_t)page) / PAGE_SIZE,
				   (void *)(uintptr_t)page, true);
		if (err)
			page_put(phys_of(page));
	}
	return err;
}

struct inode *exec_image_inode(void)
{
	struct inode *inode = regular_new(0555, DEVICE_ROOT);
	uint64_t flags;
	int err = 0;

	if (!inode)
		return NULL;
	flags = tree_lock();
	for (size_t i = 0; i < NSECTIONS && !err; i++)
		err = give_section(inode, &sections[i]);
	inode->size = image_offset((uintptr_t)__user_data_end - 1) + 1;
	tree_unlock(flags);
	if (!err)
		return inode;
	inode_put(inode);
	return NULL;
}

static int map_memory(struct mm *mm, uint64_t address, uint64_t bytes, unsigned flags,
		      unsigned area)
{
	const long at = mm_map(mm, &(struct mm_request){
					   .address = address,
					   .bytes = bytes,
					   .prot = PROT_READ | PROT_WRITE,
					   .flags = MAP_FIXED_NOREPLACE | MAP_PRIVATE | flags,
					   .area = area,
				   });

	return at < 0 ? (int)at : 0;
}

int exec_load_builtin(struct mm *mm, void (*entry)(void), const uint64_t args[6],
		      struct exec_start *start)
{
	int err = 0;

	for (size_t i = 0; i < NSECTIONS && !err; i++)
		err = map_section(mm, &sections[i]);
	if (!err)
		err = map_memory(mm, WORKLOAD_HEAP, WORKLOAD_HEAP_BYTES, 0, AREA_HEAP | AREA_SMALL);
	if (!err)
		err = map_memory(mm, WORKLOAD_STACK_TOP - WORKLOAD_STACK_BYTES,
				 WORKLOAD_STACK_BYTES, MAP_POPULATE, AREA_STACK);
	mm->brk_start = mm->brk = WORKLOAD_HEAP + WORKLOAD_HEAP_BYTES;
	mm->exe = image_file();
	*start = (struct exec_start){
		.rip = user_address((const void *)entry),
		.rsp = WORKLOAD_STACK_TOP - 8,
	};
	memcpy(start->args, args, sizeof(start->args));
	return err;
}

/* Collects the words behind the program's name, up to the maximum. -E2BIG. */
static int find_words(const struct exec *exec, const char *words[WORKLOAD_MAX_PARAMS])
{
	const char *at = exec->strings;

	if (exec->argc > 1 + WORKLOAD_MAX_PARAMS)
		return -E2BIG;
	for (unsigned i = 0; i < exec->argc; i++, at += strlen(at) + 1)
		if (i)
			words[i - 1] = at;
	return exec->argc ? (int)exec->argc - 1 : 0;
}

int exec_load_words(struct mm *mm, const struct exec *exec, struct exec_start *start)
{
	const char *words[WORKLOAD_MAX_PARAMS];
	const int n = find_words(exec, words);
	uint64_t args[6] = {0};
	struct reason why;
	int err = n < 0 ? n : workload_args(exec->builtin, n, words, args, &why);

	return err ? err : exec_load_builtin(mm, exec->builtin->entry, args, start);
}

void exec_refresh(struct mm *mm, const void *in_image, size_t bytes)
{
	const uint64_t address = user_address(in_image);
	const struct area *a;
	bool there;

	lock_take(&mm->lock);
	a = areas_at(&mm->areas, address);
	there = a && a->from && a->from->path && !strcmp(a->from->path, IMAGE_FILE);
	lock_release(&mm->lock);
	if (there)
		mm_poke(mm, address, in_image, bytes);
}
