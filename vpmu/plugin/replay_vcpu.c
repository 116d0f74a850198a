// SPDX-License-Identifier: BSD-2-Clause
/*
 * replay_vcpu.c - the target of a branch is known when the next run begins, or when the guest stops
 * behind it. An interrupt in between leads elsewhere. For a branch with known targets that is
 * visible: it waits until an IRET leads to one of them.
 */
#include "vpmu/plugin/replay_vcpu.h"

#include <string.h>

/* Each step is compiled twice: time is told at once, or `later`, by the ring. */
#define INLINE   static inline __attribute__((always_inline))
#define NOINLINE __attribute__((noinline))

void follow_init(struct follower *f, uint64_t *counts)
{
	f->counts = counts;
}

bool follow_by_ring(struct follower *f, struct feed *times)
{
	f->reader.time = &f->time;
	if (!feed_begin(times, time_replay, &f->reader, true))
		return false;
	if (times->has_thread)
		f->times = times;
	else
		feed_end(times);
	return true;
}

void follow_end(struct follower *f)
{
	if (f->times)
		feed_end(f->times);
	f->times = NULL;
}

void follow_reset(struct follower *f)
{
	f->last = NULL;
	f->nwaiting = 0;
	f->repeated = 0;
	f->run = NULL;
	if (f->micro)
		time_reset(&f->time);
}

/* --- What takes time --- */

/* The run has ended. A branch at its end belongs to it in time. */
INLINE void end_time(struct follower *f, bool taken, bool mispredicted, bool later)
{
	if (!f->micro)
		return;
	f->run = NULL;
	if (later)
		f->ended = TIME_ENDS | (taken ? TIME_TAKEN : 0) |
			   (mispredicted ? TIME_MISPREDICTED : 0);
	else if (!f->is_untimed)
		time_end(&f->time, taken, mispredicted);
}

/* The run that end_time() was told of has ended, and this one begins. */
INLINE void begin_time(struct follower *f, const struct timed_insns *run,
		       struct micro_fetched fetched, bool later)
{
	f->run = run;
	if (f->is_untimed)
		return;
	if (!later) {
		time_run(&f->time, run, fetched);
		return;
	}
	time_put_run(f->times, run, f->ended, fetched);
	f->ended = 0;
}

INLINE void begin_iteration(struct follower *f, const struct timed_insns *run, bool later)
{
	f->run = run;
	if (f->is_untimed)
		return;
	if (!later) {
		time_iteration(&f->time, run);
		return;
	}
	time_put_run(f->times, run, f->ended | TIME_ITERATES, (struct micro_fetched){0});
	f->ended = 0;
}

void follow_catch_up(struct follower *f)
{
	if (!f->tells_later)
		return;
	if (f->ended)
		time_put_run(f->times, NULL, f->ended, (struct micro_fetched){0});
	f->ended = 0;
	feed_drain(f->times);
}

void follow_time(struct follower *f, bool on)
{
	if (on != f->is_untimed)
		return;
	follow_sum(f);
	time_reset(&f->time);
	f->is_untimed = !on;
}

void follow_stay(struct follower *f, bool on)
{
	if (on)
		follow_catch_up(f);
	f->stays = on;
}

static void sum_own(struct follower *f)
{
	const struct follow_counts own = f->own;

	f->counts[EVENTS_CONDITIONAL_TAKEN] += own.taken;
	f->counts[EVENTS_UNALIGNED] += own.unaligned;
	f->counts[EVENTS_SPLIT_LOADS] += own.split[0];
	f->counts[EVENTS_SPLIT_STORES] += own.split[1];
	f->counts[EVENTS_PAGE_SPLIT_LOADS] += own.page_split[0];
	f->counts[EVENTS_PAGE_SPLIT_STORES] += own.page_split[1];
	f->own = (struct follow_counts){0};
}

void follow_sum(struct follower *f)
{
	follow_catch_up(f);
	if (f->micro) {
		time_known(&f->time);
		time_publish(&f->time);
	}
	sum_own(f);
}

void follow_sum_clock(struct follower *f)
{
	follow_catch_up(f);
	if (f->micro) {
		time_known(&f->time);
		time_publish_clock(&f->time);
	}
	sum_own(f);
}

struct micro_page follow_translate(void *context, uint64_t va)
{
	const struct follower *f = context;
	const uint64_t in_page = va & ((1u << MICRO_PAGE_SHIFT) - 1);

	return (struct micro_page){f->physical[follow_page_slot(va)] | in_page, MICRO_PAGE_SHIFT};
}

uint64_t follow_ip(const void *context)
{
	const struct follower *f = context;

	return time_address(f->run, f->accessing);
}

/* --- Branches --- */

static inline bool is_taken(const struct follow_branch *b, uint64_t to)
{
	return b->kind != MICRO_CONDITIONAL || to == b->target;
}

/* True: it was mispredicted. */
static inline bool tell_branch(struct follower *f, const struct follow_branch *b, uint64_t to)
{
	const bool taken = is_taken(b, to);

	if (b->kind == MICRO_CONDITIONAL)
		f->own.taken += taken;
	if (!b->models ||
	    !micro_branch(f->micro, (enum micro_branch)b->kind, b->ip, to, b->next, taken))
		return false;
	f->mispredicted = b->ip;
	return true;
}

/* A branch to itself has not been executed: it stops the guest. */
static bool is_stopped_at(const struct follow_branch *b, uint64_t to)
{
	return !b->target && to == b->ip;
}

/* In call-stack mode a call to the next instruction is not recorded. */
static bool is_recorded(const struct follower *f, const struct follow_branch *b, uint64_t to)
{
	if (!is_taken(b, to) || is_stopped_at(b, to))
		return false;
	return !f->branches->calls || b->kind != MICRO_CALL || to != b->next;
}

static const uint8_t kinds[] = {
	[MICRO_CONDITIONAL] = BRANCH_KIND_JCC,
	[MICRO_JUMP] = BRANCH_KIND_REL_JUMP,
	[MICRO_CALL] = BRANCH_KIND_REL_CALL,
	[MICRO_JUMP_INDIRECT] = BRANCH_KIND_IND_JUMP,
	[MICRO_CALL_INDIRECT] = BRANCH_KIND_IND_CALL,
	[MICRO_RETURN] = BRANCH_KIND_RETURN,
	[MICRO_FAR] = BRANCH_KIND_FAR,
};

/* Logs branches, also those that were not taken. */
static void log_branch(struct follower *f, const struct follow_branch *b, uint64_t to,
		       bool mispredicted)
{
	if (f->log && f->log->on && !is_stopped_at(b, to))
		branch_log_add(f->log, (enum branch_kind)kinds[b->kind],
			       (is_taken(b, to) ? LOGGED_TAKEN : 0) |
				       (mispredicted ? LOGGED_MISPREDICTED : 0) |
				       (b->next - b->ip) << LOGGED_LENGTH_SHIFT,
			       b->ip, to);
}

static NOINLINE void record_branch(struct follower *f, const struct follow_branch *b, uint64_t to,
				   bool mispredicted)
{
	struct branch_record r = {.from = b->ip, .to = to};
	uint64_t now, cycles;

	follow_catch_up(f);
	now = f->micro ? time_cycles(&f->time) : 0;
	cycles = now - f->recorded_at;
	log_branch(f, b, to, mispredicted);
	if (!is_recorded(f, b, to))
		return;
	if (b->models)
		r.info = (cycles < BRANCH_CYCLES ? cycles : BRANCH_CYCLES) | BRANCH_TIMED |
			 (mispredicted ? BRANCH_MISPREDICTED : 0);
	branch_stack_add(f->branches, (enum branch_kind)kinds[b->kind], r);
	f->recorded_at = now;
}

/* The first code of a guest's run. */
static NOINLINE void enter_run(struct follower *f, uint64_t va)
{
	struct branch_stack *s = f->branches;

	s->enters = false;
	if (va == s->enters_at)
		return;
	branch_stack_add(s, BRANCH_KIND_FAR,
			 (struct branch_record){.from = s->enters_from, .to = va});
	if (f->log && f->log->on)
		branch_log_add(f->log, BRANCH_KIND_FAR, LOGGED_TAKEN | LOGGED_DELIVERED,
			       s->enters_from, va);
}

void follow_stopped(struct follower *f)
{
	if (f->branches)
		f->branches->wanted = f->branches->wanted_then;
}

static inline bool leads_to(const struct follow_branch *b, uint64_t va)
{
	return !b->target || b->target == va || (b->kind == MICRO_CONDITIONAL && b->next == va);
}

static void keep_waiting(struct follower *f, const struct follow_branch *b)
{
	if (f->nwaiting == FOLLOW_WAITING)
		memmove(f->waiting, f->waiting + 1, --f->nwaiting * sizeof(*f->waiting));
	f->waiting[f->nwaiting++] = *b;
}

static void settle_waiting(struct follower *f, uint64_t va)
{
	if (f->nwaiting && leads_to(&f->waiting[f->nwaiting - 1], va))
		tell_branch(f, &f->waiting[--f->nwaiting], va);
}

/* True: the last branch was reached, and led to `va`. */
INLINE bool settle_last(struct follower *f, uint64_t va, bool later)
{
	const struct follow_branch *b = f->last;
	bool mispredicted;

	if (follow_is_recording(f) && f->branches->enters)
		enter_run(f, va);
	f->last = NULL;
	if (!b || !follow_was_reached(f, b)) {
		end_time(f, false, false, later);
		return false;
	}
	if (!leads_to(b, va)) {
		end_time(f, false, false, later);
		keep_waiting(f, b);
		return false;
	}
	mispredicted = tell_branch(f, b, va);
	end_time(f, is_taken(b, va), mispredicted, later);
	if (follow_is_recording(f))
		record_branch(f, b, va, mispredicted);
	if (b->kind == MICRO_FAR)
		settle_waiting(f, va);
	return true;
}

bool follow_arrived(struct follower *f, uint64_t va)
{
	return settle_last(f, va, false);
}

void follow_forget_runs(struct follower *f)
{
	if (f->micro) {
		time_forget_runs(&f->time);
		f->run = time_keep_run(&f->time, f->run);
	}
	if (!f->last || f->last == &f->kept)
		return;
	f->kept = *f->last;
	f->last = &f->kept;
}

/* --- Rings --- */

static NOINLINE void change_ring(struct follower *f)
{
	struct follow_rings *r = f->rings;

	time_publish(&f->time);
	for (uint32_t i = 0; i < r->n; i++) {
		const uint64_t now = f->counts[r->count[i]];

		r->before[r->is_user][i] += now - r->last[i];
		r->last[i] = now;
	}
	r->is_user = !r->is_user;
}

uint64_t follow_ring_count(const struct follower *f, uint32_t i, bool user)
{
	const struct follow_rings *r = f->rings;
	const uint64_t now = r->is_user == user ? f->counts[r->count[i]] - r->last[i] : 0;

	return r->before[user][i] + now;
}

/* --- Runs --- */

static inline void begin_run(struct follower *f, const struct follow_run *run)
{
	f->accesses = 0;
	f->is_alone = false;
	if (run->ends_in_branch)
		f->last = &run->branch;
}

NOINLINE void follow_run_rarely(struct follower *f, const struct follow_run *run)
{
	settle_last(f, run->block.va, false);
	follow_begin_unmodelled(f, run);
}

/* QEMU runs one iteration of a REP string instruction at a time: from the second on it looks like a
 * run that begins there. */
INLINE void model_run(struct follower *f, const struct follow_run *run, bool later)
{
	settle_last(f, run->block.va, later);
	if (f->rings && f->rings->is_user != (run->block.va < UPPER_HALF))
		change_ring(f);
	if (f->repeated && f->repeated == run->block.va)
		begin_iteration(f, &run->insns, later);
	else
		begin_time(f, &run->insns, micro_block(f->micro, &run->block), later);
	f->repeated = run->repeats;
	begin_run(f, run);
}

void follow_run(struct follower *f, const struct follow_run *run)
{
	model_run(f, run, false);
}

static NOINLINE void run_alone(struct follower *f, const struct follow_run *run, bool later)
{
	model_run(f, run, later);
	f->is_alone = true;
}

void follow_run_alone(struct follower *f, const struct follow_run *run)
{
	run_alone(f, run, false);
}

/* The reported run was left before its end, and the rest of it begins now. */
static NOINLINE void run_again(struct follower *f, const struct follow_run *run, bool later)
{
	if (f->is_alone)
		return;
	end_time(f, false, false, later);
	begin_time(f, &run->insns, (struct micro_fetched){0}, later);
	f->last = NULL;
	f->is_alone = true;
}

void follow_again(struct follower *f, const struct follow_run *run)
{
	run_again(f, run, false);
}

/* --- Accesses --- */

static void count_places(struct follow_counts *n, uint64_t va, unsigned bytes, bool stores)
{
	const uint64_t last = va + bytes - 1;

	n->unaligned++;
	n->split[stores] += va >> MICRO_LINE_SHIFT != last >> MICRO_LINE_SHIFT;
	n->page_split[stores] += va >> MICRO_PAGE_SHIFT != last >> MICRO_PAGE_SHIFT;
}

INLINE struct micro_outcome outcome_at(struct follower *f, uint64_t va, unsigned bytes, bool stores,
				       bool coherent)
{
	if (!stores)
		return micro_load(f->micro, va, bytes, f);
	if (coherent)
		return micro_store_coherent(f->micro, va, bytes, f);
	return micro_store(f->micro, va, bytes, f);
}

INLINE void access_at(struct follower *f, uint64_t va, unsigned shift, unsigned insn, bool stores,
		      bool coherent, bool later)
{
	const unsigned bytes = 1u << shift;
	struct micro_outcome outcome;

	f->accesses++;
	f->accessing = insn;
	if (va & (bytes - 1))
		count_places(&f->own, va, bytes, stores);
	if (stores ? !coherent && micro_store_hits(f->micro, va, bytes)
		   : micro_load_hits(f->micro, va, bytes)) {
		if (later)
			time_put_access(f->times, insn, stores, va, shift);
		else if (!f->is_untimed)
			time_hit(&f->time, insn, stores, va, bytes);
		return;
	}
	outcome = outcome_at(f, va, bytes, stores, coherent);
	if (f->is_untimed)
		return;
	if (!later) {
		time_access(&f->time, insn, stores, va, bytes, &outcome);
		return;
	}
	time_put_outcome(f->times, outcome);
	time_put_access(f->times, insn, stores, va, shift);
}

void follow_access_at(struct follower *f, const struct follow_access *access, uint64_t va,
		      bool coherent)
{
	access_at(f, va, access->shift, access->insn, access->stores, coherent, false);
}

/* --- Records --- */

INLINE void follow_access(struct follower *f, follow_record r, bool stores, bool later)
{
	access_at(f, feed_access_va(r), feed_access_shift(r), feed_access_insn(r), stores, false,
		  later);
}

static const void *told_by(follow_record r)
{
	return (const void *)(uintptr_t)(r & (FOLLOW_ONCE_MORE - 1) & ~(uint64_t)FEED_KIND_MASK);
}

bool follow_is_loop(const struct follow_run *run)
{
	const struct follow_branch *b = &run->branch;

	return run->ends_in_branch && b->kind == MICRO_CONDITIONAL && b->models && !b->needs &&
	       b->target == run->block.va && b->next != b->target && !run->repeats;
}

/* Steps a loop until nothing changes in predictor and caches; returns the iterations that are left.
 */
static uint64_t settle_loop(struct follower *f, const struct follow_run *run, uint64_t times,
			    bool later)
{
	const unsigned checks = micro_loop_checks(f->micro);

	for (unsigned next = 0; times; times--, next--) {
		if (!next) {
			if (micro_loop_is_settled(f->micro, &run->block, run->branch.ip))
				break;
			next = checks;
		}
		model_run(f, run, later);
	}
	return times;
}

/* Repeats a loop (follow_is_loop()) as often as the record says. */
static NOINLINE void follow_more(struct follower *f, const struct follow_run *run, uint64_t times,
				 bool later)
{
	if (follow_is_recording(f)) {
		while (times--)
			model_run(f, run, later);
		return;
	}
	times = settle_loop(f, run, times, later);
	if (!times)
		return;
	f->own.taken += times;
	if (later)
		time_put_repeat(f->times, times);
	else if (!f->is_untimed)
		time_repeat(&f->time, times);
}

INLINE void follow_one(struct follower *f, follow_record r, bool later)
{
	switch ((enum follow_kind)(r & FEED_KIND_MASK)) {
	case FOLLOW_RUN:
		model_run(f, told_by(r), later);
		if (r >= FOLLOW_ONCE_MORE)
			follow_more(f, told_by(r), r >> FOLLOW_POINTER_BITS, later);
		break;
	case FOLLOW_LOAD:
		follow_access(f, r, false, later);
		break;
	case FOLLOW_STORE:
		follow_access(f, r, true, later);
		break;
	case FOLLOW_PAGE:
		f->physical[r >> FEED_KIND_BITS & (FOLLOW_PAGES - 1)] =
			r >> (FEED_KIND_BITS + FOLLOW_PAGES_BITS) << MICRO_PAGE_SHIFT;
		break;
	case FOLLOW_BRANCH:
		f->last = told_by(r);
		break;
	case FOLLOW_FLUSH:
		micro_flush(f->micro);
		break;
	case FOLLOW_ALONE:
		run_alone(f, told_by(r), later);
		break;
	case FOLLOW_AGAIN:
		run_again(f, told_by(r), later);
		break;
	}
}

/* --- Short ways for frequent records, whose time is told `later`, or not at all --- */

/* The last branch was reached and led to `va`, unless it is a rare one: then nothing was done, and
 * it is false. `ended`: for time_put_run(). */
INLINE bool settle_usual(struct follower *f, uint64_t va, uint64_t *ended)
{
	const struct follow_branch *b = f->last;
	bool taken = true, missed;

	*ended = TIME_ENDS;
	if (!b)
		return true;
	if (!b->models || f->accesses < b->needs || b->kind == MICRO_FAR)
		return false;
	if (b->kind == MICRO_CONDITIONAL) {
		taken = va == b->target;
		if (!taken & (va != b->next))
			return false;
		missed = micro_direction(f->micro, b->ip, taken);
		f->own.taken += taken;
	} else {
		if (b->target && va != b->target)
			return false;
		missed = micro_jump(f->micro, (enum micro_branch)b->kind, b->ip, va, b->next);
	}
	f->mispredicted = missed ? b->ip : f->mispredicted;
	*ended |= (taken ? TIME_TAKEN : 0) | (missed ? TIME_MISPREDICTED : 0);
	return true;
}

static NOINLINE void follow_rarely(struct follower *f, follow_record r, bool later)
{
	follow_one(f, r, later);
}

static NOINLINE void fetch_usual_run(struct follower *f, const struct follow_run *run,
				     uint64_t first, bool later)
{
	const struct micro_fetched fetched = micro_fetch(f->micro, &run->block, first);

	if (later)
		time_put_fetched(f->times, fetched);
}

/* As model_run(), where no REP string instruction goes on, and rings are not counted apart. */
INLINE bool model_usual_run(struct follower *f, const struct follow_run *run, bool later)
{
	uint64_t ended, first;

	if (f->repeated || !settle_usual(f, run->block.va, &ended))
		return false;
	f->run = &run->insns;
	if (!micro_runs_on(f->micro, &run->block, &first))
		fetch_usual_run(f, run, first, later);
	if (later)
		time_put_run(f->times, f->run, ended, (struct micro_fetched){0});
	f->repeated = run->repeats;
	f->accesses = 0;
	f->is_alone = false;
	/* Without a jump, as the host cannot predict it. */
	f->last = (const void *)((uintptr_t)&run->branch & -(uintptr_t)run->ends_in_branch);
	return true;
}

static NOINLINE void follow_missing_access(struct follower *f, follow_record r, bool later)
{
	const uint64_t va = feed_access_va(r);
	const unsigned bytes = 1u << feed_access_shift(r);
	struct micro_outcome outcome;

	f->accesses++;
	f->accessing = feed_access_insn(r);
	outcome = feed_is_store(r) ? micro_store_lines(f->micro, va, bytes, f)
				   : micro_load_lines(f->micro, va, bytes, f);
	if (!later)
		return;
	time_put_outcome(f->times, outcome);
	feed_put(f->times, r);
}

/* An unaligned access may span two lines. */
INLINE void follow_usual_access(struct follower *f, follow_record r, bool later)
{
	const uint64_t va = feed_access_va(r);

	if (va & ((1u << feed_access_shift(r)) - 1)) {
		follow_rarely(f, r, later);
	} else if (micro_hits_again(f->micro, va, feed_is_store(r)) ||
		   micro_hits_l1(f->micro, va, feed_is_store(r))) {
		f->accesses++;
		if (later)
			feed_put(f->times, r);
	} else {
		follow_missing_access(f, r, later);
	}
}

/* A record of a run without further iterations is its address. */
INLINE void follow_usual(struct follower *f, follow_record r, bool later)
{
	if (feed_is_access(r))
		follow_usual_access(f, r, later);
	else if (r & FEED_KIND_MASK || r >= FOLLOW_ONCE_MORE ||
		 !model_usual_run(f, (const void *)(uintptr_t)r, later))
		follow_rarely(f, r, later);
}

/* The cycle of each branch that is recorded, and the counts of each ring, are read at once. */
static bool is_usual(const struct follower *f)
{
	return !f->rings && !follow_is_recording(f);
}

static bool can_tell_later(const struct follower *f)
{
	return f->times && !f->is_untimed && !f->stays && is_usual(f);
}

static void follow_untimed(struct follower *f, const follow_record *records,
			   const follow_record *end)
{
	for (; records < end; records++)
		follow_usual(f, *records, false);
}

void follow_list(void *follower, const follow_record *records, size_t n)
{
	const follow_record *end = records + n;
	struct follower *f = follower;

	if (!can_tell_later(f)) {
		follow_catch_up(f);
		f->tells_later = false;
		if (f->is_untimed && f->micro && is_usual(f)) {
			follow_untimed(f, records, end);
			return;
		}
		for (; records < end; records++)
			follow_one(f, *records, false);
		return;
	}
	f->tells_later = true;
	for (; records < end; records++)
		follow_usual(f, *records, true);
}
