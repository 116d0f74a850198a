/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * modelled_pmu.h - a modelled PMU, its registers and its interrupts, for the tests of
 * vpmu/model/model.h.
 */
#ifndef TESTS_MODELLED_H
#define TESTS_MODELLED_H

#include "arch/x86/msr.h"
#include "vpmu/model/model.h"

#include <stdio.h>
#include <string.h>

#include "tests/unit/test.h"

#define CPI               16 /* cycles an instruction */
#define MASK48            ((1ull << 48) - 1)
#define OS_USR            (EVTSEL_OS | EVTSEL_USR)
#define SEL(event, umask) ((uint64_t)(umask) << 8 | (event) | OS_USR | EVTSEL_EN)
#define CMASK(n)          ((uint64_t)(n) << 24)

static inline struct vpmu_model model_of(const char *name, bool ht)
{
	struct vpmu_model m;

	vpmu_model_init(&m, vpmu_uarch_find(name), ht, CPI);
	return m;
}

static inline void write_msr(struct vpmu_model *m, uint32_t msr, uint64_t v)
{
	assert_int_equal(vpmu_model_wrmsr(m, msr, v), VPMU_DONE);
}

static inline uint64_t read_msr(struct vpmu_model *m, uint32_t msr)
{
	uint64_t v = 0;

	assert_int_equal(vpmu_model_rdmsr(m, msr, &v), VPMU_DONE);
	return v;
}

/* The registers of general counter `i`. */
static inline uint32_t general_selector_msr(const struct vpmu_model *m, unsigned i)
{
	if (m->uarch->vendor == VPMU_INTEL)
		return MSR_IA32_PERFEVTSEL0 + i;
	return m->uarch->amd_core ? MSR_AMD_PERF_CTL0 + 2 * i : MSR_K7_EVNTSEL0 + i;
}

static inline uint32_t general_counter_msr(const struct vpmu_model *m, unsigned i)
{
	if (m->uarch->vendor == VPMU_INTEL)
		return MSR_IA32_PMC0 + i;
	return m->uarch->amd_core ? MSR_AMD_PERF_CTR0 + 2 * i : MSR_K7_PERFCTR0 + i;
}

/* A master switch. */
static inline bool has_switch(const struct vpmu_model *m)
{
	return m->uarch->version >= 2;
}

static inline void run_model(struct vpmu_model *m, enum vpmu_ring ring, uint64_t n)
{
	struct vpmu_progress p = {0};

	p.instructions[ring] = n;
	p.cycles[ring] = p.ref_cycles[ring] = n * CPI;
	vpmu_model_advance(m, &p);
}

#endif
