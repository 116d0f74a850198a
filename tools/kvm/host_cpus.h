/* SPDX-License-Identifier: BSD-2-Clause */
/* host_cpus.h - the host's CPUs on which the threads of a machine's CPUs stay. */
#ifndef TOOLS_KVM_HOST_CPUS_H
#define TOOLS_KVM_HOST_CPUS_H

#include <sys/types.h>

#include "lib/reason.h"

#define KVM_CPUS_MOST 64

/*
 * host_cpus_choose() - chooses `n` CPUs of the host (at most KVM_CPUS_MOST) of the list `wanted`,
 * as "2,4-7", or of all that this process may use. The last ones are chosen: the first CPU serves
 * most interrupts. Returns 0, or -E with the reason if there are not enough.
 */
int host_cpus_choose(const char *wanted, unsigned n, unsigned cpus[], struct reason *why);

/* host_cpus_pin() - keeps thread `tid` on CPU `cpu`. Returns 0, or -E with the reason. */
int host_cpus_pin(pid_t tid, unsigned cpu, struct reason *why);

#endif
