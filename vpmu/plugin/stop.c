// SPDX-License-Identifier: BSD-2-Clause
/*
 * stop.c - see stop.h. A block that could reach a target is left when it is about to run: QEMU goes
 * back to before its first instruction, and is told to make blocks of one instruction from there
 * on. Calls behind such an instruction look whether a target is reached, and then have the guest
 * stopped, by an NMI, at the end of its block. Where a branch went is known when the next block is
 * about to run, which is left then: nothing of it has happened.
 *
 * An NMI may only be raised between blocks. It is work that is queued for the vCPU's own thread,
 * which ends the block, so it comes at the same instruction each time.
 */
#include "vpmu/plugin/stop.h"

#include <string.h>

#include "vpmu/plugin/observe.h"

#define BLOCKS_MOST (1ull << 40)

struct target {
	int8_t term[EVENTS_TERMS];
	uint64_t at;
	uint64_t margin; /* that no block adds more than */
};

/* One vCPU. */
static struct {
	bool can;
	struct plugin_vcpu *vcpu;
	struct events_page *page;
	const struct geometry *geometry;
	struct bound block, most;
	bool is_single; /* blocks are of one instruction */
	bool is_armed;  /* there are targets, and the NMI has not been sent */
	bool settles;   /* there is a target whose count lags */
	unsigned n;
	struct target target[EVENTS_TARGETS];
} stop;

uint64_t stop_unlooked = UINT64_MAX;

/* Looks when the next block is about to run, or not at all. */
static void look_next(bool on)
{
	stop_unlooked = on ? 0 : UINT64_MAX;
}

static bool has_functions(void)
{
	return qemu_get_cpu && async_run_on_cpu && cpu_interrupt && cpu_loop_exit_restore &&
	       (&singlestep || &one_insn_per_tb);
}

void stop_begin(unsigned vcpus, bool mute)
{
	stop.page = counted_page();
	stop.can = vcpus == 1 && has_functions();
	stop.page->header.stops = stop.can;
	stop.can &= !mute;
}

void stop_model(const struct geometry *geometry)
{
	stop.geometry = geometry;
}

/* --- What QEMU does --- */

/* From the next block on that is looked up. */
static void make_single(bool on)
{
	if (stop.is_single == on)
		return;
	stop.is_single = on;
	if (&one_insn_per_tb)
		__atomic_store_n(&one_insn_per_tb, on, __ATOMIC_RELAXED);
	else
		__atomic_store_n(&singlestep, on, __ATOMIC_RELAXED);
}

static void raise_nmi(struct plugin_vcpu *vcpu, void *unused)
{
	(void)unused;
	cpu_interrupt(vcpu, PLUGIN_INTERRUPT_NMI);
}

static void send_nmi(void)
{
	stop.is_armed = false;
	look_next(false);
	stop.page->cpu[0].stops++;
	async_run_on_cpu(stop.vcpu, raise_nmi, NULL);
}

/* --- Targets --- */

static enum events_count term_count(int8_t term)
{
	return (enum events_count)((term < 0 ? -term : term) - 1);
}

static uint64_t sum_of(const struct target *t)
{
	const uint64_t *n = counted_of(0)->n;
	uint64_t sum = 0;

	for (unsigned i = 0; i < EVENTS_TERMS && t->term[i]; i++)
		sum += t->term[i] < 0 ? -n[term_count(t->term[i])] : n[term_count(t->term[i])];
	return sum;
}

static uint64_t bound_of_target(const struct target *t, const struct bound *b)
{
	uint64_t sum = 0;

	for (unsigned i = 0; i < EVENTS_TERMS && t->term[i]; i++)
		if (t->term[i] > 0)
			sum += bound_of(b, stop.geometry, term_count(t->term[i]));
	return sum;
}

static bool is_within(const struct target *t, uint64_t more)
{
	return (int64_t)(t->at - sum_of(t) - more) <= 0;
}

static bool is_reached(void)
{
	if (stop.settles)
		observe_settle(0);
	for (unsigned i = 0; i < stop.n; i++)
		if (is_within(&stop.target[i], 0))
			return true;
	return false;
}

static bool is_near(const struct bound *bound)
{
	for (unsigned i = 0; i < stop.n; i++) {
		const struct target *t = &stop.target[i];

		if (is_within(t, t->margin) && is_within(t, bound_of_target(t, bound)))
			return true;
	}
	return false;
}

/* This block cannot reach a target; how many behind it cannot either, whichever they are. */
static uint64_t blocks_behind(void)
{
	uint64_t least = BLOCKS_MOST;

	for (unsigned i = 0; i < stop.n; i++) {
		const struct target *t = &stop.target[i];
		const uint64_t left = t->at - sum_of(t);
		const uint64_t blocks = t->margin ? (left - 1) / t->margin : BLOCKS_MOST;

		if (blocks < least)
			least = blocks;
	}
	return least ? least - 1 : 0;
}

static void set_target(struct target *t, const struct events_target *wanted)
{
	for (unsigned i = 0; i < EVENTS_TERMS && wanted->term[i]; i++)
		stop.settles |= term_count(wanted->term[i]) == EVENTS_LATENT_LOADS;
	memcpy(t->term, wanted->term, sizeof(t->term));
	t->at = sum_of(t) + wanted->left;
	t->margin = bound_of_target(t, &stop.most);
}

void stop_bell(unsigned vcpu)
{
	const struct events_cpu *cpu;

	if (!stop.can || vcpu)
		return;
	cpu = &stop.page->cpu[0];
	make_single(false);
	look_next(false);
	stop.is_armed = stop.settles = false;
	stop.n = 0;
	if (!cpu->enters)
		return;
	stop.vcpu = qemu_get_cpu(0);
	stop.n = cpu->targets < EVENTS_TARGETS ? cpu->targets : EVENTS_TARGETS;
	for (unsigned i = 0; i < stop.n; i++)
		set_target(&stop.target[i], &cpu->target[i]);
	stop.is_armed = stop.n;
	look_next(stop.is_armed);
}

/* --- Blocks that run --- */

void stop_look(const struct bound *bound, uintptr_t return_address)
{
	look_next(stop.is_armed);
	if (!stop.is_armed)
		return;
	if (is_reached()) {
		send_nmi();
	} else if (stop.is_single) {
		return;
	} else if (!is_near(bound)) {
		stop_unlooked = blocks_behind();
		return;
	} else {
		make_single(true);
	}
	cpu_loop_exit_restore(stop.vcpu, return_address);
}

static void on_single(unsigned vcpu, void *unused)
{
	(void)vcpu;
	(void)unused;
	if (stop.is_armed && is_reached())
		send_nmi();
}

static void on_single_access(unsigned vcpu, plugin_access info, uint64_t va, void *unused)
{
	(void)info;
	(void)va;
	on_single(vcpu, unused);
}

/* --- Blocks that are translated --- */

void stop_block(void)
{
	stop.block = (struct bound){0};
}

void stop_insn(const struct qemu_plugin_insn *insn, const struct decoded *d)
{
	bound_add(&stop.block, d, qemu_plugin_insn_size(insn), stop.geometry);
}

const struct bound *stop_block_end(void)
{
	bound_join(&stop.most, &stop.block);
	for (unsigned i = 0; i < stop.n; i++)
		stop.target[i].margin = bound_of_target(&stop.target[i], &stop.most);
	look_next(stop.is_armed);
	return &stop.block;
}

bool stop_is_single(void)
{
	return stop.is_single;
}

void stop_watch(struct qemu_plugin_insn *insn)
{
	qemu_plugin_register_vcpu_insn_exec_cb(insn, on_single, PLUGIN_NO_REGISTERS, NULL);
	if (stop.block.accesses)
		qemu_plugin_register_vcpu_mem_cb(insn, on_single_access, PLUGIN_NO_REGISTERS,
						 PLUGIN_READ_WRITE, NULL);
}
