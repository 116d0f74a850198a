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

/* Figures at one moment, or their differences between two. */
struct host_figures {
	struct host_figure waited, exits, instructions;
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
	struct reason uncounted;    /* why a counter is missing */
	struct host_figure huge_kib;
	bool in_command;
	uint64_t begun_in;          /* the read in which the command's begin was */
	struct host_figures before; /* at that moment */
};

/* The figures of one command. */
struct kvm_command {
	bool is_whole; /* perf0 also read of its end */
	struct host_figures passed;
};

/*
 * kvm_run_begin() - pins threads `tid` of process `pid`, `n` of them, to the host's CPUs `wanted`
 * (NULL: any), and begins to count. What the host refuses is told by kvm_command_tell().
 * kvm_run_end() - stops counting.
 */
void kvm_run_begin(struct kvm_run *run, pid_t pid, const pid_t tid[], unsigned n,
		   const char *wanted);
void kvm_run_end(struct kvm_run *run);

/*
 * kvm_command_begin() - reads the figures when the machine's stream tells that a command begins.
 * kvm_command_end() - reads them again when it tells the end, or (`is_whole` false) when the run
 * ends before, while the threads still exist. Each read of the stream has a number, `in`: where one
 * read has begin and end, there are no figures. A stream may repeat a begin, which changes nothing.
 * False: no command has begun.
 */
void kvm_command_begin(struct kvm_run *run, uint64_t in);
bool kvm_command_end(struct kvm_run *run, uint64_t in, bool is_whole, struct kvm_command *command);

/*
 * kvm_command_tell() - appends lines for people about a command with the title `title`, with line
 * ends. kvm_command_json() - appends the same as an object of JSON, in a line.
 */
void kvm_command_tell(const struct kvm_run *run, const struct kvm_command *command,
		      const char *title, struct buf *out);
void kvm_command_json(const struct kvm_run *run, const struct kvm_command *command,
		      const char *title, struct buf *out);

#endif
