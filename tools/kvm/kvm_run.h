/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * kvm_run.h - the host's side of one run of a machine with KVM: threads stay on CPUs of the host,
 * and what disturbed them is told at the end.
 */
#ifndef TOOLS_KVM_KVM_RUN_H
#define TOOLS_KVM_KVM_RUN_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "lib/reason.h"
#include "tools/kvm/host_cpus.h"
#include "tools/util/buf.h"

/* A figure of the host, or the reason why there is none. */
struct host_figure {
	bool is_known;
	uint64_t value;
	struct reason why;
};

struct kvm_run {
	bool has_begun;
	pid_t pid;
	unsigned n; /* threads, one for each CPU of the machine */
	pid_t tid[KVM_CPUS_MOST];
	bool is_pinned;
	unsigned cpu[KVM_CPUS_MOST]; /* of the host, if is_pinned */
	struct reason unpinned;
	int counter[KVM_CPUS_MOST]; /* of instructions:G; negative: none */
	struct host_figure waited, exits, instructions, huge_kib;
};

/*
 * kvm_run_begin() - pins threads `tid` of process `pid`, `n` of them, to the host's CPUs `wanted`
 * (NULL: any), and begins to count. What the host refuses is told by kvm_run_tell().
 */
void kvm_run_begin(struct kvm_run *run, pid_t pid, const pid_t tid[], unsigned n,
		   const char *wanted);

/* kvm_run_end() - reads the figures, while the threads still exist. False: it has not begun. */
bool kvm_run_end(struct kvm_run *run);

/* kvm_run_tell() - appends lines for people, with line ends. */
void kvm_run_tell(const struct kvm_run *run, struct buf *out);

#endif
