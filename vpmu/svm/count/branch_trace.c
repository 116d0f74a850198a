// SPDX-License-Identifier: BSD-2-Clause
/*
 * branch_trace.c - traces branches into the guest's memory. The branches that QEMU's plugin has
 * logged in a run, and those that vpmu emulates, go to the model in order, before the guest
 * continues. A run has one ring, as while last branches are recorded (last_branches.c). All
 * branches of a run except the last one lead to its ring. The last one leads to the place where the
 * guest has stopped.
 */
#include "vpmu/svm/count/branch_trace.h"

#include "vpmu/model/model_trace.h"
#include "vpmu/svm/count/guest_clock.h"
#include "vpmu/svm/vcpu/event_inject.h"
#include "vpmu/svm/vcpu/guest_memory.h"
#include "vpmu/svm/vcpu/vcpu.h"

static const struct vpmu_memory linear = {vpmu_guest_read_whole, vpmu_guest_write};
static const struct vpmu_memory physical = {vpmu_physical_read, vpmu_physical_write};
static const struct vpmu_memories memories = {&linear, &physical};

static bool traces(const struct vpmu_cpu *cpu)
{
	return cpu->events.own && cpu->model.derived.traces;
}

static enum vpmu_mode mode_of_guest(void)
{
	if (vpmu_guest_64bit())
		return VPMU_CODE64;
	return vpmu_vmcb.cs.attributes & SEGMENT_32 ? VPMU_CODE32 : VPMU_CODE16;
}

static struct vpmu_at at_guest(const struct vpmu_cpu *cpu)
{
	return (struct vpmu_at){
		.ring = vpmu_guest_ring(),
		.mode = (uint8_t)mode_of_guest(),
		.ip = vpmu_guest_linear_rip(),
		.cr3 = vpmu_vmcb.cr3,
		.tsc = vpmu_clock_then(cpu) + cpu->thread.tsc_offset,
	};
}

/* The WRMSR that ends a trace exits, so the trace ends there exactly. */
void vpmu_trace_control(struct vpmu_cpu *cpu)
{
	struct vpmu_at at;

	if (!vpmu_model_trace_is_changed(&cpu->model))
		return;
	at = at_guest(cpu);
	vpmu_model_trace_control(&cpu->model, &at, &memories);
}

bool vpmu_trace_wants_cr3(const struct vpmu_cpu *cpu)
{
	return traces(cpu) && vpmu_model_traces_cr3(&cpu->model);
}

void vpmu_trace_cr3(struct vpmu_cpu *cpu)
{
	const struct vpmu_at at = at_guest(cpu);

	vpmu_model_trace_cr3(&cpu->model, &at, &memories);
}

static bool delivers(const struct vpmu_cpu *cpu)
{
	return vpmu_event_set() || cpu->run.ring != vpmu_guest_ring() || cpu->interrupts.is_due ||
	       vpmu_interrupt_due(cpu);
}

void vpmu_trace_expect(struct vpmu_cpu *cpu)
{
	struct branch_log *log = cpu->events.log;
	struct vpmu_at at, run;

	if (!traces(cpu))
		return;
	at = run = at_guest(cpu);
	run.ring = cpu->run.ring;
	cpu->delivery.is_branch = cpu->delivery.from;
	if (!delivers(cpu))
		vpmu_model_trace_begin(&cpu->model, &at, &memories);
	log->n = 0;
	log->lost = false;
	log->wants = vpmu_model_traces_at(&cpu->model, &run);
	log->on = true;
}

/* The target's context of each branch but the last. An event leads to 64-bit code in long mode. */
static struct vpmu_at at_in_run(const struct vpmu_cpu *cpu, const struct vpmu_at *end)
{
	struct vpmu_at at = *end;

	at.ring = cpu->run.ring;
	if (at.ring == VPMU_OS && vpmu_guest_long_mode())
		at.mode = VPMU_CODE64;
	return at;
}

static void take_logged(struct vpmu_cpu *cpu, const struct branch_logged *b,
			const struct vpmu_at *at)
{
	const bool delivered = b->from & LOGGED_DELIVERED && !cpu->delivery.is_branch;
	struct vpmu_at there = *at;

	there.ip = b->to;
	vpmu_model_trace(&cpu->model, b, delivered, &there, &memories);
}

void vpmu_trace_take(struct vpmu_cpu *cpu)
{
	struct branch_log *log = cpu->events.log;
	struct vpmu_at end, within;

	if (!log->on)
		return;
	end = at_guest(cpu);
	within = at_in_run(cpu, &end);
	log->on = false;
	for (uint32_t i = 0; i < log->n && i < BRANCH_LOGGED; i++)
		take_logged(cpu, &log->entry[i], i + 1 == log->n ? &end : &within);
	if (log->lost)
		vpmu_model_trace_lost(&cpu->model, &end, &memories);
}

void vpmu_trace_emulated(struct vpmu_cpu *cpu, uint64_t from)
{
	const struct vpmu_at at = at_guest(cpu);
	const struct branch_logged b = branch_logged_of(BRANCH_KIND_FAR, LOGGED_TAKEN, from, at.ip);

	if (traces(cpu))
		vpmu_model_trace(&cpu->model, &b, false, &at, &memories);
}

unsigned vpmu_trace_target(const struct vpmu_cpu *cpu, struct events_target *targets, unsigned n)
{
	if (!traces(cpu))
		return n;
	targets[n] = (struct events_target){
		.left = vpmu_model_trace_room(&cpu->model, &memories),
		.term = {EVENTS_BRANCHES + 1},
	};
	return n + 1;
}
