// SPDX-License-Identifier: BSD-2-Clause
/*
 * profile_branches.c - see profile_branches.h.
 *
 * A branch is two callbacks: one before it executes, and one where the next block of ring 3 begins.
 * Between the two, ring 0 may run: an interrupt comes before the target, and a branch that faults
 * is executed again. In the second case the next block begins with the branch itself.
 *
 * Ends and branches have numbers for good, so callbacks need no memory of their own. With several
 * vCPUs a lock protects what grows; the plugin's lock does not, for branches are added while code
 * runs.
 */
#include "vpmu/plugin/profile_branches.h"

#include <pthread.h>
#include <stdlib.h>

#include "vpmu/plugin/profile_pieces.h"

#define END_SLOTS    (2 * PROFILE_ENDS_MOST)
#define BRANCH_SLOTS (2 * PROFILE_BRANCHES_MOST)
#define WAYS         2
#define CACHE_LINE   64

/* The last ways that a branch took. */
struct recent {
	uint32_t way[WAYS]; /* numbers of branches, the last one first; 0: none */
	bool has_itself;    /* as its target */
};

/* The branch whose target has not begun; 0: none. */
struct underway {
	_Alignas(CACHE_LINE) uint32_t end;
};

static struct {
	unsigned vcpus; /* 0: branches are not wanted */
	struct underway *of;
	struct recent recent[PROFILE_ENDS_MOST + 1]; /* by number of the end */
	uint32_t end[END_SLOTS];                     /* their numbers, by place and kind */
	uint32_t branch[BRANCH_SLOTS];               /* their numbers, by both ends */
	pthread_mutex_t lock;
} branches = {.lock = PTHREAD_MUTEX_INITIALIZER};

void branches_begin(unsigned vcpus)
{
	if (!profile_file() || !profile_file()->header.wants_branches)
		return;
	branches.of = aligned_alloc(CACHE_LINE, vcpus * sizeof(*branches.of));
	if (!branches.of)
		abort();
	for (unsigned i = 0; i < vcpus; i++)
		branches.of[i].end = 0;
	branches.vcpus = vcpus;
}

static void lock_branches(void)
{
	if (branches.vcpus > 1)
		pthread_mutex_lock(&branches.lock);
}

static void unlock_branches(void)
{
	if (branches.vcpus > 1)
		pthread_mutex_unlock(&branches.lock);
}

static uint32_t hash_of_ends(uint64_t a, uint64_t b)
{
	return (uint32_t)((a * 0x9e3779b97f4a7c15 ^ b * 0xc2b2ae3d27d4eb4f) >> 32);
}

/* --- Ends --- */

static struct profile_end *end_of(uint32_t number)
{
	return &profile_file()->end[number - 1];
}

static bool is_same_end(const struct profile_end *a, const struct profile_end *b)
{
	return a->va == b->va && a->kind == b->kind && a->object == b->object &&
	       a->address == b->address && a->bytes == b->bytes;
}

/* The number of the end; 0: no room. */
static uint32_t number_of_end(const struct profile_end *end)
{
	struct profile_header *h = &profile_file()->header;
	uint32_t at = hash_of_ends(end->va, end->kind | (uint64_t)end->object << 8) % END_SLOTS;

	for (; branches.end[at]; at = (at + 1) % END_SLOTS)
		if (is_same_end(end_of(branches.end[at]), end))
			return branches.end[at];
	if (h->nends == PROFILE_ENDS_MOST) {
		profile_is_full();
		return 0;
	}
	profile_file()->end[h->nends] = *end;
	branches.end[at] = ++h->nends;
	return branches.end[at];
}

static uint32_t end_at(const struct qemu_plugin_insn *insn, size_t i, enum profile_end_kind kind)
{
	struct profile_end end = {.va = qemu_plugin_insn_vaddr(insn), .kind = (uint8_t)kind};
	uint32_t number;

	if (kind != PROFILE_TARGET)
		end.bytes = (uint8_t)qemu_plugin_insn_size(insn);
	end.object = profile_object_of(i, &end.address);
	lock_branches();
	number = number_of_end(&end);
	unlock_branches();
	return number;
}

/* --- Branches --- */

/* The number of the branch between two ends; 0: no room. */
static uint32_t number_of_branch(uint32_t from, uint32_t to)
{
	struct profile_file *f = profile_file();
	uint32_t at = hash_of_ends(from, to) % BRANCH_SLOTS;

	for (; branches.branch[at]; at = (at + 1) % BRANCH_SLOTS) {
		const struct profile_branch *b = &f->branch[branches.branch[at] - 1];

		if (b->from == from && b->to == to)
			return branches.branch[at];
	}
	if (f->header.nbranches == PROFILE_BRANCHES_MOST) {
		profile_is_full();
		return 0;
	}
	f->branch[f->header.nbranches] = (struct profile_branch){.from = from, .to = to};
	branches.branch[at] = ++f->header.nbranches;
	return branches.branch[at];
}

static void count_branch(struct profile_branch *branch)
{
	if (branches.vcpus > 1)
		__atomic_fetch_add(&branch->count, 1, __ATOMIC_RELAXED);
	else
		branch->count++;
}

static bool is_undone(uint32_t from, uint32_t to)
{
	return end_of(from)->va == end_of(to)->va && !branches.recent[from].has_itself;
}

static void count_other_way(uint32_t from, uint32_t to)
{
	struct recent *recent = &branches.recent[from];
	uint32_t number;

	if (is_undone(from, to))
		return;
	lock_branches();
	number = number_of_branch(from, to);
	unlock_branches();
	if (!number)
		return;
	recent->way[1] = recent->way[0];
	recent->way[0] = number;
	count_branch(&profile_file()->branch[number - 1]);
}

static void on_branch_begins(unsigned vcpu, void *end)
{
	branches.of[vcpu].end = (uint32_t)(uintptr_t)end;
}

static void on_target(unsigned vcpu, void *end)
{
	const uint32_t from = branches.of[vcpu].end, to = (uint32_t)(uintptr_t)end;

	if (!from)
		return;
	branches.of[vcpu].end = 0;
	for (unsigned i = 0; i < WAYS; i++) {
		const uint32_t number = branches.recent[from].way[i];

		if (number && profile_file()->branch[number - 1].to == to) {
			count_branch(&profile_file()->branch[number - 1]);
			return;
		}
	}
	count_other_way(from, to);
}

/* --- Tasks --- */

uint32_t branches_suspend(unsigned vcpu)
{
	uint32_t branch;

	if (!branches.vcpus)
		return 0;
	branch = branches.of[vcpu].end;
	branches.of[vcpu].end = 0;
	return branch;
}

void branches_resume(unsigned vcpu, uint32_t branch)
{
	if (branches.vcpus)
		branches.of[vcpu].end = branch;
}

void branches_drop(uint32_t branch)
{
	if (branch)
		__atomic_fetch_add(&profile_file()->header.dropped, 1, __ATOMIC_RELAXED);
}

/* --- Blocks that are translated --- */

static void attach_to_end(struct qemu_plugin_insn *insn, plugin_cb callback, uint32_t end)
{
	if (end)
		qemu_plugin_register_vcpu_insn_exec_cb(insn, callback, PLUGIN_NO_REGISTERS,
						       (void *)(uintptr_t)end);
}

static void attach_branch(struct qemu_plugin_insn *insn, const struct decoded *decoded, size_t i)
{
	static const enum profile_end_kind kinds[] = {
		[BRANCH_CONDITIONAL] = PROFILE_CONDITIONAL,
		[BRANCH_JUMP] = PROFILE_JUMP,
		[BRANCH_CALL] = PROFILE_CALL,
		[BRANCH_RETURN] = PROFILE_RETURN,
		[BRANCH_INDIRECT_JUMP] = PROFILE_JUMP,
		[BRANCH_INDIRECT_CALL] = PROFILE_CALL,
	};
	const uint32_t end = end_at(insn, i, kinds[decoded->branch]);

	branches.recent[end].has_itself = decoded->target == qemu_plugin_insn_vaddr(insn);
	attach_to_end(insn, on_branch_begins, end);
}

void branches_attach_block(const struct qemu_plugin_tb *block, const struct decoded *decoded,
			   size_t n)
{
	struct qemu_plugin_insn *first = qemu_plugin_tb_get_insn(block, 0);
	const struct decoded *last = &decoded[n - 1];

	if (!branches.vcpus)
		return;
	attach_to_end(first, on_target, end_at(first, 0, PROFILE_TARGET));
	if (last->branch != BRANCH_NONE && last->branch != BRANCH_FAR)
		attach_branch(qemu_plugin_tb_get_insn(block, n - 1), last, n - 1);
}
