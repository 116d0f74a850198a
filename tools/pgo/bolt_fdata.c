// SPDX-License-Identifier: BSD-2-Clause
/*
 * bolt_fdata.c - see bolt_fdata.h.
 *
 * BOLT takes the counts of edges between basic blocks, and the counts of calls. A block ends at a
 * jump or before the target of a jump. So a step into the next block is known by the targets, also
 * of jumps that were never executed. BOLT leaves returns out.
 */
#include "tools/pgo/bolt_fdata.h"

#include <inttypes.h>
#include <stdlib.h>

struct fdata {
	struct buf *out;
	const struct executed *executed;
	const struct pgo_functions *functions;
	struct buf targets; /* uint64_t, of the present function */
};

/* --- Lines --- */

static void add_symbol(struct buf *out, const char *name)
{
	for (; *name; name++)
		buf_printf(out, *name == ' ' || *name == '\\' ? "\\%c" : "%c", *name);
}

static void add_end(const struct fdata *f, uint64_t address, bool is_outside)
{
	const struct pgo_function *function =
		is_outside ? NULL : functions_find(f->functions, address);

	if (!function) {
		buf_printf(f->out, "0 [unknown] 0 ");
		return;
	}
	buf_printf(f->out, "1 ");
	add_symbol(f->out, function->name);
	if (function->local)
		buf_printf(f->out, "/%u", function->local);
	buf_printf(f->out, " %" PRIx64 " ", address - function->start);
}

static void add_fdata_line(const struct fdata *f, const struct executed_branch *branch)
{
	add_end(f, branch->from, branch->from_outside);
	add_end(f, branch->to, branch->to_outside);
	buf_printf(f->out, "0 %" PRIu64 "\n", branch->count);
	buf_settle(f->out, false);
}

static void add_branch_lines(const struct fdata *f)
{
	for (size_t i = 0; i < f->executed->nbranches; i++) {
		const struct executed_branch *branch = &f->executed->branch[i];

		if (branch->kind != PROFILE_RETURN &&
		    (!branch->from_outside || !branch->to_outside))
			add_fdata_line(f, branch);
	}
}

/* --- Steps into the next block --- */

static void add_jump_target(void *ctx, uint64_t target)
{
	buf_add(ctx, &target, sizeof(target));
}

/* Jump tables have targets that code does not tell. */
static void add_executed_targets(struct fdata *f, const struct pgo_function *function)
{
	const struct executed_branch *end = f->executed->branch + f->executed->nbranches;
	size_t n;
	const struct executed_branch *branch = executed_from(f->executed, function->start, &n);

	for (; branch < end && !branch->from_outside && branch->from < function->end; branch++)
		if (branch->kind == PROFILE_JUMP && !branch->to_outside &&
		    branch->to > function->start && branch->to < function->end)
			add_jump_target(&f->targets, branch->to);
}

/* A call steps into the next block where it returns. */
static uint64_t count_returns(const struct executed *executed, uint64_t to)
{
	uint64_t count = 0;

	for (size_t i = 0; i < executed->nbranches; i++) {
		const struct executed_branch *branch = &executed->branch[i];

		if (branch->kind == PROFILE_RETURN && !branch->to_outside && branch->to == to)
			count += branch->count;
	}
	return count;
}

/* Returns how often the instruction before `to` goes on there without a jump. */
static uint64_t count_block_steps(const struct executed *executed,
				  const struct executed_insn *before, uint64_t to)
{
	size_t n;
	const struct executed_branch *branch = executed_from(executed, before->address, &n);

	if (!n)
		return before->count;
	return branch->kind == PROFILE_CALL ? count_returns(executed, to) : 0;
}

static void add_block_step(const struct fdata *f, uint64_t to)
{
	const struct executed_insn *before = executed_before(f->executed, to);
	struct executed_branch step = {.to = to};

	if (!before || before->address + before->bytes != to)
		return;
	step.from = before->address;
	step.count = count_block_steps(f->executed, before, to);
	if (step.count)
		add_fdata_line(f, &step);
}

static int compare_targets(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

static void add_block_steps(struct fdata *f, const struct pgo_function *function)
{
	const uint64_t *target;
	size_t n;

	f->targets.size = 0;
	functions_jump_targets(f->functions, function, add_jump_target, &f->targets);
	add_executed_targets(f, function);
	target = (const void *)f->targets.data;
	n = f->targets.size / sizeof(*target);
	if (n)
		qsort(f->targets.data, n, sizeof(*target), compare_targets);
	for (size_t i = 0; i < n; i++)
		if (!i || target[i] != target[i - 1])
			add_block_step(f, target[i]);
}

static bool is_executed(const struct executed *executed, const struct pgo_function *function)
{
	const struct executed_insn *last = executed_before(executed, function->end);

	return last && last->address >= function->start;
}

void bolt_fdata(struct buf *out, const struct executed *executed,
		const struct pgo_functions *functions)
{
	struct fdata f = {.out = out, .executed = executed, .functions = functions};

	add_branch_lines(&f);
	for (size_t i = 0; i < functions->n; i++)
		if (is_executed(executed, &functions->function[i]))
			add_block_steps(&f, &functions->function[i]);
	buf_free(&f.targets);
}
