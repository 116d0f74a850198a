/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * proc_text.h - lines of files in /proc/<pid>, as proc(5) has them. Pure, but for the heap.
 */
#ifndef LINUX_TREE_PROC_TEXT_H
#define LINUX_TREE_PROC_TEXT_H

#include "linux/file/text.h"

#include <stdbool.h>
#include <stdint.h>

/* proc_text_area() - writes a line of maps; `name` is "" for an area without one. */
struct proc_area {
	uint64_t start, end, offset, inode;
	unsigned prot; /* PROT_ bits of mmap(2) */
	bool shared;
	unsigned device; /* its minor number; 0 with no inode */
	const char *name;
};
void proc_text_area(struct text *text, const struct proc_area *area);

/* proc_text_limits() - writes the whole file limits. `soft` and `hard` are indexed by RLIMIT_
 * numbers; UINT64_MAX: no limit. */
void proc_text_limits(struct text *text, const uint64_t *soft, const uint64_t *hard);

/*
 * proc_text_stat() - writes the line of stat. Times are in ticks of 1/100 s. `state` is a letter.
 */
struct proc_stat {
	unsigned pid;
	const char *comm;
	char state;
	unsigned parent, group, session;
	uint64_t minor, children_minor, major, children_major;  /* faults */
	uint64_t user, sys, children_user, children_sys, began; /* ticks */
	unsigned threads;
	uint64_t bytes, pages, pages_most; /* of memory; RLIMIT_RSS in bytes */
	uint64_t code_start, code_end, stack_start, rsp, rip;
	uint64_t pending, blocked, ignored, caught; /* signals below 32 */
	int exit_signal;
	unsigned cpu;
	uint64_t data_start, data_end, brk_start, args_start, args_end, env_start, env_end;
	int exit_code;
};
void proc_text_stat(struct text *text, const struct proc_stat *s);

/* proc_text_load() - writes the three averages of /proc/loadavg, which have 11 bits of fraction. */
#define PROC_LOAD_BITS 11
void proc_text_load(struct text *text, const uint64_t load[3]);

/*
 * proc_load_pass() - updates the averages over 1, 5 and 15 minutes after `ns` in which on average
 * `running` tasks ran, with the same bits of fraction. Calls for parts of a time add up to one call
 * for all of it.
 */
void proc_load_pass(uint64_t load[3], uint64_t ns, uint64_t running);

#endif
