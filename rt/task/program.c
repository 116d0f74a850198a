// SPDX-License-Identifier: BSD-2-Clause
/*
 * program.c - see program.h. What was handed in with the start of the machine (fw_cfg) is read when
 * a command runs it first, and kept until the end of that command; what was sent lies in the store.
 */
#include "rt/task/program.h"

#include "arch/x86/cpu/user.h"
#include "arch/x86/dev/fwcfg.h"
#include "arch/x86/insn.h"
#include "arch/x86/mem/paging.h"
#include "lib/lock.h"
#include "lib/printf.h"
#include "lib/string.h"
#include "rt/task/exec.h"
#include "rt/task/store.h"

#include <linux/errno.h>

/* Each has its own pages. */
#define PROGRAM_PAGES program_pages_of(sizeof(struct program))

static struct {
	struct lock lock;
	struct program *first;
} programs;

static size_t program_pages_of(size_t bytes)
{
	return (bytes + PAGE_SIZE - 1) / PAGE_SIZE;
}

/* The row of that path in the pack; false: it was not handed in. */
static bool find_row(const struct fwcfg_file *pack, const char *path, struct programs_row *row)
{
	struct programs_head head;
	uint32_t at = sizeof(head);

	if (!fwcfg_read(pack, 0, &head, sizeof(head)))
		return false;
	for (uint32_t i = 0; i < head.n; i++, at += sizeof(*row)) {
		if (!fwcfg_read(pack, at, row, sizeof(*row)))
			return false;
		row->path[sizeof(row->path) - 1] = '\0';
		if (!strcmp(row->path, path))
			return true;
	}
	return false;
}

/* From what the machine was started with. NULL: `*why` says why not. */
static void *read_file(const char *path, size_t *bytes, const char **why)
{
	struct programs_row row;
	struct fwcfg_file pack;
	void *memory;

	*why = "the host tool handed in no such ELF file";
	if (!fwcfg_find(PROGRAMS_PACK, &pack) || !find_row(&pack, path, &row))
		return NULL;
	*why = "there is no memory for it";
	memory = page_alloc_user(program_pages_of(row.bytes));
	if (!memory)
		return NULL;
	*bytes = row.bytes;
	if (fwcfg_read(&pack, (uint32_t)row.offset, memory, row.bytes))
		return memory;
	*why = "it can not be read";
	page_free(memory, program_pages_of(row.bytes));
	return NULL;
}

static const char *program_base_name(const char *path)
{
	const char *name = path;

	for (; *path; path++)
		if (*path == '/' && path[1])
			name = path + 1;
	return name;
}

static void free_file(struct program *p)
{
	if (p->is_own)
		mapped_memory_give(&p->memory);
	else
		mapped_memory_take_back(&p->memory);
}

static const char *load_program_file(struct program *p, const char *path)
{
	struct elf_source source;
	const char *why;
	size_t bytes = 0;
	const void *file = store_find(path, &bytes);

	p->is_own = !file;
	if (!file)
		file = read_file(path, &bytes, &why);
	if (!file)
		return why;
	fmt_print(p->path, sizeof(p->path), "%s", path);
	p->workload = (struct workload){.name = program_base_name(p->path), .usage = ""};
	p->file = file;
	p->bytes = bytes;
	mapped_memory_init(&p->memory, p->path, file, program_pages_of(bytes));
	source = elf_memory(file, bytes);
	why = elf_read(&p->elf, &source, USER_PIE, USER_START, USER_END);
	if (why) {
		free_file(p);
		return why;
	}
	p->memory.mapped.build_id = p->elf.build_id;
	p->memory.mapped.build_id_bytes = p->elf.build_id_bytes;
	return NULL;
}

static struct program *known_program(const char *path)
{
	struct program *p = programs.first;

	while (p && strcmp(p->path, path))
		p = p->next;
	return p;
}

static const struct program *read_program(const char *path, const char **why)
{
	struct program *p = page_alloc_user(PROGRAM_PAGES);

	*why = p ? load_program_file(p, path) : "there is no memory for it";
	if (p && *why)
		page_free(p, PROGRAM_PAGES);
	if (*why)
		return NULL;
	p->next = programs.first;
	programs.first = p;
	return p;
}

static void forget_program(struct program *p)
{
	free_file(p);
	page_free(p, PROGRAM_PAGES);
}

struct exec_file program_file(const struct program *p)
{
	return (struct exec_file){
		.mapped = mapped_get((struct mapped *)(uintptr_t)&p->memory.mapped),
		.source = elf_memory(p->file, p->bytes),
	};
}

int program_open(const char *path, struct exec_file *file)
{
	const char *why;
	const struct program *p = program_find(path, &why);

	if (!p)
		return -ENOENT;
	*file = program_file(p);
	return 0;
}

void program_forget_all(void)
{
	while (programs.first) {
		struct program *p = programs.first;

		programs.first = p->next;
		forget_program(p);
	}
}

const struct program *program_find(const char *path, const char **why)
{
	uint64_t flags = irq_save();
	const struct program *p;

	lock_take(&programs.lock);
	p = known_program(path);
	if (!p)
		p = read_program(path, why);
	lock_release(&programs.lock);
	irq_restore(flags);
	return p;
}
