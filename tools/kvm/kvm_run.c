// SPDX-License-Identifier: BSD-2-Clause
/* kvm_run.c - see kvm_run.h. */
#include "tools/kvm/kvm_run.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#include "tools/kvm/host_counts.h"
#include "tools/util/plainbuf.h"

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
	for (unsigned i = 0; i < run->n; i++) {
		run->counter[i] = host_instructions_open(run->tid[i], &run->uncounted);
		if (run->counter[i] < 0)
			break;
	}
}

/* Reads the sum over all threads. */
static struct host_figure read_instructions(const struct kvm_run *run)
{
	struct host_figure sum = {.is_known = true};
	uint64_t count;

	for (unsigned i = 0; i < run->n && sum.is_known; i++) {
		if (run->counter[i] < 0)
			return (struct host_figure){.why = run->uncounted};
		sum.is_known = !host_instructions_read(run->counter[i], &count, &sum.why);
		sum.value += sum.is_known ? count : 0;
	}
	return sum;
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
	open_counters(run);
}

void kvm_run_end(struct kvm_run *run)
{
	if (!run->has_begun)
		return;
	run->has_begun = run->in_command = false;
	for (unsigned i = 0; i < run->n; i++) {
		if (run->counter[i] >= 0)
			close(run->counter[i]);
		run->counter[i] = -1;
	}
}

/* --- Commands --- */

static struct host_figures read_figures(const struct kvm_run *run)
{
	return (struct host_figures){read_waited(run), read_exits(run), read_instructions(run)};
}

/* The difference between two readings. */
static struct host_figure difference(struct host_figure before, struct host_figure after)
{
	if (!before.is_known)
		return before;
	after.value -= after.is_known ? before.value : 0;
	return after;
}

static struct host_figures no_span(void)
{
	struct host_figure none = {.is_known = false};

	refuse(&none.why, ENODATA, "the command had ended before perf0 read of its begin");
	return (struct host_figures){none, none, none};
}

void kvm_command_begin(struct kvm_run *run, uint64_t in)
{
	if (!run->has_begun || run->in_command)
		return;
	run->in_command = true;
	run->begun_in = in;
	run->before = read_figures(run);
}

bool kvm_command_end(struct kvm_run *run, uint64_t in, bool is_whole, struct kvm_command *command)
{
	const struct host_figures *before = &run->before;
	struct host_figures after;

	if (!run->in_command)
		return false;
	run->in_command = false;
	command->is_whole = is_whole;
	if (in == run->begun_in) {
		command->passed = no_span();
		return true;
	}
	after = read_figures(run);
	command->passed = (struct host_figures){
		difference(before->waited, after.waited),
		difference(before->exits, after.exits),
		difference(before->instructions, after.instructions),
	};
	return true;
}

/* --- What is told --- */

static const char *span_of(const struct kvm_command *command)
{
	return command->is_whole ? "from perf0's reading of its begin to that of its end"
				 : "from perf0's reading of its begin to the end of the run";
}

static void add_cpus(struct buf *out, const struct kvm_run *run, const char *separator)
{
	for (unsigned i = 0; i < run->n; i++)
		buf_printf(out, "%s%u", i ? separator : "", run->cpu[i]);
}

static void tell_figure(struct buf *out, const char *what, const struct host_figure *figure)
{
	if (figure->is_known)
		buf_printf(out, "  %-40s %" PRIu64 "\n", what, figure->value);
	else
		buf_printf(out, "  %-40s not told: %s\n", what, figure->why.text);
}

void kvm_command_tell(const struct kvm_run *run, const struct kvm_command *command,
		      const char *title, struct buf *out)
{
	buf_printf(out, "host of the machine (KVM), while '%.*s' ran:\n", (int)strcspn(title, " "),
		   title);
	buf_printf(out, "  %-40s ", "CPUs of the host");
	if (run->is_pinned)
		add_cpus(out, run, ",");
	else
		buf_printf(out, "any: %s", run->unpinned.text);
	buf_printf(out, "\n");
	tell_figure(out, "KiB of memory in pages of 2 MiB", &run->huge_kib);
	tell_figure(out, "stolen: ns without a CPU of the host", &command->passed.waited);
	tell_figure(out, "exits from the guest", &command->passed.exits);
	tell_figure(out, "instructions:G, those of perf0 too", &command->passed.instructions);
	buf_printf(out, "  %s\n", span_of(command));
}

/* Appends a member, null where the figure is not known. Its reason goes to `reasons`. */
static void json_figure(struct buf *out, struct buf *reasons, const char *name,
			const struct host_figure *figure)
{
	if (figure->is_known) {
		buf_printf(out, ", \"%s\" : %" PRIu64, name, figure->value);
		return;
	}
	buf_printf(out, ", \"%s\" : null", name);
	buf_printf(reasons, "%s\"%s\" : ", reasons->size ? ", " : "", name);
	plain_add_json(reasons, figure->why.text);
}

void kvm_command_json(const struct kvm_run *run, const struct kvm_command *command,
		      const char *title, struct buf *out)
{
	struct buf reasons = {0};

	buf_printf(out, "{\"kvm_host\" : {\"command\" : ");
	plain_add_json(out, title);
	buf_printf(out, ", \"span\" : \"%s\", \"cpus\" : ", span_of(command));
	if (run->is_pinned) {
		buf_printf(out, "[");
		add_cpus(out, run, ", ");
		buf_printf(out, "]");
	} else {
		buf_printf(out, "null");
		buf_printf(&reasons, "\"cpus\" : ");
		plain_add_json(&reasons, run->unpinned.text);
	}
	json_figure(out, &reasons, "huge_kib", &run->huge_kib);
	json_figure(out, &reasons, "stolen_ns", &command->passed.waited);
	json_figure(out, &reasons, "exits", &command->passed.exits);
	json_figure(out, &reasons, "instructions_guest", &command->passed.instructions);
	buf_printf(out, ", \"not_told\" : {%s}}}\n", buf_text(&reasons));
	buf_free(&reasons);
}
