/* SPDX-License-Identifier: BSD-2-Clause */
/* sleeper.h - waits for other tasks by their state in /proc, so that no test depends on time. */
#ifndef TESTS_LINUX_SLEEPER_H
#define TESTS_LINUX_SLEEPER_H

#include <stdio.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

/* thread_state() - returns the letter of its state (proc(5)), or 0: there is no such thread. */
static inline char thread_state(pid_t process, pid_t thread)
{
	char path[64], text[256], *at;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/task/%d/stat", process, thread);
	f = fopen(path, "r");
	at = f && fgets(text, sizeof(text), f) ? strrchr(text, ')') : NULL;
	if (f)
		fclose(f);
	return at ? at[2] : 0;
}

/* await_sleeper() - waits until the thread sleeps. */
static inline void await_sleeper(pid_t process, pid_t thread)
{
	while (thread_state(process, thread) != 'S')
		usleep(1000);
}

#endif
