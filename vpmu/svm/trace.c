// SPDX-License-Identifier: BSD-2-Clause
/*
 * trace.c - branches that are traced into the guest's memory: what QEMU's plugin logs of a run, and
 * what vpmu emulates, goes to the model, in order, before the guest runs on. Runs are of one ring,
 * as while last branches are recorded (branches.c): of what a run has logged all leads to its ring,
 * but for the last, which leads to where the guest has stopped.
 */
#include "vpmu/model/model_trace.h"
#include "vpmu/svm/vpmu.h"

static const struct vpmu_memory linear = {vpmu_guest_read_whole, vpmu_guest_write};

static bool traces(const struct vpmu_cpu *cpu)
{
	return cpu->events.own && vpmu_model_traces(&cpu->model);
}

static enum vpmu_ring ring_of_guest(void)
{
	return vpmu_vmcb.cpl == 3 ? VPMU_USR : VPMU_OS;
}

void vpmu_trace_expect(struct vpmu_cpu *cpu)
{
	struct branch_log *log = cpu->events.log;

	if (!traces(cpu))
		return;
	log->n = 0;
	log->lost = false;
	log->wants = vpmu_model_traces_in(&cpu->model, cpu->ring);
	log->on = true;
}

void vpmu_trace_take(struct vpmu_cpu *cpu)
{
	struct branch_log *log = cpu->events.log;

	if (!log->on)
		return;
	log->on = false;
	for (uint32_t i = 0; i < log->n && i < BRANCH_LOGGED; i++)
		vpmu_model_trace(&cpu->model, &log->entry[i],
				 i + 1 == log->n ? ring_of_guest() : cpu->ring, &linear);
}

void vpmu_trace_emulated(struct vpmu_cpu *cpu, uint64_t from)
{
	const uint64_t address = (1ull << LOGGED_KIND_SHIFT) - 1;
	const struct branch_logged b = {
		.from = (from & address) | (uint64_t)BRANCH_KIND_FAR << LOGGED_KIND_SHIFT |
			LOGGED_TAKEN,
		.to = vpmu_guest_linear_rip(),
	};

	if (traces(cpu))
		vpmu_model_trace(&cpu->model, &b, ring_of_guest(), &linear);
}

unsigned vpmu_trace_target(const struct vpmu_cpu *cpu, struct events_target *targets, unsigned n)
{
	if (!traces(cpu))
		return n;
	targets[n] = (struct events_target){
		.left = vpmu_model_trace_room(&cpu->model, &linear),
		.term = {EVENTS_BRANCHES + 1},
	};
	return n + 1;
}
