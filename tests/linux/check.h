/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * check.h - for programs that check system calls. They run on the host, where their expectations
 * must hold, too, and in perf0. A program prints each check that fails, and at its end how many
 * checks there were.
 */
#ifndef TESTS_LINUX_CHECK_H
#define TESTS_LINUX_CHECK_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <errno.h>
#include <stdio.h>
#include <string.h>

static int checked, failed;

/* An unmapped address, whose value is hidden from the compiler. */
static void *volatile nowhere __attribute__((unused)) = (void *)8;

/* check() - checks that `what` is true. */
#define check(what) check_at(what, #what, __LINE__)

/* check_error() - checks that `call` fails with errno `wanted`. */
#define check_error(call, wanted) check_error_at((long)(call), wanted, #call, __LINE__)

static inline int check_at(int holds, const char *what, int line)
{
	checked++;
	if (holds)
		return 1;
	failed++;
	printf("line %d: not so: %s (errno %d, %s)\n", line, what, errno, strerror(errno));
	fflush(stdout);
	return 0;
}

static inline void check_error_at(long result, int wanted, const char *call, int line)
{
	const int got = result == -1 ? errno : 0;

	checked++;
	if (got == wanted)
		return;
	failed++;
	printf("line %d: %s gave %ld, errno %d (%s), wanted errno %d (%s)\n", line, call, result,
	       got, strerror(got), wanted, strerror(wanted));
	fflush(stdout);
}

static inline int check_end(void)
{
	printf("%s: %d checked, %d failed\n", program_invocation_short_name, checked, failed);
	return failed != 0;
}

#endif
