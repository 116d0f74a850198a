/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * exec.h - loads a program: its segments, its interpreter if it is linked dynamically, its stack
 * with words, environment and auxiliary vector (System V ABI, AMD64 supplement, "Process
 * Initialization"; getauxval(3)). Nothing is random: two runs have the same addresses and bytes.
 */
#ifndef LINUX_PROGRAM_EXEC_H
#define LINUX_PROGRAM_EXEC_H

#include "linux/tree/walk.h"
#include "linux/mem/mm.h"
#include "linux/portable/elf.h"

#include <stddef.h>
#include <stdint.h>

struct workload;

/* A file that can be loaded. The holder has a reference to `mapped`. */
struct exec_file {
	struct mapped *mapped;
	struct elf_source source;
};

struct credentials;

/* A program to run. `strings` has `argc` words and then `envc` strings of the environment, each
 * terminated. */
struct exec {
	const char *path; /* AT_EXECFN */
	const char *strings;
	size_t bytes; /* of all strings */
	unsigned argc, envc;
	struct exec_file file;
	const struct workload *builtin;        /* a program of the image; NULL: a file */
	uint64_t stack_bytes;                  /* RLIMIT_STACK */
	const struct credentials *credentials; /* AT_UID and the like; NULL: root */
	const struct tree_view
		*view; /* tree in which the program and its interpreter are looked up */
	char *own;     /* the memory of `strings`, if exec_open() allocated it */
};

/* Where a program starts. */
struct exec_start {
	uint64_t rip, rsp;
	uint64_t args[6];
};

#define EXEC_STACK_BYTES (8ull << 20)

/*
 * exec_open() - opens the file of exec->path. For a script it opens the interpreter, and the
 * words become the interpreter's. -E as execve(2). exec_close() - releases the file and the
 * words, also after exec_open() failed.
 */
int exec_open(struct exec *exec);
void exec_close(struct exec *exec);

/*
 * exec_load() - loads the program into `mm`, which is empty. NULL, or one sentence that says why it
 * cannot; `*err` is then the errno of execve(2).
 */
const char *exec_load(struct mm *mm, const struct exec *exec, struct exec_start *start, int *err);

/* exec_load_builtin() - maps the image's own user sections, with a heap at WORKLOAD_HEAP;
 * -ENOMEM. exec_load_words() - likewise for exec->builtin, with the words as its arguments;
 * -EINVAL: the program does not accept these words. */
int exec_load_builtin(struct mm *mm, void (*entry)(void), const uint64_t args[6],
		      struct exec_start *start);
int exec_load_words(struct mm *mm, const struct exec *exec, struct exec_start *start);

/* exec_image_inode() - a file that has these sections at their offsets in the image, with a
 * reference; NULL: no memory. */
struct inode *exec_image_inode(void);

/* exec_refresh() - copies the bytes at `in_image` in the user data of the image into the
 * program's copy of that data, if it has one. */
void exec_refresh(struct mm *mm, const void *in_image, size_t bytes);

#endif
