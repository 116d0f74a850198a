// SPDX-License-Identifier: BSD-2-Clause
/*
 * observe.c - see observe.h.
 *
 * Where a branch went is known when the next run begins, or when the guest stops behind it. An
 * interrupt that comes between leads elsewhere: of a branch whose targets are known that is seen,
 * and it waits until an IRET leads to one of them.
 */
#include "vpmu/plugin/observe.h"

#include <stdlib.h>
#include <string.h>

#include "vpmu/micro/micro.h"
#include "vpmu/plugin/arena.h"
#include "vpmu/plugin/stepped.h"
#include "vpmu/plugin/stop.h"

#define WAITING 8 /* branches that interrupts came behind; the oldest is forgotten */

/* A branch, as it is told once. */
struct branch {
	uint64_t ip, target, next; /* target 0: not known before */
	enum plugin_branch kind;
	bool models; /* the model is told of it */
};

struct run {
	struct micro_block block;
	struct branch branch; /* at its end, where nothing in it can fault; else kind BRANCH_NONE */
	bool models;
	bool locked; /* has a locked instruction */
	bool begins_block;
	uint64_t line;      /* of its last byte */
	uint64_t repeats;   /* address of a REP string instruction at its end, or 0 */
	struct bound bound; /* of its block, where it begins one */
};

struct observer {
	struct micro *micro; /* NULL: nothing is modelled */
	struct branch last;  /* kind BRANCH_NONE: it is known where it went */
	struct branch waiting[WAITING];
	unsigned nwaiting;
	uint64_t mispredicted; /* the last branch that was */
	uint64_t repeated;     /* the REP string instruction that the last run ended in, or 0 */
	uint32_t resets;       /* that it has followed */
};

static struct {
	struct observer *of; /* each vCPU */
	unsigned vcpus;
	const struct geometry *geometry;
	struct micro_shared *llc;
	struct micro_shared **modules; /* caches of small cores; NULL: no more */
	uint32_t resets;               /* so far: each vCPU follows in its own thread */
	struct run *run;               /* that is being translated */
	struct run *first;             /* of its block */
	bool alone;                    /* it is one instruction: a block of its own */
	bool several;                  /* vCPUs */
	struct arena arena;            /* runs and branches, as long as translations are there */
} observe = {.arena = ARENA_EMPTY};

/* --- The model --- */

static void *zeros(size_t bytes)
{
	void *memory = NULL;

	if (posix_memalign(&memory, 64, bytes))
		abort();
	return memset(memory, 0, bytes);
}

static struct micro_page translate_access(void *context, uint64_t va)
{
	const plugin_access info = *(const plugin_access *)context;
	const struct qemu_plugin_hwaddr *at = qemu_plugin_get_hwaddr(info, va);

	return (struct micro_page){at ? qemu_plugin_hwaddr_phys_addr(at) : va, 12};
}

static struct micro_shared *new_shared(const struct geometry_cache *cache)
{
	return micro_shared_init(zeros(micro_shared_bytes(cache)), cache);
}

/* Of a hybrid the second half are small cores. */
static unsigned first_small(const struct geometry *g, unsigned vcpus)
{
	return g->small ? (vcpus + 1) / 2 : vcpus;
}

/* The L2 of the module that a small core is in: the first of its CPUs makes it. */
static struct micro_shared *module_of(const struct geometry *g, unsigned small, unsigned cpus)
{
	static struct micro_shared *l2;

	if (small % cpus == 0)
		l2 = new_shared(&g->l2);
	observe.modules[small / cpus] = l2;
	return l2;
}

static bool begin_vcpu(unsigned vcpu, unsigned vcpus, unsigned flags)
{
	const unsigned first = first_small(observe.geometry, vcpus);
	const bool is_small = vcpu >= first;
	const struct geometry *g = is_small ? observe.geometry->small : observe.geometry;
	struct micro_shared *l2 =
		is_small ? module_of(g, vcpu - first, vpmu_geometry_module(vcpus)) : NULL;

	observe.of[vcpu].micro = zeros(micro_bytes(g));
	return micro_init(observe.of[vcpu].micro, g, flags, l2, observe.llc, translate_access,
			  counted_of(vcpu)->n);
}

bool observe_begin(const char *uarch, unsigned vcpus, unsigned flags)
{
	const struct geometry *g = vpmu_geometry(uarch);

	observe.of = calloc(vcpus, sizeof(*observe.of));
	observe.modules = calloc(vcpus + 1, sizeof(struct micro_shared *));
	if (!g || !observe.of || !observe.modules)
		return false;
	observe.vcpus = vcpus;
	observe.geometry = g;
	observe.llc = new_shared(&g->llc);
	observe.several = vcpus > 1;
	if (observe.several)
		micro_directory_init(observe.llc, g, vcpus, zeros(micro_directory_bytes(g, vcpus)));
	for (unsigned i = 0; i < vcpus; i++)
		if (!begin_vcpu(i, vcpus, flags))
			return false;
	return true;
}

const struct geometry *observe_geometry(void)
{
	return observe.geometry;
}

void observe_reset(void)
{
	micro_shared_reset(observe.llc);
	for (unsigned i = 0; observe.modules[i]; i++)
		micro_shared_reset(observe.modules[i]);
	__atomic_fetch_add(&observe.resets, 1, __ATOMIC_RELEASE);
}

static void forget_run(struct observer *o)
{
	o->last.kind = BRANCH_NONE;
	o->nwaiting = 0;
	o->repeated = 0;
}

void observe_forget(void)
{
	for (unsigned i = 0; i < observe.vcpus; i++)
		forget_run(&observe.of[i]);
}

void observe_flushed(void)
{
	arena_forget(&observe.arena);
}

static void follow_resets(struct observer *o, uint32_t resets)
{
	micro_reset(o->micro);
	forget_run(o);
	o->resets = resets;
}

/* --- Branches --- */

static void tell_branch(unsigned vcpu, const struct branch *b, uint64_t to)
{
	static const enum micro_branch kinds[] = {
		[BRANCH_CONDITIONAL] = MICRO_CONDITIONAL,
		[BRANCH_JUMP] = MICRO_JUMP,
		[BRANCH_CALL] = MICRO_CALL,
		[BRANCH_RETURN] = MICRO_RETURN,
		[BRANCH_INDIRECT_JUMP] = MICRO_JUMP_INDIRECT,
		[BRANCH_INDIRECT_CALL] = MICRO_CALL_INDIRECT,
		[BRANCH_FAR] = MICRO_FAR,
	};
	const bool conditional = b->kind == BRANCH_CONDITIONAL;
	const bool taken = !conditional || to == b->target;

	if (conditional && taken)
		counted_of(vcpu)->n[EVENTS_CONDITIONAL_TAKEN]++;
	if (b->models &&
	    micro_branch(observe.of[vcpu].micro, kinds[b->kind], b->ip, to, b->next, taken))
		observe.of[vcpu].mispredicted = b->ip;
}

static bool leads_to(const struct branch *b, uint64_t va)
{
	return !b->target || b->target == va || (b->kind == BRANCH_CONDITIONAL && b->next == va);
}

static void keep_waiting(struct observer *o, const struct branch *b)
{
	if (o->nwaiting == WAITING)
		memmove(o->waiting, o->waiting + 1, --o->nwaiting * sizeof(*o->waiting));
	o->waiting[o->nwaiting++] = *b;
}

static void settle_waiting(unsigned vcpu, uint64_t va)
{
	struct observer *o = &observe.of[vcpu];

	if (!o->nwaiting || !leads_to(&o->waiting[o->nwaiting - 1], va))
		return;
	tell_branch(vcpu, &o->waiting[--o->nwaiting], va);
}

static void settle_last(unsigned vcpu, uint64_t va)
{
	struct observer *o = &observe.of[vcpu];
	const struct branch b = o->last;

	o->last.kind = BRANCH_NONE;
	if (!leads_to(&b, va)) {
		keep_waiting(o, &b);
		return;
	}
	tell_branch(vcpu, &b, va);
	if (b.kind == BRANCH_FAR)
		settle_waiting(vcpu, va);
}

void observe_stop(unsigned vcpu, uint64_t rip)
{
	const struct branch b = observe.of[vcpu].last;

	if (!b.kind)
		return;
	observe.of[vcpu].mispredicted = 0;
	settle_last(vcpu, rip);
	if (b.models && leads_to(&b, rip))
		stepped_branch(vcpu, b.ip, b.kind != BRANCH_CONDITIONAL || rip == b.target,
			       observe.of[vcpu].mispredicted == b.ip);
}

static void on_branch(unsigned vcpu, void *branch)
{
	observe.of[vcpu].last = *(const struct branch *)branch;
}

static struct branch branch_at(const struct qemu_plugin_insn *insn, const struct decoded *d)
{
	const uint64_t ip = qemu_plugin_insn_vaddr(insn);

	return (struct branch){
		.ip = ip,
		.next = ip + qemu_plugin_insn_size(insn),
		.target = d->target,
		.kind = d->branch,
		.models = observe.run->models,
	};
}

void observe_branch(struct qemu_plugin_insn *insn, const struct decoded *d, bool sure)
{
	struct branch *b;

	/* Without the model only those are told whose count it is. */
	if (!observe.run->models && d->branch != BRANCH_CONDITIONAL && d->branch != BRANCH_FAR)
		return;
	if (sure) {
		observe.run->branch = branch_at(insn, d);
		return;
	}
	b = arena_take(&observe.arena, sizeof(*b));
	*b = branch_at(insn, d);
	qemu_plugin_register_vcpu_insn_exec_cb(insn, on_branch, PLUGIN_NO_REGISTERS, b);
}

/* --- Runs --- */

/* QEMU runs a REP string instruction an iteration at a time: from the second on as a run that
 * begins there. */
static void model_run(struct observer *o, const struct run *run)
{
	if (o->repeated && o->repeated == run->block.va)
		micro_rep(o->micro, 1);
	else
		micro_block(o->micro, &run->block);
	o->repeated = run->repeats;
}

/* `from`: where in QEMU's translation it is called. */
static inline void begin_run(unsigned vcpu, const struct run *run, void *from)
{
	struct observer *o = &observe.of[vcpu];
	const uint32_t resets = __atomic_load_n(&observe.resets, __ATOMIC_ACQUIRE);

	if (o->resets != resets)
		follow_resets(o, resets);
	if (o->last.kind)
		settle_last(vcpu, run->block.va);
	if (run->begins_block)
		stop_at_block(vcpu, &run->bound, from);
	if (run->models)
		model_run(o, run);
	if (run->branch.kind)
		o->last = run->branch;
}

static void on_run(unsigned vcpu, void *run)
{
	begin_run(vcpu, run, __builtin_return_address(0));
}

/* Where other vCPUs have caches, too. */
static void on_run_coherent(unsigned vcpu, void *run)
{
	if (((const struct run *)run)->models)
		micro_catch_up(observe.of[vcpu].micro);
	begin_run(vcpu, run, __builtin_return_address(0));
}

/* A block of one instruction: it may be the one that is stepped. */
static void on_run_alone(unsigned vcpu, void *data)
{
	const struct run *run = data;
	struct stepped_fetches before;

	observe_stop(vcpu, run->block.va);
	stepped_fetches(&before, counted_of(vcpu)->n);
	if (run->models)
		micro_catch_up(observe.of[vcpu].micro);
	begin_run(vcpu, run, __builtin_return_address(0));
	if (run->models)
		stepped_begin(vcpu, run->block.va, run->locked, &before, counted_of(vcpu)->n);
}

static plugin_cb callback_of_run(void)
{
	return observe.alone ? on_run_alone : observe.several ? on_run_coherent : on_run;
}

void observe_block(size_t instructions)
{
	observe.first = NULL;
	observe.alone = instructions == 1;
}

void observe_block_end(const struct bound *bound)
{
	observe.first->bound = *bound;
	observe.first->begins_block = true;
}

void observe_run(struct qemu_plugin_insn *insn, uint64_t physical, enum events_level level)
{
	struct run *run = arena_take(&observe.arena, sizeof(*run));

	run->models = level >= EVENTS_LEVEL_MODEL;
	run->block.va = qemu_plugin_insn_vaddr(insn);
	run->block.physical = physical;
	run->block.physical_next = (physical & ~0xfffull) + 0x1000;
	run->block.shift = 12;
	observe.run = run;
	if (!observe.first)
		observe.first = run;
	qemu_plugin_register_vcpu_insn_exec_cb(insn, callback_of_run(), PLUGIN_NO_REGISTERS, run);
}

static uint64_t last_line(const struct qemu_plugin_insn *insn)
{
	return (qemu_plugin_insn_vaddr(insn) + qemu_plugin_insn_size(insn) - 1) >> MICRO_LINE_SHIFT;
}

bool observe_ends_run(const struct qemu_plugin_insn *insn, const struct decoded *d)
{
	return observe.run->models &&
	       (last_line(insn) != observe.run->line ||
		micro_class(observe.geometry, (enum micro_class)d->class).busy);
}

void observe_run_add(const struct qemu_plugin_insn *insn, const struct decoded *d)
{
	const struct micro_worth worth = micro_class(observe.geometry, (enum micro_class)d->class);
	struct micro_block *b = &observe.run->block;

	b->bytes = (uint16_t)(b->bytes + qemu_plugin_insn_size(insn));
	b->instructions++;
	b->uops += worth.uops;
	b->busy += worth.busy;
	b->divides += worth.divides;
	observe.run->line = last_line(insn);
	if (d->repeats)
		observe.run->repeats = qemu_plugin_insn_vaddr(insn);
	observe.run->locked |= d->tally.n[EVENTS_LOCKED];
}

/* --- Accesses --- */

static void count_places(uint64_t *n, uint64_t va, unsigned bytes, bool store)
{
	const uint64_t last = va + bytes - 1;

	n[EVENTS_UNALIGNED] += !!(va & (bytes - 1));
	if (va >> 6 == last >> 6)
		return;
	n[store ? EVENTS_SPLIT_STORES : EVENTS_SPLIT_LOADS]++;
	if (va >> 12 != last >> 12)
		n[store ? EVENTS_PAGE_SPLIT_STORES : EVENTS_PAGE_SPLIT_LOADS]++;
}

static void on_model_access(unsigned vcpu, plugin_access info, uint64_t va, void *registers)
{
	struct micro *m = observe.of[vcpu].micro;
	const unsigned bytes = 1u << qemu_plugin_mem_size_shift(info);
	const bool store = qemu_plugin_mem_is_store(info);

	if (va & (bytes - 1))
		count_places(m->counts, va, bytes, store);
	if (store)
		micro_store(m, va, bytes, &info);
	else
		micro_load(m, va, bytes, (uint32_t)(uintptr_t)registers, &info);
}

/* The same, where there are other vCPUs, or for an instruction that may be the one to be told of.
 */
static void on_any_access(unsigned vcpu, plugin_access info, uint64_t va, void *registers)
{
	struct micro *m = observe.of[vcpu].micro;
	const unsigned bytes = 1u << qemu_plugin_mem_size_shift(info);
	const bool store = qemu_plugin_mem_is_store(info);
	struct micro_outcome o;

	if (va & (bytes - 1))
		count_places(m->counts, va, bytes, store);
	if (!store)
		o = micro_load(m, va, bytes, (uint32_t)(uintptr_t)registers, &info);
	else if (observe.several)
		o = micro_store_coherent(m, va, bytes, &info);
	else
		o = micro_store(m, va, bytes, &info);
	stepped_access(vcpu, va, bytes, store, &o);
}

void observe_accesses(struct qemu_plugin_insn *insn, const struct decoded *d)
{
	qemu_plugin_register_vcpu_mem_cb(
		insn, observe.alone || observe.several ? on_any_access : on_model_access,
		PLUGIN_NO_REGISTERS, PLUGIN_READ_WRITE, (void *)(uintptr_t)d->registers);
}

/* --- What vpmu asks --- */

void observe_settle(unsigned vcpu)
{
	struct micro *m = observe.of[vcpu].micro;

	if (vcpu >= EVENTS_PAGE_CPUS)
		return;
	if (m->latency != counted_page()->cpu[vcpu].latency)
		micro_set_latency(m, counted_page()->cpu[vcpu].latency);
	micro_set_fetch_latency(m, counted_page()->cpu[vcpu].fetch_latency);
	micro_settle(m);
}

static void on_flush(unsigned vcpu, void *unused)
{
	(void)unused;
	micro_flush(observe.of[vcpu].micro);
}

void observe_flush(struct qemu_plugin_insn *insn)
{
	qemu_plugin_register_vcpu_insn_exec_cb(insn, on_flush, PLUGIN_NO_REGISTERS, NULL);
}
