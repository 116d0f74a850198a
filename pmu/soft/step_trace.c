// SPDX-License-Identifier: BSD-2-Clause
/*
 * step_trace.c - the PMU step_trace follows ring 3 instruction by instruction and counts the
 * instructions. Where the event's ring has an AUX area, it writes there the packets that Intel PT
 * would write of the branches taken. SDM vol. 3, "Intel Processor Trace". It needs no PMU of the
 * machine.
 *
 * The trace is of ring 3 only (IA32_RTIT_CTL.OS clear). Leaving ring 3 is TIP.PGD, after a FUP
 * where an interrupt or an exception did it; coming back is TIP.PGE. Returns are never compressed.
 * There is one address space, so there is no PIP. No packet is ever dropped inside a trace, so
 * there is no OVF.
 *
 * When the area is full, the trace ends as if ring 3 had been left. It begins anew once the reader
 * has made room; instructions are counted all the same. Each section of the trace begins with PSB,
 * so it can be decoded alone.
 */

#include "arch/x86/insn.h"
#include "lib/panic.h"
#include "pmu/record/record_aux.h"
#include "pmu/names/dynamic.h"
#include "pmu/record/output.h"
#include "pmu/soft/pt.h"
#include "lib/reason.h"
#include "pmu/names/step_trace.h"
#include "pmu/core/open.h"

#include <linux/errno.h>

/* The end of a trace: the gathered branches, FUP, TIP.PGD. */
#define CLOSE_BYTES (PT_TNT_BYTES + PT_IP_BYTES + 1)

/*
 * The most bytes that one step writes: an interrupt and a branch after it, or a TSC and a PGE, and
 * PSB.
 */
#define STEP_BYTES (CLOSE_BYTES + PT_TSC_BYTES + PT_IP_BYTES + PT_TNT_BYTES + PT_SYNC_BYTES)
_Static_assert(STEP_BYTES + CLOSE_BYTES <= PT_ROOM, "packets of a step have room");

static PERCPU struct {
	struct pmu_event *event; /* the active event; NULL: none */
	struct pt pt;
	struct rb_aux_output aux;
	bool open;         /* an output to the AUX area is open */
	bool full;         /* the trace stopped: the area had no room for it */
	bool inside;       /* the traced code is in ring 3: PT's PacketEn */
	bool timed;        /* with TSC packets */
	uint64_t psb_each; /* the distance between two PSBs, in bytes */
	uint64_t next_psb; /* the position of the next PSB in the area */
} trace;

/* --- Into the AUX area --- */

static void flush_packets(void)
{
	rb_aux_put(&trace.aux, trace.pt.out, trace.pt.n);
	trace.pt.n = 0;
}

static void put_sync(uint64_t ip)
{
	pt_sync(&trace.pt, trace.timed, rdtsc(), trace.inside, ip);
	trace.next_psb = trace.aux.at + trace.psb_each;
}

static void leave_at(uint64_t ip)
{
	pt_fup(&trace.pt, ip);
	pt_pgd(&trace.pt);
	trace.inside = false;
}

/* False: the area has no room now, or there is no area. */
static bool open_output(void)
{
	if (!pmu_aux_begin(trace.event, &trace.aux))
		return false;
	if (!rb_aux_room(&trace.aux, 2 * STEP_BYTES + CLOSE_BYTES)) {
		pmu_aux_end(trace.event, &trace.aux, PERF_AUX_FLAG_TRUNCATED);
		return false;
	}
	trace.open = true;
	trace.full = false;
	trace.inside = false; /* until the next step gives the address where ring 3 was before it */
	put_sync(0);
	flush_packets();
	return true;
}

/* `ip`: the address at which ring 3 is. */
static void close_output(uint64_t ip, uint64_t flags)
{
	if (trace.inside)
		leave_at(ip);
	pt_flush(&trace.pt);
	flush_packets();
	trace.open = false;
	pmu_aux_end(trace.event, &trace.aux, flags);
}

/*
 * Runs after a step that ended at `ip`. It writes a PSB when one is due, ends the trace when the
 * area is full, and publishes a long section to the reader.
 */
static void keep_house(uint64_t ip)
{
	if (trace.aux.at >= trace.next_psb)
		put_sync(ip);
	flush_packets();
	if (!rb_aux_room(&trace.aux, STEP_BYTES + CLOSE_BYTES)) {
		close_output(ip, PERF_AUX_FLAG_TRUNCATED);
		trace.full = true;
	} else if (rb_aux_long(&trace.aux) && !trace.aux.aux->overwrite) {
		pt_flush(&trace.pt);
		flush_packets();
		pmu_aux_end(trace.event, &trace.aux, 0);
		pmu_aux_begin(trace.event, &trace.aux);
	}
}

/* --- Steps --- */

/* Ring 3 is at `ip`, and about to go on; time has passed since it was left. */
static void enter_ring_3(uint64_t ip)
{
	if (trace.timed)
		pt_tsc(&trace.pt, rdtsc());
	pt_pge(&trace.pt, ip);
	trace.inside = true;
}

static void trace_interrupted(const struct pmu_step *s)
{
	if (!trace.inside)
		return;
	leave_at(s->from);
	enter_ring_3(s->to);
}

static void trace_executed(const struct pmu_step *s)
{
	if (!trace.inside)
		enter_ring_3(s->from);
	switch (s->insn.kind) {
	case INSN_JCC: /* a branch to the next instruction counts as not taken, either way */
		pt_branch(&trace.pt, s->to != s->from + s->insn.length);
		break;
	case INSN_INDIRECT:
	case INSN_FAR:
		pt_tip(&trace.pt, s->to);
		break;
	case INSN_ENTER:
		pt_pgd(&trace.pt);
		trace.inside = false;
		if (s->to)
			enter_ring_3(s->to);
		break;
	}
}

/*
 * Writes the ITRACE_START record once; tries again as long as the ring has no room or there is no
 * task.
 */
static void tell_start(struct pmu_event *e)
{
	const struct pmu_task *task = e->context->task ? e->context->task : pmu.task;

	if (task)
		e->out.itrace_told = pmu_output_itrace_start(e, task->pid, task->tid);
}

void pmu_step(const struct pmu_step *s)
{
	if (!trace.event)
		return;
	local_add(&trace.event->count, s->executed);
	if (trace.open && !trace.event->out.itrace_told)
		tell_start(trace.event);
	if (trace.full)
		open_output();
	else if (trace.open) {
		if (s->executed)
			trace_executed(s);
		else
			trace_interrupted(s);
		keep_house(s->to);
	}
}

/* --- The event --- */

static void start_step_trace(struct pmu_event *e)
{
	trace.event = e;
	trace.pt = (struct pt){.n = 0};
	trace.timed = e->attr.config >> STEP_TRACE_TSC_BIT & 1;
	trace.psb_each = 2048ull << (e->attr.config >> STEP_TRACE_PSB_SHIFT & 0xf);
	trace.inside = trace.open = false;
	if (!e->out.itrace_told)
		tell_start(e);
	trace.full = e->out.rb && e->out.rb->aux && !open_output();
	pmu.host->step(true);
}

static void stop_step_trace(struct pmu_event *e)
{
	pmu.host->step(false);
	if (trace.open)
		close_output(pmu.host->user_ip(), 0);
	ASSERT(trace.event == e);
	trace.event = NULL;
}

static void update_step_trace(struct pmu_event *e)
{
	(void)e; /* each step is counted when it happens */
}

static const struct pmu_class step_trace_class = {
	.start = start_step_trace,
	.stop = stop_step_trace,
	.update = update_step_trace,
};

static int check_step_trace(const struct perf_event_attr *attr, struct reason *why)
{
	if (!pmu.host->step || !pmu.host->user_ip)
		return refuse(why, ENOENT, "nobody single-steps here");
	if (attr->config & ~(uint64_t)STEP_TRACE_KNOWN)
		return refuse(why, EINVAL,
			      "step_trace: config has bits other than 0x%x, which are all that "
			      "mean something",
			      STEP_TRACE_KNOWN);
	if ((attr->config & STEP_TRACE_NEEDED) != STEP_TRACE_NEEDED)
		return refuse(why, EINVAL,
			      "step_trace: without branch there is no trace, and without "
			      "noretcomp none is made: config has bits 0x%x",
			      STEP_TRACE_NEEDED);
	if (attr->exclude_user || attr->exclude_host)
		return refuse(why, EOPNOTSUPP, "step_trace follows ring 3 only");
	if (attr->sample_period)
		return refuse(why, EINVAL,
			      "step_trace writes a trace, not samples: it takes no period");
	return 0;
}

static int make_step_trace(struct pmu_event *e, struct reason *why)
{
	int err = check_step_trace(&e->attr, why);

	if (err)
		return err;
	/* Only one event at a time can single-step, and an open one may start at any time. */
	if (pmu_open_beside(e, &step_trace_class))
		return refuse(why, EBUSY, "another event of step_trace is open");
	e->attr.exclude_kernel = 1;
	e->class = &step_trace_class;
	return 0;
}

static const struct pmu_kind step_trace_kind = {
	.first = PMU_TYPE_STEP_TRACE,
	.last = PMU_TYPE_STEP_TRACE,
	.init = make_step_trace,
};

PMU_KIND(step_trace_kind);
