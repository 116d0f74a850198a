/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * checks.h - a program of UEFI that checks the PMU of the CPU on which it runs against Intel's and
 * AMD's manuals, section by section. Each check is a line, `ok SECTION: what` or `FAIL SECTION:
 * what: ...`; the last line has the sum, and the program returns 1 where a check failed.
 *
 * It knows CPUID and the manuals, and nothing of what is below it. What manuals leave open is not
 * checked: whether the WRMSR that starts counters counts itself, say. So counts are those of a
 * sequence less those of a shorter one, and exact.
 *
 * Sections run in a world of their own (world.h).
 */
#ifndef TESTS_GUESTS_PMU_CHECKS_H
#define TESTS_GUESTS_PMU_CHECKS_H

#include "arch/x86/msr.h"
#include "tests/guests/world/guest_world.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PMU_BITS(n) ((n) >= 64 ? ~0ull : (1ull << (n)) - 1)

/* The PMU by CPUID and IA32_PERF_CAPABILITIES. */
struct pmu {
	unsigned cpus; /* CPUs that the firmware knows */
	bool is_amd;
	unsigned version; /* Intel: from leaf 0AH; AMD: 2 with PerfMonV2, else 0 */
	unsigned counters, width, fixed_width, events;
	uint32_t fixed;          /* fixed counters, as a mask; there may be gaps */
	uint32_t missing_events; /* a bit for each architectural event that the CPU lacks */
	uint64_t capabilities;   /* IA32_PERF_CAPABILITIES; 0: none */
	bool has_leaf_23h;
	bool has_umask2, has_eq; /* fields of the selectors */
	uint32_t reloaded;       /* general counters with auto counter reload, as a mask */
	bool has_debug_store;
	bool has_arch_lbr;
	bool has_ibs;
	bool has_amd_lbr, has_brs;
	unsigned lbr_depth; /* records of architectural LBR, or of AMD's */
};
extern struct pmu pmu;

/* facts.c. PMU_FIXED_END is above every fixed counter's number. */
#define PMU_FIXED_END 16
static inline bool pmu_has_fixed(unsigned i)
{
	return pmu.fixed >> i & 1;
}
/* pmu_names_next() - true where the SDM names the MSRs of the counter behind the last one: vol. 4
 * has names for ten. */
static inline bool pmu_names_next(void)
{
	return pmu.counters < 10;
}
void pmu_find(void);
void pmu_check_enumeration(void);

/* sections */
void pmu_check_topology(void);
void pmu_check_counting(void);
void pmu_check_rings(void);
void pmu_check_masks(void);
void pmu_check_widths(void);
void pmu_check_overflow(void);
void pmu_check_freeze(void);
void pmu_check_fixed(void);
void pmu_check_reserved(void);
void pmu_check_rdpmc(void);
void pmu_check_amd(void);
void pmu_check_version6(void);
void pmu_check_lbr(void);
void pmu_check_brs(void);
void pmu_check_ranges(void);
void pmu_check_pebs(void);
void pmu_check_ibs(void);

/* check_report.c: `what` is a printf() format. */
void pmu_say(const char *format, ...) __attribute__((format(printf, 1, 2)));
void pmu_section(const char *name);
void pmu_ok(bool holds, const char *what, ...) __attribute__((format(printf, 2, 3)));
void pmu_is(uint64_t got, uint64_t wanted, const char *what, ...)
	__attribute__((format(printf, 3, 4)));
/* pmu_same_cycles() - checks two counts of cycles, whose counters may begin in different parts of a
 * cycle. */
void pmu_same_cycles(uint64_t a, uint64_t b, const char *what);
unsigned pmu_checks(void), pmu_failures(void);

/* pmu_set_lvt() - sets the local APIC's entry for overflows, and their count to 0. */
void pmu_set_lvt(uint32_t entry);

/*
 * counters.c: general counters by number. pmu_select() - writes a counter's selector.
 * pmu_control() - writes the bits of the global control, which Intel's and AMD's registers have in
 * the same places.
 */
extern const struct pmu_events {
	uint64_t instructions, branches, cycles;
} * pmu_events;

#define PMU_BOTH (EVTSEL_USR | EVTSEL_OS)

uint32_t pmu_selector_msr(unsigned i);
uint32_t pmu_counter_msr(unsigned i); /* the full-width MSR, where the CPU has it */
void pmu_select(unsigned i, uint64_t selector);
void pmu_set(unsigned i, uint64_t value);
uint64_t pmu_get(unsigned i);
void pmu_control(uint64_t counters);
uint64_t pmu_status(void);
void pmu_clear_status(uint64_t bits);
void pmu_reset(void); /* stops all counters, clears overflows and masks their interrupt */

uint32_t pmu_control_msr(void);
uint32_t pmu_status_msr(void);
uint32_t pmu_clear_msr(void);

/* pmu_run() - runs `code` between two writes of the global control. */
void pmu_run(uint64_t counters, void (*code)(uint64_t), uint64_t argument);

/* pmu_count() - returns what counter `i` counts from zero while `code` runs. */
uint64_t pmu_count(unsigned i, uint64_t selector, void (*code)(uint64_t), uint64_t argument);

/* pmu_gp_on_write(), pmu_gp_on_read() - check that the access raises #GP. */
void pmu_gp_on_write(uint32_t msr, uint64_t value, const char *what, ...)
	__attribute__((format(printf, 3, 4)));
void pmu_gp_on_read(uint32_t msr, const char *what, ...) __attribute__((format(printf, 2, 3)));
/* pmu_keeps() - checks that the register accepts the value and keeps it. */
void pmu_keeps(uint32_t msr, uint64_t value, const char *what, ...)
	__attribute__((format(printf, 3, 4)));

/* pmu_loop() (code.S) - runs two instructions a turn, one of them a branch. */
void pmu_loop(uint64_t turns);
void pmu_nothing(uint64_t ignored);
/* pmu_lines() - runs ten instructions a turn: one is a branch, one loads the next line of
 * pmu_memory, which has PMU_LINES. pmu_memory is NULL where the firmware has too little memory. */
#define PMU_LINES 400000u
void pmu_lines(uint64_t turns);
extern uint8_t *pmu_memory;

#endif
