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

#include <stdlib.h>
#include <string.h>

#include "vpmu/plugin/observe.h"
#include "vpmu/plugin/stepped.h"

#define BLOCKS_MOST (1ull << 40)
#define BLOCKS_NEAR 16384 /* a thread would be waited for again and again */
#define MARGIN_MOST (1ull << 62)

struct target {
	int8_t term[EVENTS_TERMS];
	uint64_t at;
	uint64_t margin; /* that no block adds more than */
};

/* Of each vCPU. */
struct stopper {
	struct plugin_vcpu *vcpu;
	bool is_single; /* it wants blocks of one instruction */
	bool is_armed;  /* there are targets, and the NMI has not been sent */
	bool settles;   /* there is a target whose count lags */
	unsigned n;
	struct target target[EVENTS_TARGETS];
};

static struct {
	bool can;
	bool several; /* vCPUs: each translates for all */
	struct events_page *page;
	const struct geometry *geometry;
	struct bound block, most;
	unsigned singles; /* vCPUs that want blocks of one instruction */
	struct stopper of[EVENTS_PAGE_CPUS];
} stop;

struct stop_unlooked *stop_unlooked;

/* Looks when the next block is about to run, or not at all. */
static void look_next(unsigned vcpu, bool on)
{
	stop_unlooked[vcpu].blocks = on ? 0 : UINT64_MAX;
}

static bool has_functions(void)
{
	return qemu_get_cpu && async_run_on_cpu && cpu_interrupt && cpu_loop_exit_restore &&
	       (&singlestep || &one_insn_per_tb);
}

void stop_begin(unsigned vcpus, bool tells, bool does)
{
	stop_unlooked = aligned_alloc(sizeof(*stop_unlooked), vcpus * sizeof(*stop_unlooked));
	if (!stop_unlooked)
		abort();
	for (unsigned i = 0; i < vcpus; i++)
		look_next(i, false);
	stop.several = vcpus > 1;
	stop.page = counted_page();
	stop.page->header.stops = tells && has_functions();
	stop.can = does && has_functions();
}

void stop_model(const struct geometry *geometry)
{
	stop.geometry = geometry;
}

/* --- What QEMU does --- */

static bool is_any_single(void)
{
	return __atomic_load_n(&stop.singles, __ATOMIC_ACQUIRE);
}

/* From the next block on that is looked up, of all vCPUs. */
static void make_single(struct stopper *s, bool on)
{
	if (s->is_single == on)
		return;
	s->is_single = on;
	__atomic_add_fetch(&stop.singles, on ? 1u : -1u, __ATOMIC_ACQ_REL);
	if (&one_insn_per_tb)
		__atomic_store_n(&one_insn_per_tb, is_any_single(), __ATOMIC_RELAXED);
	else
		__atomic_store_n(&singlestep, is_any_single(), __ATOMIC_RELAXED);
}

static void raise_nmi(struct plugin_vcpu *vcpu, void *unused)
{
	(void)unused;
	cpu_interrupt(vcpu, PLUGIN_INTERRUPT_NMI);
}

static void send_nmi(unsigned vcpu)
{
	struct stopper *s = &stop.of[vcpu];

	s->is_armed = false;
	look_next(vcpu, false);
	stop.page->cpu[vcpu].stops++;
	async_run_on_cpu(s->vcpu, raise_nmi, NULL);
}

/* --- Targets --- */

static uint64_t bound_of_target(const struct target *t, const struct bound *b)
{
	uint64_t sum = 0;

	for (unsigned i = 0; i < EVENTS_TERMS && t->term[i]; i++)
		if (t->term[i] > 0)
			sum += bound_of(b, stop.geometry, events_term_count(t->term[i]));
	return sum;
}

static bool is_within(const struct target *t, const uint64_t *n, uint64_t more)
{
	return (int64_t)(t->at - events_sum(t->term, n) - more) <= 0;
}

static bool is_reached(unsigned vcpu)
{
	const struct stopper *s = &stop.of[vcpu];
	const uint64_t *n = counted_of(vcpu)->n;

	if (s->settles)
		observe_settle(vcpu);
	else
		observe_catch_up(vcpu);
	for (unsigned i = 0; i < s->n; i++)
		if (is_within(&s->target[i], n, 0))
			return true;
	return false;
}

static bool is_near(unsigned vcpu, const struct bound *bound)
{
	const struct stopper *s = &stop.of[vcpu];
	const uint64_t *n = counted_of(vcpu)->n;

	for (unsigned i = 0; i < s->n; i++) {
		const struct target *t = &s->target[i];

		if (is_within(t, n, t->margin) && is_within(t, n, bound_of_target(t, bound)))
			return true;
	}
	return false;
}

/* This block cannot reach a target; how many behind it cannot either, whichever they are. */
static uint64_t blocks_behind(unsigned vcpu)
{
	const struct stopper *s = &stop.of[vcpu];
	const uint64_t *n = counted_of(vcpu)->n;
	uint64_t least = BLOCKS_MOST;

	for (unsigned i = 0; i < s->n; i++) {
		const struct target *t = &s->target[i];
		const uint64_t left = t->at - events_sum(t->term, n);
		const uint64_t blocks = t->margin ? (left - 1) / t->margin : BLOCKS_MOST;

		if (blocks < least)
			least = blocks;
	}
	return least ? least - 1 : 0;
}

/* Of several vCPUs another may translate a larger block, of which it is not known when it runs. */
static void set_margin(struct target *t)
{
	t->margin = stop.several ? MARGIN_MOST : bound_of_target(t, &stop.most);
}

static void add_target(unsigned vcpu, const struct events_target *wanted)
{
	struct stopper *s = &stop.of[vcpu];
	struct target *t = &s->target[s->n++];

	for (unsigned i = 0; i < EVENTS_TERMS && wanted->term[i]; i++)
		s->settles |= events_term_count(wanted->term[i]) == EVENTS_LATENT_LOADS;
	memcpy(t->term, wanted->term, sizeof(t->term));
	t->at = events_sum(t->term, counted_of(vcpu)->n) + wanted->left;
	set_margin(t);
}

void stop_bell(unsigned vcpu)
{
	const struct events_cpu *cpu;
	struct stopper *s;

	if (!stop.can || vcpu >= EVENTS_PAGE_CPUS)
		return;
	cpu = &stop.page->cpu[vcpu];
	s = &stop.of[vcpu];
	make_single(s, false);
	s->settles = false;
	s->n = 0;
	if (cpu->enters)
		for (unsigned i = 0; i < cpu->targets && i < EVENTS_TARGETS; i++)
			add_target(vcpu, &cpu->target[i]);
	s->vcpu = qemu_get_cpu((int)vcpu);
	s->is_armed = s->n;
	if (!s->is_armed)
		observe_near(false);
	look_next(vcpu, s->is_armed);
}

/* --- Blocks that run --- */

void stop_look(unsigned vcpu, const struct bound *bound, uintptr_t return_address)
{
	struct stopper *s = &stop.of[vcpu];

	look_next(vcpu, s->is_armed);
	if (!s->is_armed)
		return;
	if (is_reached(vcpu)) {
		send_nmi(vcpu);
	} else if (s->is_single) {
		return;
	} else if (!is_near(vcpu, bound)) {
		stop_unlooked[vcpu].blocks = blocks_behind(vcpu);
		observe_near(stepped_is_wanted(vcpu) || stop_unlooked[vcpu].blocks < BLOCKS_NEAR);
		return;
	} else {
		make_single(s, true);
	}
	cpu_loop_exit_restore(s->vcpu, return_address);
}

static void on_single(unsigned vcpu, void *unused)
{
	(void)unused;
	if (vcpu < EVENTS_PAGE_CPUS && stop.of[vcpu].is_armed && is_reached(vcpu))
		send_nmi(vcpu);
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

/* It may be larger than all before. */
static void renew_margins(unsigned vcpu)
{
	struct stopper *s = &stop.of[vcpu];

	for (unsigned i = 0; i < s->n; i++)
		set_margin(&s->target[i]);
	look_next(vcpu, s->is_armed);
}

const struct bound *stop_block_end(void)
{
	bound_join(&stop.most, &stop.block);
	if (!stop.several)
		renew_margins(0);
	return &stop.block;
}

bool stop_is_single(void)
{
	return is_any_single();
}

void stop_watch(struct qemu_plugin_insn *insn)
{
	qemu_plugin_register_vcpu_insn_exec_cb(insn, on_single, PLUGIN_NO_REGISTERS, NULL);
	if (stop.block.accesses)
		qemu_plugin_register_vcpu_mem_cb(insn, on_single_access, PLUGIN_NO_REGISTERS,
						 PLUGIN_READ_WRITE, NULL);
}
