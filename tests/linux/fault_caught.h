/* SPDX-License-Identifier: BSD-2-Clause */
/* fault_caught.h - accesses memory that may be inaccessible, and catches the signal. For tests of
 * such memory.
 */
#ifndef TESTS_LINUX_FAULT_CAUGHT_H
#define TESTS_LINUX_FAULT_CAUGHT_H

#include <setjmp.h>
#include <signal.h>
#include <stddef.h>

static sigjmp_buf fault_back;
static volatile void *fault_address;

static inline void fault_caught(int number, siginfo_t *info, void *context)
{
	(void)context;
	fault_address = info->si_addr;
	siglongjmp(fault_back, number);
}

/* fault_of() - returns the signal that the access raises, SIGSEGV or SIGBUS; 0 where it succeeds;
 * -1 where the signal names another address. */
static inline int fault_of(volatile char *at, int writes)
{
	struct sigaction action = {.sa_sigaction = fault_caught, .sa_flags = SA_SIGINFO};
	int number;

	sigaction(SIGSEGV, &action, NULL);
	sigaction(SIGBUS, &action, NULL);
	number = sigsetjmp(fault_back, 1);
	if (number)
		return fault_address == at ? number : -1;
	if (writes)
		*at = 1;
	else
		(void)*at;
	return 0;
}

static inline int faults(volatile char *at, int writes)
{
	return fault_of(at, writes) > 0;
}

#endif
