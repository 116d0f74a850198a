/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * program.h - programs that are no part of the image: ELF files that the host tool hands in.
 * docs/PROGRAMS.md says how they are built.
 */
#ifndef RT_TASK_PROGRAM_H
#define RT_TASK_PROGRAM_H

#include "include/perf0/programs.h"
#include "rt/mem/mapped_memory.h"
#include "rt/portable/elf.h"
#include "rt/task/workload.h"

#include <stdbool.h>

struct exec_file;

struct program {
	struct mapped_memory memory; /* its file */
	struct program *next;
	struct workload workload; /* its name, without the folder */
	char path[PROGRAM_PATH_MAX];
	struct elf elf;
	const void *file;
	size_t bytes;
	bool is_own; /* its file is not in the store, and goes with it */
};

/*
 * program_find() - the file `path`, as the host tool names it; read, and checked, when it is asked
 * for first. NULL: `*why` says in one sentence why not, and nothing of it is left. Task context.
 *
 * program_forget_all() - what was found is no more, and its memory is free. Task context, while
 * nothing runs and no process is left that came from one (task_forget_memory()).
 */
const struct program *program_find(const char *path, const char **why);
void program_forget_all(void);

/* program_file() - to be loaded, with a reference. program_open() - likewise, by its path, for
 * execve(2); -ENOENT. */
struct exec_file program_file(const struct program *p);
int program_open(const char *path, struct exec_file *file);

#endif
