/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * host_counts.h - what the host knows of a thread that runs a CPU of a machine: reading it twice
 * gives what happened in between.
 */
#ifndef TOOLS_KVM_HOST_COUNTS_H
#define TOOLS_KVM_HOST_COUNTS_H

#include <stdint.h>
#include <sys/types.h>

#include "lib/reason.h"

/*
 * host_waited() - ns that thread `tid` of process `pid` has been ready without a CPU: the time that
 * the guest takes for stolen. Returns 0, or -E with the reason.
 */
int host_waited(pid_t pid, pid_t tid, uint64_t *ns, struct reason *why);

/*
 * host_exits() - exits of all CPUs of the machine from the guest to the host, of the folder
 * `debugfs` of KVM ("/sys/kernel/debug/kvm"). Returns 0, or -E with the reason.
 */
#define HOST_EXITS_FOLDER "/sys/kernel/debug/kvm"
int host_exits(const char *debugfs, pid_t pid, uint64_t *exits, struct reason *why);

/* host_huge_kib() - KiB of the process's memory that is in pages of 2 MiB. Returns 0, or -E with
 * the reason. */
int host_huge_kib(pid_t pid, uint64_t *kib, struct reason *why);

/*
 * host_instructions_open() - begins to count the instructions that the thread executes as a guest,
 * perf's instructions:G. Returns a descriptor, or -E with the reason. host_instructions_read() -
 * the count; -E: the host had no counter for it all the time.
 */
int host_instructions_open(pid_t tid, struct reason *why);
int host_instructions_read(int fd, uint64_t *count, struct reason *why);

#endif
