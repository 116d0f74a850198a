// SPDX-License-Identifier: BSD-2-Clause
/*
 * stop_at_count.c - a block that could reach a target is left before it runs: QEMU goes back to the
 * state before its first instruction, and makes blocks of one instruction from there on. Callbacks
 * behind such an instruction check the targets. When one is reached, they stop the guest by an NMI
 * at the end of its block. The target of a branch is known before the next block runs. That block
 * is left then, before anything of it has happened.
 *
 * An NMI may only be raised between blocks. It is work that is queued for the vCPU's own thread and
 * ends the block, so it comes at the same instruction each time.
 */
#include "vpmu/plugin/stop_at_count.h"

#include <stdlib.h>
#include <string.h>

#include "vpmu/plugin/instrument.h"
#include "vpmu/plugin/single_blocks.h"
#include "vpmu/plugin/step_report.h"

#define BLOCKS_MOST (1ull << 40)
#define BLOCKS_NEAR 16384 /* below this distance one would wait for the thread again and again */
#define QUIET       16    /* blocks of one instruction before larger ones are tried */
#define UNWEIGHED   1     /* the weight of every block with several vCPUs or targets */
#define MARGIN_MOST (1ull << 62)

struct target {
	int16_t term[EVENTS_TERMS];
	uint64_t at;
	uint64_t margin; /* no block adds more than this */
};

/* State of a vCPU. */
struct stopper {
	struct plugin_vcpu *vcpu;
	bool is_single;   /* it wants blocks of one instruction */
	unsigned quiet;   /* consecutive blocks of one instruction that could not reach a target */
	bool is_armed;    /* it has targets, and the NMI has not been sent */
	bool needs_clock; /* and no count that takes long to sum up */
	unsigned n;
	struct target target[EVENTS_TARGETS];
	int16_t weighed[EVENTS_TERMS]; /* terms of the last target that blocks were weighed for */
};

static struct {
	bool can;
	bool several; /* several vCPUs: each translates for all */
	struct events_page *page;
	const struct geometry *geometry;
	struct bound block, most;
	uint32_t targets; /* the number of the last set of targets */
	struct stopper of[EVENTS_PAGE_CPUS];
} stop;

struct stop_unlooked *stop_unlooked;

/* Checks before the next block, or no longer. */
static void look_next(unsigned vcpu, bool on)
{
	stop_unlooked[vcpu].is_armed = on;
	stop_unlooked[vcpu].left = -1;
}

static bool has_functions(void)
{
	return async_run_on_cpu && cpu_interrupt && single_can();
}

void stop_begin(unsigned vcpus, bool tells, bool does)
{
	stop_unlooked = aligned_alloc(sizeof(*stop_unlooked), vcpus * sizeof(*stop_unlooked));
	if (!stop_unlooked)
		abort();
	stop.targets = UNWEIGHED;
	memset(stop_unlooked, 0, vcpus * sizeof(*stop_unlooked));
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

/* --- QEMU's blocks --- */

static void make_single(struct stopper *s, bool on)
{
	if (s->is_single != on)
		s->quiet = 0;
	single_make(&s->is_single, on);
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

/* The most that instructions before the next block can still add. */
static uint64_t ahead_of_target(const struct target *t, uint64_t cycles)
{
	uint64_t sum = 0;

	for (unsigned i = 0; i < EVENTS_TERMS && t->term[i]; i++)
		if (t->term[i] > 0)
			sum += bound_of_ahead(cycles, stop.geometry, events_term_count(t->term[i]));
	return sum;
}

static bool is_within(unsigned vcpu, const struct target *t, uint64_t more)
{
	return (int64_t)(t->at - counted_sum(vcpu, t->term) - more) <= 0;
}

static bool is_reached(unsigned vcpu)
{
	const struct stopper *s = &stop.of[vcpu];

	for (unsigned i = 0; i < s->n; i++)
		if (is_within(vcpu, &s->target[i], 0))
			return true;
	return false;
}

static bool is_near(unsigned vcpu, const struct stop_block *block)
{
	const struct stopper *s = &stop.of[vcpu];
	const uint64_t cycles = observe_ahead(vcpu);
	struct bound bound = block->bound;

	/* An access could evict the line. */
	bound.is_fetched = !bound.accesses && observe_is_fetched(vcpu, block->va, bound.bytes);
	for (unsigned i = 0; i < s->n; i++) {
		const struct target *t = &s->target[i];
		const uint64_t ahead = ahead_of_target(t, cycles);

		if (is_within(vcpu, t, t->margin + ahead) &&
		    is_within(vcpu, t, bound_of_target(t, &bound) + ahead))
			return true;
	}
	return false;
}

static uint64_t left_of(unsigned vcpu, const struct target *t, uint64_t cycles)
{
	const uint64_t left = t->at - counted_sum(vcpu, t->term),
		       ahead = ahead_of_target(t, cycles);

	return left > ahead ? left - ahead : 1;
}

/* This block cannot reach a target; returns how many further blocks cannot, whichever they are. */
static uint64_t blocks_behind(unsigned vcpu)
{
	const struct stopper *s = &stop.of[vcpu];
	const uint64_t cycles = observe_ahead(vcpu);
	uint64_t least = BLOCKS_MOST;

	for (unsigned i = 0; i < s->n; i++) {
		const struct target *t = &s->target[i];
		const uint64_t left = left_of(vcpu, t, cycles);
		const uint64_t blocks = t->margin ? (left - 1) / t->margin : BLOCKS_MOST;

		if (blocks < least)
			least = blocks;
	}
	return least ? least - 1 : 0;
}

/* A block weighs the most that it adds to the only target; otherwise each block weighs the same. */
static bool is_weighed(const struct stopper *s)
{
	return !stop.several && s->n == 1;
}

void stop_weigh(unsigned vcpu, struct stop_block *block)
{
	const struct stopper *s = &stop.of[vcpu];

	block->targets = stop_unlooked[vcpu].targets;
	block->weight = is_weighed(s) ? bound_of_target(&s->target[0], &block->bound) : 1;
}

/* The weight that blocks behind this one may have. */
static int64_t left_behind(unsigned vcpu, const struct stop_block *block)
{
	const struct stopper *s = &stop.of[vcpu];
	uint64_t left;

	if (!is_weighed(s))
		return (int64_t)blocks_behind(vcpu);
	left = left_of(vcpu, &s->target[0], observe_ahead(vcpu)) - 1;
	return left < block->weight ? -1 : (int64_t)((left - block->weight) % MARGIN_MOST);
}

/* With several vCPUs another one may translate a larger block, and this one may run it. */
static void set_margin(struct target *t)
{
	t->margin = stop.several ? MARGIN_MOST : bound_of_target(t, &stop.most);
}

/* The guest may write the page: an invalid term ends the list. */
static void copy_terms(int16_t terms[EVENTS_TERMS], const int16_t *wanted)
{
	memcpy(terms, wanted, EVENTS_TERMS * sizeof(*terms));
	for (unsigned i = 0; i < EVENTS_TERMS; i++)
		if (terms[i] > EVENTS_NUMBERS || terms[i] < -EVENTS_NUMBERS)
			terms[i] = 0;
}

static void add_target(unsigned vcpu, const struct events_target *wanted)
{
	struct stopper *s = &stop.of[vcpu];
	struct target *t = &s->target[s->n++];

	copy_terms(t->term, wanted->term);
	t->at = counted_sum(vcpu, t->term) + wanted->left;
	set_margin(t);
}

/* Weights stay valid while the only target has the same counts. */
static void number_targets(unsigned vcpu)
{
	struct stopper *s = &stop.of[vcpu];
	struct stop_unlooked *u = &stop_unlooked[vcpu];

	if (!is_weighed(s)) {
		u->targets = UNWEIGHED;
		return;
	}
	if (u->targets > UNWEIGHED && !memcmp(s->weighed, s->target[0].term, sizeof(s->weighed)))
		return;
	memcpy(s->weighed, s->target[0].term, sizeof(s->weighed));
	u->targets = ++stop.targets;
}

static bool is_of_clock(enum events_count count)
{
	return count < EVENTS_UOPS || count == EVENTS_CYCLES || count == EVENTS_SLOTS;
}

static bool needs_clock(const struct stopper *s)
{
	for (unsigned i = 0; i < s->n; i++)
		for (unsigned k = 0; k < EVENTS_TERMS && s->target[i].term[k]; k++)
			if (!is_of_clock(events_term_count(s->target[i].term[k])))
				return false;
	return true;
}

bool stop_needs_clock(unsigned vcpu)
{
	return stop.of[vcpu].needs_clock;
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
	s->n = 0;
	if (cpu->enters)
		for (unsigned i = 0; i < cpu->targets && i < EVENTS_TARGETS; i++)
			add_target(vcpu, &cpu->target[i]);
	s->needs_clock = needs_clock(s);
	s->vcpu = qemu_get_cpu((int)vcpu);
	number_targets(vcpu);
	s->is_armed = s->n;
	if (!s->is_armed)
		observe_near(false);
	look_next(vcpu, s->is_armed);
}

/* --- Blocks that run --- */

/* Goes back to larger blocks, if blocks like the last ones would not reach a target. */
static void leave_single(unsigned vcpu, const struct stop_block *block)
{
	struct stopper *s = &stop.of[vcpu];

	s->quiet = is_near(vcpu, block) ? 0 : s->quiet + 1;
	if (s->quiet == QUIET)
		make_single(s, false);
}

void stop_look(unsigned vcpu, const struct stop_block *block, uintptr_t return_address)
{
	struct stopper *s = &stop.of[vcpu];

	look_next(vcpu, s->is_armed);
	if (!s->is_armed)
		return;
	if (is_reached(vcpu)) {
		send_nmi(vcpu);
	} else if (s->is_single) {
		leave_single(vcpu, block);
		return;
	} else if (!is_near(vcpu, block)) {
		stop_unlooked[vcpu].left = left_behind(vcpu, block);
		observe_near(stepped_is_wanted(vcpu) || blocks_behind(vcpu) < BLOCKS_NEAR);
		return;
	} else {
		make_single(s, true);
	}
	single_leave_block(vcpu, return_address);
}

static void on_single(unsigned vcpu, void *unused)
{
	(void)unused;
	if (vcpu >= EVENTS_PAGE_CPUS || !stop.of[vcpu].is_armed)
		return;
	observe_targets(vcpu);
	if (is_reached(vcpu))
		send_nmi(vcpu);
}

static void on_single_access(unsigned vcpu, plugin_access info, uint64_t va, void *unused)
{
	(void)info;
	(void)va;
	on_single(vcpu, unused);
}

/* --- Blocks that are translated --- */

void stop_begin_block(void)
{
	stop.block = (struct bound){0};
}

void stop_insn(const struct qemu_plugin_insn *insn, const struct decoded *d,
	       const struct core_insn *timed)
{
	bound_add(&stop.block, d, qemu_plugin_insn_size(insn), timed);
}

/* The block may be larger than all before. */
static void renew_margins(unsigned vcpu)
{
	struct stopper *s = &stop.of[vcpu];

	for (unsigned i = 0; i < s->n; i++)
		set_margin(&s->target[i]);
	if (!is_weighed(s))
		look_next(vcpu, s->is_armed);
}

static uint64_t line_of(uint64_t va)
{
	return va / GEOMETRY_LINE;
}

void stop_end_block(struct stop_block *block, uint64_t va)
{
	bound_join(&stop.most, &stop.block);
	if (!stop.several)
		renew_margins(0);
	*block = (struct stop_block){.bound = stop.block, .va = va};
	block->bound.borders = (uint32_t)(line_of(va + stop.block.bytes - 1) - line_of(va));
}

/*
 * QEMU may begin an instruction that accesses a device, abandon it, and execute it again with
 * callbacks for its accesses only. An NMI by its execution callback would come too early. So an
 * instruction that accesses memory is checked behind its access; if it does not access memory after
 * all, before the next block.
 */
void stop_watch(struct qemu_plugin_insn *insn)
{
	if (stop.block.accesses)
		qemu_plugin_register_vcpu_mem_cb(insn, on_single_access, PLUGIN_NO_REGISTERS,
						 PLUGIN_READ_WRITE, NULL);
	else
		qemu_plugin_register_vcpu_insn_exec_cb(insn, on_single, PLUGIN_NO_REGISTERS, NULL);
}
