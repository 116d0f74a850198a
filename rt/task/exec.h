/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * exec.h - how a program comes into memory: its segments, its interpreter if it is linked
 * dynamically, its stack with words, environment and auxiliary vector (System V ABI, AMD64
 * supplement, "Process Initialization"; getauxval(3)). Nothing is random: two runs have the same
 * addresses and bytes.
 */
#ifndef RT_TASK_EXEC_H
#define RT_TASK_EXEC_H

#include "rt/tree/walk.h"
#include "rt/mem/mm.h"
#include "rt/portable/elf.h"

#include <stddef.h>
#include <stdint.h>

struct workload;

/* A file that can be loaded. The holder has a reference to `mapped`. */
struct exec_file {
	struct mapped *mapped;
	struct elf_source source;
};

/* A program to run. `strings` has `argc` words and then `envc` strings of the environment, one
 * behind the other, each terminated. */
struct exec {
	const char *path; /* AT_EXECFN */
	const char *strings;
	size_t bytes; /* of all strings */
	unsigned argc, envc;
	struct exec_file file;
	const struct workload *builtin; /* in place of the file; NULL: it is a file */
	uint64_t stack_bytes;           /* RLIMIT_STACK */
	const struct tree_view *view;   /* where it and its interpreter are looked for */
	char *own;                      /* exec_open(): `strings`, where they are the callee's */
};

/* Where it starts. */
struct exec_start {
	uint64_t rip, rsp;
	uint64_t args[6];
};

#define EXEC_STACK_BYTES (8ull << 20)

/*
 * exec_open() - the file of exec->path; of a script it is its interpreter's, and the words become
 * those that this gets. -E as execve(2). exec_close() - also where it failed: the file and such
 * words are put back.
 */
int exec_open(struct exec *exec);
void exec_close(struct exec *exec);

/*
 * exec_load() - into `mm`, which is empty. NULL; or why not, one sentence, with `*err` the errno of
 * execve(2).
 */
const char *exec_load(struct mm *mm, const struct exec *exec, struct exec_start *start, int *err);

/* exec_load_builtin() - the image's own user sections, with a heap at WORKLOAD_HEAP; -ENOMEM.
 * exec_load_words() - likewise for exec->builtin, whose arguments are the words; -EINVAL: it takes
 * no such ones. */
int exec_load_builtin(struct mm *mm, void (*entry)(void), const uint64_t args[6],
		      struct exec_start *start);
int exec_load_words(struct mm *mm, const struct exec *exec, struct exec_start *start);

/* exec_image_inode() - a file with those sections at the offsets that they have in the image, with
 * a reference; NULL: no memory. */
struct inode *exec_image_inode(void);

/* exec_refresh() - what lies at `in_image` in the user data of the image becomes the program's,
 * too, if it has that data. */
void exec_refresh(struct mm *mm, const void *in_image, size_t bytes);

#endif
