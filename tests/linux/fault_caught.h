/* SPDX-License-Identifier: BSD-2-Clause */
/* fault_caught.h - for checks of memory that cannot be accessed: the access is made, and its signal
 * kept.
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

/* fault_of() - the signal in which this access ends, SIGSEGV or SIGBUS, at that address; 0: it does
 * not; -1: at another address. */
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
