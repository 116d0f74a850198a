// SPDX-License-Identifier: BSD-2-Clause
/*
 * instrument.c - the callbacks of translated blocks. What they see goes to replay_vcpu.h in one of
 * two ways, which give the same counts. With one vCPU it is written to a ring (record_ring.h), and
 * replayed before the counts are read. With several vCPUs, which share caches, it is replayed in
 * the callback. So is a block of one instruction while vpmu wants a report of it.
 */
#include "vpmu/plugin/instrument.h"

#include <string.h>

#include "vpmu/micro/micro.h"
#include "vpmu/plugin/arena.h"
#include "vpmu/plugin/vcpu_cores.h"
#include "vpmu/plugin/profile_pieces.h"
#include "vpmu/plugin/profile_times.h"
#include "vpmu/plugin/record_ring.h"
#include "vpmu/plugin/step_report.h"
#include "vpmu/plugin/stop_at_count.h"

#define NOINLINE __attribute__((noinline)) /* keeps the frequent path short */

#define PAGE_BYTES    (1ull << MICRO_PAGE_SHIFT)
#define NUMBER_BITS   45 /* bits of a page's number, for 57-bit addresses */
#define GENERATION    (1ull << NUMBER_BITS)
#define WIDEST_ACCESS 64

struct run {
	struct follow_run told;
	bool models;
	bool locked;       /* the run has a locked instruction */
	bool is_loop;      /* follow_is_loop() holds, and the run is a block */
	bool can_fault;    /* it can fault in a way that its number of accesses does not show */
	uint32_t accesses; /* accesses that must happen before its end */
	uint64_t line;     /* line of its last byte */
	struct stop_block block; /* the block that it begins */
};

struct observer {
	struct follower follower;
	uint64_t generation; /* generation of translations, in the bits above a page's number; never
				0 */
	uint64_t pages[FOLLOW_PAGES]; /* pages that were reported: numbers with their generation */
	uint32_t resets;              /* the last reset that it has done */
};

/* The rings of the only vCPU: what it executes, and what of that takes time. */
static struct feed feed, times;
static struct observer only;

static struct {
	struct observer *of; /* one for each vCPU */
	unsigned vcpus;
	const struct geometry *geometry;
	uint32_t resets;   /* resets so far; each vCPU does them in its own thread */
	struct run *run;   /* the run that is being translated */
	struct run *first; /* the first run of its block */
	bool alone;        /* the block has one instruction */
	bool goes_back;    /* its last instruction may lead to its first */
	bool several;      /* vCPUs */
	const struct core_insn *insns[TIMED_INSNS]; /* of the run that is being translated */
	struct arena arena; /* runs and branches, as long as their translations */
} observe = {.arena = ARENA_EMPTY};

/* --- The model --- */

/* Cycles are slots by the width, as vpmu reports them: two rings share a cycle of the model. */
static uint8_t ring_count(uint8_t cost)
{
	const uint8_t count = profile_count_of(cost);

	return count == EVENTS_CYCLES ? EVENTS_SLOTS : count;
}

static uint64_t ring_cost(const struct follower *f, uint32_t i, uint8_t cost)
{
	const uint64_t n = follow_ring_count(f, i, !(cost & PROFILE_RING0));

	return profile_count_of(cost) == EVENTS_CYCLES ? n / f->time.width : n;
}

/* The modelled costs of the profile; NULL: none. */
static struct follow_rings *begin_rings(void)
{
	const struct profile_header *h = profile_file() ? &profile_file()->header : NULL;
	struct follow_rings *rings;

	if (!h || !profile_has_modelled(h))
		return NULL;
	rings = cores_zeros(sizeof(*rings));
	for (uint32_t i = 0; i < h->ncosts; i++)
		if (profile_is_modelled(h->cost[i]))
			rings->count[rings->n++] = ring_count(h->cost[i]);
	return rings;
}

static bool begin_vcpu(unsigned vcpu)
{
	struct observer *o = &observe.of[vcpu];
	uint64_t *counts = counted_of(vcpu)->n;

	o->generation = GENERATION;
	follow_init(&o->follower, counts);
	o->follower.user = counted_of(vcpu)->user;
	o->follower.rings = begin_rings();
	if (vcpu < EVENTS_PAGE_CPUS) {
		o->follower.branches = &counted_page()->cpu[vcpu].branches;
		o->follower.log = &counted_page()->log[vcpu];
	}
	o->follower.micro = cores_add(vcpu, follow_translate, counts);
	if (o->follower.micro)
		micro_set_ip(o->follower.micro, follow_ip);
	if (!o->follower.micro || !cores_add_time(vcpu, &o->follower.time, counts))
		return false;
	if (times_are_wanted())
		time_charge(&o->follower.time);
	return true;
}

static bool begin_feeds(bool threaded)
{
	return (!threaded || follow_by_ring(&only.follower, &times)) &&
	       feed_begin(&feed, follow_list, &only.follower, threaded);
}

bool observe_begin(const char *uarch, unsigned vcpus, unsigned flags, bool threaded)
{
	observe.several = vcpus > 1;
	observe.of = observe.several ? cores_zeros(vcpus * sizeof(*observe.of)) : &only;
	if (!cores_begin(uarch, vcpus, flags))
		return false;
	observe.vcpus = vcpus;
	observe.geometry = cores_geometry();
	for (unsigned i = 0; i < vcpus; i++)
		if (!begin_vcpu(i))
			return false;
	return observe.several || begin_feeds(threaded);
}

const struct geometry *observe_geometry(void)
{
	return observe.geometry;
}

uint64_t observe_ahead(unsigned vcpu)
{
	return time_ahead(&observe.of[vcpu].follower.time);
}

static void forget_pages(struct observer *o)
{
	o->generation += GENERATION;
	if (o->generation)
		return;
	o->generation = GENERATION;
	memset(o->pages, 0, sizeof(o->pages));
}

static void follow_resets(struct observer *o)
{
	const uint32_t resets = __atomic_load_n(&observe.resets, __ATOMIC_ACQUIRE);

	if (o->resets == resets)
		return;
	micro_reset(o->follower.micro);
	follow_reset(&o->follower);
	forget_pages(o);
	o->resets = resets;
}

/* All that was written to the rings is replayed. */
static void drain_rings(void)
{
	if (observe.several)
		return;
	feed_drain(&feed);
	follow_catch_up(&only.follower);
}

void observe_catch_up(unsigned vcpu)
{
	drain_rings();
	follow_sum(&observe.of[vcpu].follower);
}

void observe_reset(void)
{
	cores_reset_shared();
	__atomic_fetch_add(&observe.resets, 1, __ATOMIC_RELEASE);
	if (observe.several)
		return;
	observe_catch_up(0);
	follow_resets(&only);
}

void observe_forget(void)
{
	for (unsigned i = 0; i < observe.vcpus; i++) {
		observe_catch_up(i);
		follow_reset(&observe.of[i].follower);
	}
}

void observe_flushed(void)
{
	for (unsigned i = 0; i < observe.vcpus; i++) {
		observe_catch_up(i);
		follow_forget_runs(&observe.of[i].follower);
	}
	arena_forget(&observe.arena);
}

/* --- Branches --- */

static void arrive_at(unsigned vcpu, uint64_t rip)
{
	struct follower *f = &observe.of[vcpu].follower;
	const struct follow_branch *b = f->last;

	bool arrived;

	f->mispredicted = 0;
	arrived = follow_arrived(f, rip);
	stepped_accesses(vcpu, &f->time);
	if (arrived && b->models)
		stepped_branch(vcpu, b->ip, b->kind != MICRO_CONDITIONAL || rip == b->target,
			       f->mispredicted == b->ip);
	follow_sum(f);
}

void observe_stop(unsigned vcpu, uint64_t rip)
{
	observe_catch_up(vcpu);
	follow_stopped(&observe.of[vcpu].follower);
	arrive_at(vcpu, rip);
}

/* Callbacks write records to the ring. */
static bool is_put(void)
{
	return !observe.several && observe.run->models;
}

static void on_branch(unsigned vcpu, void *branch)
{
	(void)vcpu;
	feed_put(&feed, (uint64_t)branch | FOLLOW_BRANCH);
}

static void on_branch_now(unsigned vcpu, void *branch)
{
	observe.of[vcpu].follower.last = branch;
}

static plugin_cb callback_of_branch(void)
{
	return is_put() ? on_branch : on_branch_now;
}

static struct follow_branch branch_at(const struct qemu_plugin_insn *insn, const struct decoded *d)
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
	const uint64_t ip = qemu_plugin_insn_vaddr(insn);

	return (struct follow_branch){
		.ip = ip,
		.next = ip + qemu_plugin_insn_size(insn),
		.target = d->target,
		.kind = (uint8_t)kinds[d->branch],
		.models = observe.run->models,
	};
}

static bool accesses_once(const struct decoded *d)
{
	return d->retires == RETIRES_BY_ACCESS && d->accesses == 1;
}

/* The branch is reached once its run has begun, or once the run's accesses are done, or, without
 * the model, as its count tells. A far branch that was not reached shows by its target. */
static bool is_told_by_run(const struct run *run, const struct decoded *d)
{
	if (d->branch == BRANCH_FAR)
		return false;
	if (!run->models)
		return true;
	if (run->can_fault)
		return false;
	return d->retires == RETIRES_SURELY || accesses_once(d);
}

void observe_branch(struct qemu_plugin_insn *insn, const struct decoded *d)
{
	struct run *run = observe.run;
	struct follow_branch *b;

	/* Without the model only branches whose count needs their target are reported. */
	if (!run->models && d->branch != BRANCH_CONDITIONAL && d->branch != BRANCH_FAR)
		return;
	if (is_told_by_run(run, d)) {
		run->told.ends_in_branch = true;
		run->told.branch = branch_at(insn, d);
		if (run->models)
			run->told.branch.needs = run->accesses + (d->retires == RETIRES_BY_ACCESS);
		else
			run->told.branch.counts = run->accesses || run->can_fault;
		return;
	}
	b = arena_take(&observe.arena, sizeof(*b));
	*b = branch_at(insn, d);
	qemu_plugin_register_vcpu_insn_exec_cb(insn, callback_of_branch(), PLUGIN_NO_REGISTERS, b);
}

/* --- Runs --- */

static void sum_for_targets(unsigned vcpu)
{
	if (stop_needs_clock(vcpu))
		follow_sum_clock(&observe.of[vcpu].follower);
	else
		follow_sum(&observe.of[vcpu].follower);
}

void observe_targets(unsigned vcpu)
{
	drain_rings();
	sum_for_targets(vcpu);
}

/* Called before a block executes; `from`: the call's place in QEMU's translation. */
static NOINLINE void look(unsigned vcpu, struct run *run, void *from)
{
	drain_rings();
	follow_arrived(&observe.of[vcpu].follower, run->told.block.va);
	sum_for_targets(vcpu);
	stop_look(vcpu, &run->block, (uintptr_t)from);
}

static inline void begin_block(unsigned vcpu, struct run *run, void *from)
{
	if (stop_is_due(vcpu, &run->block))
		look(vcpu, run, from);
}

static void on_run(unsigned vcpu, void *run)
{
	(void)vcpu;
	feed_put(&feed, (uint64_t)run | FOLLOW_RUN);
}

static void on_block(unsigned vcpu, void *run)
{
	begin_block(0, run, __builtin_return_address(0));
	on_run(vcpu, run);
}

/* A block that may loop to itself. */
static void on_loop(unsigned vcpu, void *data)
{
	struct run *run = data;

	begin_block(0, run, __builtin_return_address(0));
	if (run->is_loop)
		follow_again_in(&feed, (uint64_t)run | FOLLOW_RUN);
	else
		on_run(vcpu, data);
}

static void on_run_unmodelled(unsigned vcpu, void *data)
{
	const struct run *run = data;

	follow_run_unmodelled(&observe.of[vcpu].follower, &run->told);
}

static NOINLINE void on_block_watched(unsigned vcpu, void *run, void *from)
{
	begin_block(vcpu, run, from);
	on_run_unmodelled(vcpu, run);
}

static void on_block_unmodelled(unsigned vcpu, void *run)
{
	if (stop_unlooked[vcpu].is_armed)
		on_block_watched(vcpu, run, __builtin_return_address(0));
	else
		on_run_unmodelled(vcpu, run);
}

/* A run, where other vCPUs have caches, too. */
static void on_run_coherent(unsigned vcpu, void *data)
{
	const struct run *run = data;

	micro_catch_up(observe.of[vcpu].follower.micro);
	follow_resets(&observe.of[vcpu]);
	follow_run(&observe.of[vcpu].follower, &run->told);
}

static void on_block_coherent(unsigned vcpu, void *run)
{
	begin_block(vcpu, run, __builtin_return_address(0));
	on_run_coherent(vcpu, run);
}

/* A block of one instruction may be the stepped one. */
static bool is_put_alone(unsigned vcpu)
{
	return !observe.several && !stepped_is_wanted(vcpu);
}

static void follow_alone(unsigned vcpu, const struct run *run)
{
	struct follower *f = &observe.of[vcpu].follower;
	struct stepped_fetches before;

	observe_catch_up(vcpu);
	arrive_at(vcpu, run->told.block.va);
	stepped_fetches(&before, f->counts);
	micro_catch_up(f->micro);
	follow_resets(&observe.of[vcpu]);
	follow_run_alone(f, &run->told);
	stepped_begin(vcpu, run->told.block.va, run->locked, &before, f->counts,
		      f->time.fetched.cycles);
}

static void on_run_alone(unsigned vcpu, void *run)
{
	begin_block(vcpu, run, __builtin_return_address(0));
	if (is_put_alone(vcpu))
		feed_put(&feed, (uint64_t)run | FOLLOW_ALONE);
	else
		follow_alone(vcpu, run);
}

static plugin_cb callback_of_run(void)
{
	if (!observe.run->models)
		return observe.first ? on_run_unmodelled : on_block_unmodelled;
	if (observe.alone)
		return on_run_alone;
	if (observe.several)
		return observe.first ? on_run_coherent : on_block_coherent;
	if (observe.first)
		return on_run;
	return observe.goes_back ? on_loop : on_block;
}

void observe_block(size_t instructions, bool goes_back)
{
	observe.goes_back = goes_back;
	observe.first = NULL;
	observe.alone = instructions == 1;
}

/* The run has all of its instructions. */
static void end_run(void)
{
	struct timed_insns *run = &observe.run->told.insns;
	const size_t bytes = run->n * sizeof(*observe.insns);

	if (run->n)
		run->insns = memcpy(arena_take(&observe.arena, bytes), observe.insns, bytes);
}

void observe_block_end(void)
{
	end_run();
	stop_end_block(&observe.first->block, observe.first->told.block.va);
	observe.first->is_loop = observe.first == observe.run && follow_is_loop(&observe.run->told);
}

void observe_run(struct qemu_plugin_insn *insn, size_t i, uint64_t physical,
		 enum events_level level)
{
	struct run *run = arena_take(&observe.arena, sizeof(*run));
	struct micro_block *b = &run->told.block;

	if (observe.first)
		end_run();

	run->models = level >= EVENTS_LEVEL_CACHES;
	b->va = run->told.insns.va = qemu_plugin_insn_vaddr(insn);
	b->physical = physical;
	b->physical_next = (physical & ~(PAGE_BYTES - 1)) + PAGE_BYTES;
	b->shift = MICRO_PAGE_SHIFT;
	run->told.insns.spent = times_of(i, b->va);
	observe.run = run;
	qemu_plugin_register_vcpu_insn_exec_cb(insn, callback_of_run(), PLUGIN_NO_REGISTERS, run);
	if (!observe.first)
		observe.first = run;
}

static uint64_t last_line(const struct qemu_plugin_insn *insn)
{
	return (qemu_plugin_insn_vaddr(insn) + qemu_plugin_insn_size(insn) - 1) >> MICRO_LINE_SHIFT;
}

bool observe_ends_run(const struct qemu_plugin_insn *insn)
{
	return observe.run->models &&
	       (last_line(insn) != observe.run->line || observe.run->told.insns.n == TIMED_INSNS);
}

static void note_faults(struct run *run, const struct decoded *d)
{
	if (d->retires == RETIRES_SURELY)
		return;
	run->accesses += accesses_once(d);
	run->can_fault |= !accesses_once(d);
}

/* A request in the code (XCHG RBX, RBX) reads the counts when it begins. */
static bool retires_by_next(const struct decoded *d)
{
	if (d->branch != BRANCH_NONE && d->branch != BRANCH_CALL && d->branch != BRANCH_JUMP)
		return true;
	return (d->retires != RETIRES_SURELY && !accesses_once(d)) || d->is_exchange;
}

static const struct core_insn *describe_timed(const uint8_t *code, size_t size)
{
	struct core_insn insn;

	if (core_describe(&insn, cores_model(), code, size) != size)
		core_describe_unknown(&insn, size);
	return time_intern(&insn);
}

static const struct core_insn *add_timed(struct timed_insns *run, const struct decoded *d,
					 const uint8_t *code, size_t size)
{
	const struct core_insn *timed = describe_timed(code, size);

	run->by_access |= (uint64_t)accesses_once(d) << run->n;
	run->by_next |= (uint64_t)retires_by_next(d) << run->n;
	run->rowless |= (uint64_t) !!(timed->flags & CORE_UNKNOWN) << run->n;
	run->jumps = d->branch == BRANCH_CALL || d->branch == BRANCH_JUMP;
	observe.insns[run->n++] = timed;
	return timed;
}

const struct core_insn *observe_run_add(const struct qemu_plugin_insn *insn,
					const struct decoded *d, const uint8_t *code)
{
	struct micro_block *b = &observe.run->told.block;
	const size_t size = qemu_plugin_insn_size(insn);
	const struct core_insn *timed = NULL;

	if (observe.run->models)
		timed = add_timed(&observe.run->told.insns, d, code, size);
	b->bytes = (uint16_t)(b->bytes + size);
	observe.run->line = last_line(insn);
	if (d->repeats)
		observe.run->told.repeats = qemu_plugin_insn_vaddr(insn);
	observe.run->locked |= d->tally.n[EVENTS_LOCKED];
	note_faults(observe.run, d);
	return timed;
}

/* --- Accesses --- */

static inline uint64_t page_of(const struct observer *o, uint64_t va)
{
	return (va >> MICRO_PAGE_SHIFT & (GENERATION - 1)) | o->generation;
}

static inline bool is_told(const struct observer *o, uint64_t va)
{
	return o->pages[follow_page_slot(va)] == page_of(o, va);
}

/* Reports the page's physical address, if it is not known yet. */
static void tell_page(struct observer *o, plugin_access info, uint64_t va, bool put)
{
	const struct qemu_plugin_hwaddr *at;
	uint64_t physical;

	if (is_told(o, va))
		return;
	at = qemu_plugin_get_hwaddr(info, va);
	physical = at ? qemu_plugin_hwaddr_phys_addr(at) : va;
	o->pages[follow_page_slot(va)] = page_of(o, va);
	if (put)
		feed_put(&feed, follow_page_record(physical, va));
	else
		follow_page(&o->follower, physical, va);
}

/* An access may span two pages. */
static NOINLINE void tell_pages(struct observer *o, plugin_access info, uint64_t va, bool put)
{
	const uint64_t last = va + (1u << qemu_plugin_mem_size_shift(info)) - 1;

	tell_page(o, info, va, put);
	if (last >> MICRO_PAGE_SHIFT != va >> MICRO_PAGE_SHIFT)
		tell_page(o, info, last & ~(PAGE_BYTES - 1), put);
}

static inline void know_pages(struct observer *o, plugin_access info, uint64_t va, bool put)
{
	if (!is_told(o, va) || (va & (PAGE_BYTES - 1)) > PAGE_BYTES - WIDEST_ACCESS)
		tell_pages(o, info, va, put);
}

/* An instruction's accesses of a kind. */
struct access {
	follow_record record;
	struct follow_access told;
	uint64_t known; /* QEMU's description of them, above a set bit; 0: unknown */
};

struct accesses {
	struct access load, store;
	struct run *run; /* that of the instruction */
};

#define KNOWN(info) ((uint64_t)(info) << 1 | 1)

static struct access *access_of(plugin_access info, struct accesses *accesses)
{
	return qemu_plugin_mem_is_store(info) ? &accesses->store : &accesses->load;
}

static void follow_at_once(unsigned vcpu, plugin_access info, uint64_t va, struct access *access)
{
	struct observer *o = &observe.of[vcpu];

	access->told.shift = (uint8_t)qemu_plugin_mem_size_shift(info);
	know_pages(o, info, va, false);
	follow_access_at(&o->follower, &access->told, va, observe.several);
}

static void make_access_record(plugin_access info, struct access *access)
{
	access->told.shift = (uint8_t)qemu_plugin_mem_size_shift(info);
	access->record = follow_record_of(&access->told);
	access->known = KNOWN(info);
}

static NOINLINE void put_slowly(plugin_access info, uint64_t va, struct access *access)
{
	if (follow_has_record(va)) {
		make_access_record(info, access);
		know_pages(&only, info, va, true);
		feed_put(&feed, feed_at(access->record, va));
		return;
	}
	observe_catch_up(0);
	follow_at_once(0, info, va, access);
}

static inline void put_access(plugin_access info, uint64_t va, struct access *access)
{
	if (access->known != KNOWN(info) || !follow_has_record(va)) {
		put_slowly(info, va, access);
		return;
	}
	know_pages(&only, info, va, true);
	feed_put(&feed, feed_at(access->record, va));
}

static void on_load(unsigned vcpu, plugin_access info, uint64_t va, void *accesses)
{
	(void)vcpu;
	put_access(info, va, &((struct accesses *)accesses)->load);
}

static void on_store(unsigned vcpu, plugin_access info, uint64_t va, void *accesses)
{
	(void)vcpu;
	put_access(info, va, &((struct accesses *)accesses)->store);
}

/* An access of an instruction that loads and stores. */
static void on_either(unsigned vcpu, plugin_access info, uint64_t va, void *accesses)
{
	(void)vcpu;
	put_access(info, va, access_of(info, accesses));
}

static void on_access_coherent(unsigned vcpu, plugin_access info, uint64_t va, void *accesses)
{
	struct access access =
		*access_of(info, accesses); /* a copy, as several threads may write it */

	follow_at_once(vcpu, info, va, &access);
}

/* An access of an instruction that may have to be reported. */
static void on_access_alone(unsigned vcpu, plugin_access info, uint64_t va, void *accesses)
{
	struct access *kept = access_of(info, accesses), access = *kept;
	const struct run *run = ((const struct accesses *)accesses)->run;
	struct follower *f = &observe.of[vcpu].follower;

	if (is_put_alone(vcpu)) {
		feed_put(&feed, (uint64_t)run | FOLLOW_AGAIN);
		put_access(info, va, kept);
		return;
	}
	observe_catch_up(vcpu);
	follow_again(f, &run->told);
	follow_at_once(vcpu, info, va, &access);
	time_known(&f->time);
	stepped_accesses(vcpu, &f->time);
}

/* QEMU 7's own filter by reads and writes confuses the two. */
static plugin_access_cb callback_of_access(const struct decoded *d)
{
	if (observe.alone)
		return on_access_alone;
	if (observe.several)
		return on_access_coherent;
	if (d->tally.n[EVENTS_LOADS] && d->tally.n[EVENTS_STORES])
		return on_either;
	return d->tally.n[EVENTS_LOADS] ? on_load : on_store;
}

void observe_accesses(struct qemu_plugin_insn *insn, const struct decoded *d)
{
	struct accesses *a = arena_take(&observe.arena, sizeof(*a));

	a->load.told.insn = a->store.told.insn = (uint8_t)observe.run->told.insns.n;
	a->store.told.stores = true;
	a->run = observe.run;
	qemu_plugin_register_vcpu_mem_cb(insn, callback_of_access(d), PLUGIN_NO_REGISTERS,
					 PLUGIN_READ_WRITE, a);
}

/* --- Requests of vpmu --- */

void observe_settle(unsigned vcpu)
{
	struct follower *f = &observe.of[vcpu].follower;

	observe_catch_up(vcpu);
	if (vcpu >= EVENTS_PAGE_CPUS)
		return;
	f->time.latency = counted_page()->cpu[vcpu].latency;
	micro_set_fetch_latency(f->micro, counted_page()->cpu[vcpu].fetch_latency);
	micro_set_prefetchers(f->micro, counted_page()->cpu[vcpu].prefetchers_off);
}

void observe_time(bool on)
{
	if (observe.vcpus && !observe.several)
		follow_time(&only.follower, on);
}

void observe_near(bool on)
{
	if (observe.several)
		return;
	feed_stay(&feed, on);
	follow_stay(&only.follower, on);
}

void observe_ring_costs(unsigned vcpu, uint64_t cost[PROFILE_COSTS])
{
	const struct profile_header *h = &profile_file()->header;
	const struct follower *f = observe.of ? &observe.of[vcpu].follower : NULL;
	uint32_t n = 0;

	if (!f || !f->rings)
		return;
	if (!observe.several)
		observe_catch_up(vcpu);
	for (uint32_t i = 0; i < h->ncosts; i++)
		if (profile_is_modelled(h->cost[i]))
			cost[i] = ring_cost(f, n++, h->cost[i]);
}

bool observe_is_fetched(unsigned vcpu, uint64_t va, size_t bytes)
{
	return micro_is_fetched(observe.of[vcpu].follower.micro, va, bytes);
}

static void on_flush(unsigned vcpu, void *unused)
{
	(void)unused;
	forget_pages(&observe.of[vcpu]);
	if (observe.several) {
		micro_flush(observe.of[vcpu].follower.micro);
		return;
	}
	feed_put(&feed, FOLLOW_FLUSH);
}

void observe_flush(struct qemu_plugin_insn *insn)
{
	qemu_plugin_register_vcpu_insn_exec_cb(insn, on_flush, PLUGIN_NO_REGISTERS, NULL);
}
