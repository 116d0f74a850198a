// SPDX-License-Identifier: BSD-2-Clause
/* proc_text.c - see proc_text.h. */
#include "linux/tree/proc_text.h"

#include "lib/time.h"

#include <linux/mman.h>
#include <linux/resource.h>

#define LENGTH(rows) (sizeof(rows) / sizeof((rows)[0]))
#define ULL(n)       ((unsigned long long)(n))

/* --- maps --- */

#define NAME_COLUMN 73 /* column at which the name of an area begins */

static void pad_to(struct text *text, size_t from, size_t column)
{
	while (!text->failed && text->size < from + column)
		text_add(text, " ", 1);
}

/* A name takes one line: as in Linux, a newline in it is written as \012. */
static void add_escaped_name(struct text *text, const char *name)
{
	for (; *name; name++)
		if (*name == '\n')
			text_print(text, "\\012");
		else
			text_add(text, name, 1);
}

void proc_text_area(struct text *text, const struct proc_area *a)
{
	const size_t from = text->size;

	text_print(text, "%08llx-%08llx %c%c%c%c %08llx 00:%02x %llu ", ULL(a->start), ULL(a->end),
		   a->prot & PROT_READ ? 'r' : '-', a->prot & PROT_WRITE ? 'w' : '-',
		   a->prot & PROT_EXEC ? 'x' : '-', a->shared ? 's' : 'p', ULL(a->offset),
		   a->inode ? a->device : 0, ULL(a->inode));
	if (a->name[0]) {
		pad_to(text, from, NAME_COLUMN);
		add_escaped_name(text, a->name);
	}
	text_add(text, "\n", 1);
}

/* --- limits --- */

static const struct {
	uint8_t number; /* RLIMIT_ */
	const char *name, *unit;
} limits[] = {
	{RLIMIT_CPU, "Max cpu time", "seconds"},
	{RLIMIT_FSIZE, "Max file size", "bytes"},
	{RLIMIT_DATA, "Max data size", "bytes"},
	{RLIMIT_STACK, "Max stack size", "bytes"},
	{RLIMIT_CORE, "Max core file size", "bytes"},
	{RLIMIT_RSS, "Max resident set", "bytes"},
	{RLIMIT_NPROC, "Max processes", "processes"},
	{RLIMIT_NOFILE, "Max open files", "files"},
	{RLIMIT_MEMLOCK, "Max locked memory", "bytes"},
	{RLIMIT_AS, "Max address space", "bytes"},
	{RLIMIT_LOCKS, "Max file locks", "locks"},
	{RLIMIT_SIGPENDING, "Max pending signals", "signals"},
	{RLIMIT_MSGQUEUE, "Max msgqueue size", "bytes"},
	{RLIMIT_NICE, "Max nice priority", ""},
	{RLIMIT_RTPRIO, "Max realtime priority", ""},
	{RLIMIT_RTTIME, "Max realtime timeout", "us"},
};

static void add_limit(struct text *text, uint64_t limit)
{
	const size_t from = text->size;

	if (limit == UINT64_MAX)
		text_print(text, "unlimited");
	else
		text_print(text, "%llu", ULL(limit));
	pad_to(text, from, 20);
	text_add(text, " ", 1);
}

void proc_text_limits(struct text *text, const uint64_t *soft, const uint64_t *hard)
{
	text_print(text, "%-25s %-20s %-20s %-10s\n", "Limit", "Soft Limit", "Hard Limit", "Units");
	for (size_t i = 0; i < LENGTH(limits); i++) {
		text_print(text, "%-25s ", limits[i].name);
		add_limit(text, soft[limits[i].number]);
		add_limit(text, hard[limits[i].number]);
		text_print(text, limits[i].unit[0] ? "%-10s\n" : "%s\n", limits[i].unit);
	}
}

/* --- stat --- */

static void add_numbers(struct text *text, const uint64_t *n, size_t count)
{
	for (size_t i = 0; i < count; i++)
		text_print(text, " %llu", ULL(n[i]));
}

void proc_text_stat(struct text *text, const struct proc_stat *s)
{
	const uint64_t times[] = {s->minor,          s->children_minor, s->major,
				  s->children_major, s->user,           s->sys,
				  s->children_user,  s->children_sys};
	const uint64_t memory[] = {s->began,      s->bytes,    s->pages,       s->pages_most,
				   s->code_start, s->code_end, s->stack_start, s->rsp,
				   s->rip,        s->pending,  s->blocked,     s->ignored,
				   s->caught};
	const uint64_t parts[] = {s->data_start, s->data_end,  s->brk_start, s->args_start,
				  s->args_end,   s->env_start, s->env_end};

	/* No terminal, so no group of one; flags; 20 and 0: priority and nice value. */
	text_print(text, "%u (%s) %c %u %u %u 0 -1 4194304", s->pid, s->comm, s->state, s->parent,
		   s->group, s->session);
	add_numbers(text, times, LENGTH(times));
	text_print(text, " 20 0 %u 0", s->threads);
	add_numbers(text, memory, LENGTH(memory));
	text_print(text, " 0 0 0 %d %u 0 0 0 0 0", s->exit_signal, s->cpu);
	add_numbers(text, parts, LENGTH(parts));
	text_print(text, " %d\n", s->exit_code);
}

/* --- loadavg --- */

#define LOAD_ONE    (1u << PROC_LOAD_BITS)
#define LOAD_PERIOD (5 * NSEC_PER_SEC)

/* 2^11 / e^(5 s / 1, 5, 15 minutes): the remaining weight of an average after a period. */
static const uint64_t left[3] = {1884, 2014, 2037};

/* The remaining weight after `n` periods. */
static uint64_t left_after(uint64_t one, uint64_t n)
{
	uint64_t all = LOAD_ONE;

	for (; n; n >>= 1, one = one * one >> PROC_LOAD_BITS)
		if (n & 1)
			all = all * one >> PROC_LOAD_BITS;
	return all;
}

void proc_load_pass(uint64_t load[3], uint64_t ns, uint64_t running)
{
	const uint64_t periods = ns / LOAD_PERIOD;

	for (unsigned i = 0; i < 3; i++) {
		const uint64_t old = left_after(left[i], periods);

		load[i] = (load[i] * old + running * (LOAD_ONE - old)) >> PROC_LOAD_BITS;
	}
}

void proc_text_load(struct text *text, const uint64_t load[3])
{
	for (unsigned i = 0; i < 3; i++) {
		const uint64_t rounded = load[i] + LOAD_ONE / 200;

		text_print(text, "%llu.%02llu ", ULL(rounded >> PROC_LOAD_BITS),
			   ULL((rounded & (LOAD_ONE - 1)) * 100 >> PROC_LOAD_BITS));
	}
}
