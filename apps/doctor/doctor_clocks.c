// SPDX-License-Identifier: BSD-2-Clause
/*
 * doctor_clocks.c - checks of clocks, and of what disturbs a machine from outside: SMIs, a firmware
 * that counts, registers that set frequencies. They run last: the others give the firmware time.
 */
#include "apps/doctor/doctor_check.h"

#include "arch/x86/insn.h"
#include "arch/x86/msr.h"
#include "pmu/state/state.h"

#define MILLION   1000000
#define PPM_MOST  1000 /* of a clock */
#define LATE_MOST 1000 /* us, of a timer */

static void judge_clock(struct doctor_verdict *v, uint64_t measured, uint64_t expected)
{
	const bool ahead = measured > expected;
	const uint64_t apart = ahead ? measured - expected : expected - measured;
	const uint64_t ppm = expected ? apart * MILLION / expected : MILLION;

	doctor_compare(v, "ns by the TSC", measured, expected);
	if (ppm <= PPM_MOST)
		doctor_right(v, "the TSC is %llu millionths %s", (unsigned long long)ppm,
			     ahead ? "ahead" : "behind");
}

static void compare_clock(const struct doctor *d, struct doctor_verdict *v,
			  bool (*clock)(uint64_t *measured_ns, uint64_t *expected_ns))
{
	uint64_t measured, expected;

	(void)d;
	if (clock && clock(&measured, &expected))
		judge_clock(v, measured, expected);
	else
		doctor_absent(v, "this machine has no such clock");
}

static void check_hpet(const struct doctor *d, struct doctor_verdict *v)
{
	compare_clock(d, v, d->host->hpet);
}

static void check_pm_timer(const struct doctor *d, struct doctor_verdict *v)
{
	compare_clock(d, v, d->host->pm_timer);
}

/* A timer is never early; it may be late, by what else the machine does. */
static void check_apic_timer(const struct doctor *d, struct doctor_verdict *v)
{
	uint64_t measured, expected;

	if (!d->host->apic_timer || !d->host->apic_timer(&measured, &expected)) {
		doctor_absent(v, "no timer interrupt came, or this machine has none");
		return;
	}
	doctor_compare(v, "ns until the timer's interrupt", measured, expected);
	if (measured >= expected && measured - expected <= LATE_MOST * 1000ull)
		doctor_right(v, "%llu ns late", (unsigned long long)(measured - expected));
}

/* SMIs since the doctor began. */
static void check_smi(const struct doctor *d, struct doctor_verdict *v)
{
	uint64_t now;

	if (d->caps->vendor != CPU_VENDOR_INTEL || !rdmsr_safe(MSR_SMI_COUNT, &now)) {
		doctor_absent(v, "this CPU does not count SMIs");
		return;
	}
	doctor_compare(v, "SMIs", now - d->smis, 0);
	if (v->state == DOCTOR_WRONG)
		doctor_wrong(v, "%llu SMIs while the checks ran", (unsigned long long)v->measured);
}

static void check_knobs(const struct doctor *d, struct doctor_verdict *v)
{
	if (d->host->knobs)
		d->host->knobs(v->text, sizeof(v->text));
	if (d->host->knobs && *v->text)
		v->state = DOCTOR_RIGHT;
	else
		doctor_absent(v, "no register of this CPU is known");
}

/* The counters that the firmware used at the start, or has taken while the checks ran. */
static void check_firmware(const struct doctor *d, struct doctor_verdict *v)
{
	const struct pmu_firmware f = pmu.firmware; /* of this CPU */
	char text[DOCTOR_NAMES];

	(void)d;
	if (f.borrowed | doctor_taken())
		doctor_wrong(v, "the firmware has taken %s",
			     doctor_name_counters(f.borrowed | doctor_taken(), text));
	else if (f.at_start)
		doctor_wrong(v, "the firmware counted on %s at the start",
			     doctor_name_counters(f.at_start, text));
	else
		doctor_right(v, "the firmware uses no counter");
}

const struct doctor_check doctor_clock_checks[] = {
	{"tsc-hpet", DOCTOR_CLOCKS, DOCTOR_NEEDS_NOTHING, PMU_FEATURE_NONE, "TSC against the HPET",
	 check_hpet, false},
	{"tsc-pm", DOCTOR_CLOCKS, DOCTOR_NEEDS_NOTHING, PMU_FEATURE_NONE,
	 "TSC against the ACPI PM timer", check_pm_timer, false},
	{"apic-timer", DOCTOR_CLOCKS, DOCTOR_NEEDS_NOTHING, PMU_FEATURE_NONE,
	 "TSC at the interrupt of the APIC timer", check_apic_timer, false},
	{"knobs", DOCTOR_CLOCKS, DOCTOR_NEEDS_NOTHING, PMU_FEATURE_NONE,
	 "prefetchers, turbo, C-states as the firmware left them", check_knobs, false},
	{"firmware", DOCTOR_COUNTERS, DOCTOR_NEEDS_PMU, PMU_FEATURE_NONE,
	 "counters that the firmware uses", check_firmware, true},
	{"smi", DOCTOR_CLOCKS, DOCTOR_NEEDS_NOTHING, PMU_FEATURE_NONE, "SMIs while the checks ran",
	 check_smi, false},
};
const size_t doctor_nclock_checks = sizeof(doctor_clock_checks) / sizeof(doctor_clock_checks[0]);
