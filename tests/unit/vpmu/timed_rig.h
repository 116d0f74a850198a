/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * timed_rig.h - a vCPU for tests of time: caches, predictors and a core in time, and instructions
 * that it runs, described by their bytes.
 */
#ifndef TESTS_UNIT_VPMU_TIMED_RIG_H
#define TESTS_UNIT_VPMU_TIMED_RIG_H

#include "tests/unit/micro/core.h"
#include "vpmu/plugin/run_time.h"

#include <stdio.h>

#define RIG_CODE 0x401000ull

struct timed_rig {
	struct played_core *caches;
	struct core_model model;
	struct core_shape shape;
	struct run_time *time;
	uint64_t next; /* the address behind the last run */
};

/* The core of the personality, with the lines of its geometry. */
static inline void rig_model(struct core_model *model, struct core_shape *shape, const char *uarch,
			     const struct geometry *g)
{
	if (!core_model_near(model, uarch))
		abort();
	*shape = *model->shape;
	time_shape_lines(shape, g);
	model->shape = shape;
}

static inline void rig_begin(struct timed_rig *r, const char *uarch, unsigned flags)
{
	*r = (struct timed_rig){.caches = core_named(uarch, flags)};
	rig_model(&r->model, &r->shape, uarch, &r->caches->geometry);
	r->time = calloc(1, sizeof(*r->time));
	if (!r->time || !time_begin(r->time, &r->model, &r->caches->geometry, flags & MICRO_IPC1,
				    r->caches->counts))
		abort();
}

static inline void rig_end(struct timed_rig *r)
{
	free(r->time->core);
	free(r->time);
	core_free(r->caches, true);
}

/* The instruction with these bytes, in hex. */
static inline const struct core_insn *rig_insn(const struct timed_rig *r, const char *hex)
{
	struct core_insn insn;
	uint8_t code[16];
	size_t n = 0;
	unsigned byte;

	for (; hex[2 * n] && sscanf(hex + 2 * n, "%2x", &byte) == 1; n++)
		code[n] = (uint8_t)byte;
	if (core_describe(&insn, &r->model, code, n) != n)
		abort();
	return time_intern(&insn);
}

/* The run begins, and the one before has ended. */
static inline void rig_run(struct timed_rig *r, const struct timed_insns *run, bool taken,
			   bool mispredicted)
{
	uint64_t bytes = 0;
	struct micro_block b = {.va = run->va,
				.physical = run->va,
				.physical_next = (run->va & ~4095ull) + 4096,
				.shift = (uint8_t)r->caches->page_shift};

	for (unsigned i = 0; i < run->n; i++)
		bytes += run->insns[i]->bytes;
	b.bytes = (uint16_t)bytes;
	r->next = run->va + bytes;
	time_end(r->time, taken, mispredicted);
	time_run(r->time, run, micro_block(r->caches->micro, &b));
}

static inline void rig_access(struct timed_rig *r, unsigned insn, bool stores, uint64_t va)
{
	const struct micro_outcome o =
		stores ? core_store(r->caches, va) : core_load(r->caches, va);

	time_access(r->time, insn, stores, va, 8, &o);
}

/* Everything has ended; returns the counts. */
static inline const uint64_t *rig_counts(struct timed_rig *r)
{
	time_end(r->time, false, false);
	time_publish(r->time);
	return r->caches->counts;
}

#endif
