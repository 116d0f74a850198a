/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * likwid-marker.h - the marker macros of LIKWID, for programs that `perf0 stat -m` counts: a region
 * is one of perf0's (PERF0_SYS_REGION_BEGIN of include/perf0/perf0_syscalls.h), of the thread that
 * begins it. The macros need -DLIKWID_PERFMON, as LIKWID's do; without it they are empty. On a
 * Linux without perf0 they cost a system call and do nothing.
 *
 * LIKWID_MARKER_GET and LIKWID_MARKER_RESET do not exist: perf0 prints the counts.
 */
#ifndef PERF0_LIKWID_MARKER_H
#define PERF0_LIKWID_MARKER_H

#ifdef LIKWID_PERFMON

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define PERF0_LIKWID_BEGIN  5000
#define PERF0_LIKWID_END    5001
#define PERF0_LIKWID_REASON 5002

/* A wrong name, or a region that has not begun, costs one line, and the program goes on. */
static inline void perf0_likwid_mark(long call, const char *name)
{
	char why[256];
	long n;

	if (!syscall(call, name, strlen(name)) || errno == ENOSYS)
		return;
	n = syscall(PERF0_LIKWID_REASON, why, sizeof(why));
	fprintf(stderr, "LIKWID_MARKER: %.*s\n", n > 0 ? (int)n : 0, why);
}

#define LIKWID_MARKER_INIT           ((void)0)
#define LIKWID_MARKER_THREADINIT     ((void)0)
#define LIKWID_MARKER_SWITCH         ((void)0) /* all events are counted, in as many runs as that takes */
#define LIKWID_MARKER_CLOSE          ((void)0)
#define LIKWID_MARKER_REGISTER(name) ((void)(name))
#define LIKWID_MARKER_START(name)    perf0_likwid_mark(PERF0_LIKWID_BEGIN, name)
#define LIKWID_MARKER_STOP(name)     perf0_likwid_mark(PERF0_LIKWID_END, name)

#else

#define LIKWID_MARKER_INIT
#define LIKWID_MARKER_THREADINIT
#define LIKWID_MARKER_SWITCH
#define LIKWID_MARKER_CLOSE
#define LIKWID_MARKER_REGISTER(name)
#define LIKWID_MARKER_START(name)
#define LIKWID_MARKER_STOP(name)

#endif

#endif
