/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * workload.h - built-in workloads register themselves: one const struct and WORKLOAD(name). The
 * description is the runtime's; only the code that `entry` names, and what it uses, lies in the
 * user sections (linker.ld puts everything of apps/workloads/ there, apart from the registration).
 *
 * A workload's arguments are numbers, read and checked before it starts, so that ring 3 spends no
 * instruction on them. It starts at its entry as a function that is called with them (RDI, RSI,
 * RDX, RCX, R8, R9), RSP 16-byte aligned minus 8 at the top of its own stack, RFLAGS = IF,
 * everything else zero, and ends by exit_group(2). include/perf0/layout.h says where its memory is.
 *
 * The same code is visible to the runtime at another address: a built-in workload may hold no
 * static table of pointers, since those would be the runtime's.
 */
#ifndef LINUX_PROGRAM_WORKLOAD_H
#define LINUX_PROGRAM_WORKLOAD_H

#include "include/perf0/programs.h"
#include "include/perf0/registered.h"
#include "linux/program/program_pack.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define WORKLOAD_MAX_TITLE 512

#define WORKLOAD_ENTRY(w)                                      \
	static const struct workload *const workload_entry_##w \
		__attribute__((used, section(".workloads"))) = &(w)

extern const struct workload *const __workloads_start[], *const __workloads_end[];

/* A workload with its arguments, ready to run any number of times while the command lasts: numbers
 * for one that is built in, words for a program of the pack. */
struct workload_call {
	const struct workload *workload; /* NULL: a program */
	uint64_t args[6];
	struct pack_note listed;        /* a program's path and words, where they are in the pack */
	char text[PROGRAM_WORDS_BYTES]; /* else its words, of which the path is the first */
	unsigned nwords;
	char title[WORKLOAD_MAX_TITLE]; /* as the user wrote it */
};

/* workload_path() - of its program, or the name of one that is built in. workload_name() - that
 * without its folder. workload_words() - `nwords` of them, each terminated, one behind the other.
 */
const char *workload_path(const struct workload_call *call);
const char *workload_name(const struct workload_call *call);
const char *workload_words(const struct workload_call *call);

/*
 * workload_parse() - `argv` is the workload's name and its arguments; a name with a slash in it is
 * the path of a file of the pack, and argv.N has path and words there (program_pack.h). Returns 0,
 * or -ENOENT or -EINVAL after one line of complaint, which starts with the name of the `command`,
 * went to err(). Task context.
 */
int workload_parse(const char *command, int argc, char **argv, struct workload_call *call);

/* workload_is_program() - the word names a program of the pack, as workload_parse() takes it. */
bool workload_is_program(const char *word);

/* workload_at() - the built-in one that execve(2) knows by `path`: WORKLOAD_FOLDER and its name.
 * NULL: that is no such path. Any context. */
#define WORKLOAD_FOLDER "/perf0/bin/"
const struct workload *workload_at(const char *path);

#endif
