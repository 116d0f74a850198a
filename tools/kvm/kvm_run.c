// SPDX-License-Identifier: BSD-2-Clause
/* kvm_run.c - see kvm_run.h. */
#include "tools/kvm/kvm_run.h"

#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#include "tools/kvm/host_counts.h"

/* Reads the sum over all threads. */
static struct host_figure read_waited(const struct kvm_run *run)
{
	struct host_figure sum = {.is_known = true};
	uint64_t ns;

	for (unsigned i = 0; i < run->n && sum.is_known; i++) {
		sum.is_known = !host_waited(run->pid, run->tid[i], &ns, &sum.why);
		sum.value += sum.is_known ? ns : 0;
	}
	return sum;
}

static struct host_figure read_exits(const struct kvm_run *run)
{
	struct host_figure exits = {0};

	exits.is_known = !host_exits(HOST_EXITS_FOLDER, run->pid, &exits.value, &exits.why);
	return exits;
}

static struct host_figure read_huge_kib(const struct kvm_run *run)
{
	struct host_figure kib = {0};

	kib.is_known = !host_huge_kib(run->pid, &kib.value, &kib.why);
	return kib;
}

static void open_counters(struct kvm_run *run)
{
	for (unsigned i = 0; i < KVM_CPUS_MOST; i++)
		run->counter[i] = -1;
	run->instructions.is_known = true;
	for (unsigned i = 0; i < run->n && run->instructions.is_known; i++) {
		run->counter[i] = host_instructions_open(run->tid[i], &run->instructions.why);
		run->instructions.is_known = run->counter[i] >= 0;
	}
}

static void close_counters(struct kvm_run *run)
{
	struct host_figure *sum = &run->instructions;
	uint64_t count;

	for (unsigned i = 0; i < run->n; i++) {
		if (run->counter[i] < 0)
			continue;
		if (sum->is_known &&
		    !(sum->is_known = !host_instructions_read(run->counter[i], &count, &sum->why)))
			count = 0;
		sum->value += sum->is_known ? count : 0;
		close(run->counter[i]);
		run->counter[i] = -1;
	}
}

static void pin_threads(struct kvm_run *run, const char *wanted)
{
	int err = host_cpus_choose(wanted, run->n, run->cpu, &run->unpinned);

	for (unsigned i = 0; !err && i < run->n; i++)
		err = host_cpus_pin(run->tid[i], run->cpu[i], &run->unpinned);
	run->is_pinned = !err;
}

void kvm_run_begin(struct kvm_run *run, pid_t pid, const pid_t tid[], unsigned n,
		   const char *wanted)
{
	*run = (struct kvm_run){.pid = pid, .n = n < KVM_CPUS_MOST ? n : KVM_CPUS_MOST};
	memcpy(run->tid, tid, run->n * sizeof(*tid));
	pin_threads(run, wanted);
	run->has_begun = true;
	run->huge_kib = read_huge_kib(run);
	run->waited = read_waited(run);
	run->exits = read_exits(run);
	open_counters(run);
}

/* The difference between two readings. */
static struct host_figure difference(struct host_figure before, struct host_figure after)
{
	if (!before.is_known)
		return before;
	after.value -= after.is_known ? before.value : 0;
	return after;
}

bool kvm_run_end(struct kvm_run *run)
{
	if (!run->has_begun)
		return false;
	run->has_begun = false;
	close_counters(run);
	run->exits = difference(run->exits, read_exits(run));
	run->waited = difference(run->waited, read_waited(run));
	return true;
}

static void tell_figure(struct buf *out, const char *what, const struct host_figure *figure)
{
	if (figure->is_known)
		buf_printf(out, "  %-40s %" PRIu64 "\n", what, figure->value);
	else
		buf_printf(out, "  %-40s not told: %s\n", what, figure->why.text);
}

void kvm_run_tell(const struct kvm_run *run, struct buf *out)
{
	buf_printf(out, "host of the machine (KVM), from its first command to its last:\n");
	buf_printf(out, "  %-40s ", "CPUs of the host");
	if (!run->is_pinned)
		buf_printf(out, "any: %s", run->unpinned.text);
	for (unsigned i = 0; run->is_pinned && i < run->n; i++)
		buf_printf(out, "%s%u", i ? "," : "", run->cpu[i]);
	buf_printf(out, "\n");
	tell_figure(out, "KiB of memory in pages of 2 MiB", &run->huge_kib);
	tell_figure(out, "stolen: ns without a CPU of the host", &run->waited);
	tell_figure(out, "exits from the guest", &run->exits);
	tell_figure(out, "instructions:G, those of perf0 too", &run->instructions);
}
