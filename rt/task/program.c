// SPDX-License-Identifier: BSD-2-Clause
/* program.c - see program.h. What was handed in and can be run is kept, once read, until the end of
 * the command. */
#include "rt/task/program.h"

#include "arch/x86/dev/fwcfg.h"
#include "arch/x86/insn.h"
#include "arch/x86/mem/paging.h"
#include "arch/x86/cpu/user.h"
#include "include/perf0/programs.h"
#include "lib/lock.h"
#include "lib/printf.h"
#include "lib/string.h"

static struct {
	struct lock lock;
	unsigned n;
	struct program program[PROGRAMS_MAX];
} programs;

static size_t program_pages_of(size_t bytes)
{
	return (bytes + PAGE_SIZE - 1) / PAGE_SIZE;
}

/* The whole file; NULL: there is none, or no memory. */
static void *read_program_file(unsigned i, size_t *bytes)
{
	char name[FWCFG_NAME_MAX];
	struct fwcfg_file file;
	void *memory;

	fmt_print(name, sizeof(name), PROGRAMS_FILE, i);
	if (!fwcfg_find(name, &file) || !file.bytes)
		return NULL;
	memory = page_alloc_user(program_pages_of(file.bytes));
	if (!memory)
		return NULL;
	fwcfg_read(&file, memory, file.bytes);
	*bytes = file.bytes;
	return memory;
}

/* The number of the file of that path; -1: it was not handed in. */
static int find_path(const char *path)
{
	for (unsigned i = 0; i < PROGRAMS_MAX; i++) {
		char name[FWCFG_NAME_MAX], text[PROGRAM_PATH_MAX];
		struct fwcfg_file file;

		fmt_print(name, sizeof(name), PROGRAMS_PATH, i);
		if (!fwcfg_find(name, &file))
			return -1;
		if (file.bytes >= sizeof(text))
			continue;
		fwcfg_read(&file, text, file.bytes);
		text[file.bytes] = '\0';
		if (!strcmp(text, path))
			return (int)i;
	}
	return -1;
}

static const char *program_base_name(const char *path)
{
	const char *name = path;

	for (; *path; path++)
		if (*path == '/' && path[1])
			name = path + 1;
	return name;
}

static const char *load_program_file(struct program *p, const char *path)
{
	const int number = find_path(path);
	const char *why;
	size_t bytes = 0;
	void *file;

	if (number < 0)
		return "the host tool handed in no such ELF file";
	file = read_program_file((unsigned)number, &bytes);
	if (!file)
		return "there is no memory for it";
	fmt_print(p->path, sizeof(p->path), "%s", path);
	p->workload = (struct workload){.name = program_base_name(p->path), .usage = ""};
	why = elf_read(&p->elf, file, bytes, WORKLOAD_ELF, WORKLOAD_ELF,
		       WORKLOAD_ELF + WORKLOAD_ELF_BYTES);
	if (why)
		page_free(file, program_pages_of(bytes));
	return why;
}

static const struct program *known_program(const char *path)
{
	for (unsigned i = 0; i < programs.n; i++)
		if (!strcmp(programs.program[i].path, path))
			return &programs.program[i];
	return NULL;
}

static const struct program *find_or_load(const char *path, const char **why)
{
	const struct program *p = known_program(path);

	if (p)
		return p;
	if (programs.n == PROGRAMS_MAX) {
		*why = "there are too many programs";
		return NULL;
	}
	*why = load_program_file(&programs.program[programs.n], path);
	return *why ? NULL : &programs.program[programs.n++];
}

void program_forget_all(void)
{
	for (; programs.n; programs.n--) {
		const struct elf *elf = &programs.program[programs.n - 1].elf;

		page_free((void *)(uintptr_t)elf->file, program_pages_of(elf->bytes));
	}
}

const struct program *program_find(const char *path, const char **why)
{
	uint64_t flags = irq_save();
	const struct program *p;

	lock_take(&programs.lock);
	p = find_or_load(path, why);
	lock_release(&programs.lock);
	irq_restore(flags);
	return p;
}
