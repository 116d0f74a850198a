/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * workload.h - built-in workloads register themselves: one const struct and WORKLOAD(name). The
 * struct is the runtime's. Only the code of `entry`, and all that it uses, lies in the user
 * sections: linker.ld puts everything of apps/workloads/ there, except the registration.
 *
 * A workload's arguments are numbers. They are read and checked before it starts, so that ring 3
 * spends no instruction on them. Its entry is called as a function with them in RDI, RSI, RDX, RCX,
 * R8, R9. RSP is 8 below a multiple of 16, at the top of its own stack; RFLAGS is IF; everything
 * else is zero. It ends by exit_group(2). include/perf0/layout.h says where its memory is.
 *
 * The runtime sees the same code at another address. So a built-in workload may have no static
 * table of pointers: they would be the runtime's addresses.
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

/* A workload with its arguments, which can run any number of times while the command lasts. The
 * arguments of a built-in one are numbers, those of a program of the pack are words. */
struct workload_call {
	const struct workload *workload; /* NULL: a program */
	uint64_t args[6];
	struct pack_note listed;        /* path and words of a program, if the pack has them */
	char text[PROGRAM_WORDS_BYTES]; /* else its words; the first one is the path */
	unsigned nwords;
	char title[WORKLOAD_MAX_TITLE]; /* as the user wrote it */
};

/* workload_path() - the path of its program, or the name of a built-in one. workload_name() - the
 * path's last part. workload_words() - `nwords` terminated words, one after the other. */
const char *workload_path(const struct workload_call *call);
const char *workload_name(const struct workload_call *call);
const char *workload_words(const struct workload_call *call);

/*
 * workload_parse() - reads the name of a workload and its arguments from `argv`. A name with a
 * slash is the path of a file of the pack; argv.N stands for the path and the words that the pack
 * has under that name (program_pack.h). Returns 0, or -ENOENT or -EINVAL after one line of
 * complaint to err(), which starts with the name of the `command`. Task context.
 */
int workload_parse(const char *command, int argc, char **argv, struct workload_call *call);

/* workload_is_program() - does workload_parse() take the word for a program of the pack? */
bool workload_is_program(const char *word);

/* workload_is_known() - is there a workload, or a program of the stick, of that name? Task context.
 */
bool workload_is_known(const char *name);

/* workload_at() - the built-in workload that execve(2) starts by `path`, which is WORKLOAD_FOLDER
 * and its name. NULL: there is none. Any context. */
#define WORKLOAD_FOLDER "/perf0/bin/"
const struct workload *workload_at(const char *path);

#endif
