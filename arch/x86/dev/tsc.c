// SPDX-License-Identifier: BSD-2-Clause
/*
 * tsc.c - see tsc.h.
 *
 * Measuring: an attempt reads the reference between two readings of the TSC. A sample is the
 * attempt with the closest two readings, so an SMI or a busy host does not spoil it. Two samples,
 * 20 ms apart, give the frequency; the distances of the TSC readings bound its error.
 */
#include "arch/x86/dev/tsc.h"

#include "arch/x86/dev/fadt.h"
#include "arch/x86/dev/hpet.h"
#include "arch/x86/insn.h"
#include "arch/x86/msr.h"
#include "arch/x86/portable/tsc_rate.h"
#include "lib/math.h"

#include <linux/errno.h>
#include <stddef.h>

#define NS_PER_MS     1000000u
#define FS_PER_MS     1000000000000ull
#define PM_TIMER_HZ   3579545u /* ACPI 6.5, "Power Management Timer" */
#define PM_TIMER_MASK 0xffffffu
#define MEASURE_MS    20u
#define TRIES         8
#define STILL_TICKS   100000000u /* of the TSC; a reference stands still that long: it is dead */
#define FALLBACK_KHZ  1000000u

/* A counter of known rate. */
struct reference {
	const char *name;
	uint32_t (*read)(void);
	uint32_t mask; /* the bits that the counter has */
	uint64_t ticks_per_s;
};

struct sample {
	uint64_t tsc, tightness;
	uint32_t count;
};

PERCPU struct tsc tsc;

static const char *source = "unknown";
static uint16_t pm_port;

static uint32_t pm_timer_read(void)
{
	return inl(pm_port);
}

static struct sample sample_once(const struct reference *ref)
{
	struct sample s;
	uint64_t before = rdtsc();

	s.count = ref->read();
	s.tightness = rdtsc() - before;
	s.tsc = before + s.tightness / 2;
	return s;
}

static struct sample sample_best(const struct reference *ref)
{
	struct sample best = sample_once(ref);

	for (int i = 1; i < TRIES; i++) {
		struct sample s = sample_once(ref);

		if (s.tightness < best.tightness)
			best = s;
	}
	return best;
}

static bool wait_ticks(const struct reference *ref, uint32_t from, uint32_t ticks)
{
	uint32_t last = from;
	uint64_t moved = rdtsc();

	do {
		const uint32_t now = ref->read();

		if (((now - from) & ref->mask) >= ticks)
			return true;
		if (now != last)
			moved = rdtsc();
		last = now;
	} while (rdtsc() - moved < STILL_TICKS);
	return false;
}

/* The TSC's rate in kHz; 0 if the reference stands still. */
static uint32_t measure_tsc_khz(const struct reference *ref)
{
	struct sample a = sample_best(ref), b;
	uint32_t ticks;

	if (!wait_ticks(ref, a.count, (uint32_t)(ref->ticks_per_s * MEASURE_MS / 1000)))
		return 0;
	b = sample_best(ref);
	ticks = (b.count - a.count) & ref->mask;
	/* Rounded: a tick of the HPET more or less is half a kHz of a TSC of 1 GHz. */
	return (uint32_t)((mul_div(b.tsc - a.tsc, ref->ticks_per_s, ticks) + 500) / 1000);
}

static bool hpet_reference(struct reference *ref)
{
	if (!hpet_period_fs())
		return false;
	*ref = (struct reference){"HPET", hpet_read, UINT32_MAX,
				  FS_PER_MS * 1000 / hpet_period_fs()};
	return true;
}

static bool pm_timer_reference(struct reference *ref)
{
	struct fadt fadt;

	if (!fadt_find(&fadt) || !fadt_port(fadt.pm_timer, &fadt.x_pm_timer))
		return false;
	pm_port = fadt_port(fadt.pm_timer, &fadt.x_pm_timer);
	*ref = (struct reference){"ACPI PM timer", pm_timer_read, PM_TIMER_MASK, PM_TIMER_HZ};
	return true;
}

/* The TSC's rate in kHz by the first reference that counts; 0: no reference counts. */
static uint32_t khz_by_measuring(const char **reference)
{
	static bool (*const finders[])(struct reference *) = {hpet_reference, pm_timer_reference};
	struct reference ref;

	for (size_t i = 0; i < sizeof(finders) / sizeof(finders[0]); i++) {
		uint32_t found = finders[i](&ref) ? measure_tsc_khz(&ref) : 0;

		if (!found)
			continue;
		*reference = ref.name;
		return found;
	}
	return 0;
}

static struct tsc_rate find_rate(const struct pmu_caps *caps)
{
	const struct tsc_rate told = tsc_rate_by_cpuid(caps);
	const char *reference = NULL;
	uint32_t measured = told.exact ? 0 : khz_by_measuring(&reference);

	return tsc_rate_refine(&told, measured, reference);
}

int tsc_init(const struct pmu_caps *caps)
{
	const struct tsc_rate rate = find_rate(caps);
	uint32_t khz = rate.khz;
	int err = 0;

	source = rate.source;
	if (!khz) {
		err = -ENODEV;
		khz = FALLBACK_KHZ;
		source = "nothing to measure against, 1 GHz assumed";
	}
	tsc.khz = khz;
	tsc.ns_per_tick = ((uint64_t)NS_PER_MS << TSC_FRACTION_BITS) / khz;
	tsc.ticks_per_ns = ((uint64_t)khz << TSC_FRACTION_BITS) / NS_PER_MS;
	tsc.start = rdtsc();
	return err;
}

void tsc_init_cpu(const struct tsc *first)
{
	tsc = *first;
}

void tsc_set_offset(int64_t ticks)
{
	tsc.start += (uint64_t)ticks;
}

const char *tsc_source(void)
{
	return source;
}

struct tsc_conversion tsc_conversion(void)
{
	uint64_t mult = tsc.ns_per_tick;
	uint16_t shift = TSC_FRACTION_BITS;

	for (; mult > UINT32_MAX; mult >>= 1)
		shift--;
	return (struct tsc_conversion){shift, (uint32_t)mult, tsc.base - tsc_to_ns(tsc.start)};
}

uint64_t tsc_clock_ns(uint64_t at)
{
	return tsc.base + tsc_to_ns(at - tsc.start);
}

uint64_t clock_ns(void)
{
	return tsc_clock_ns(rdtsc());
}

uint64_t clock_age(void)
{
	return rdtsc() - tsc.start;
}

void clock_restart(uint64_t age)
{
	tsc.start += age;
	tsc.base = 0;
}

int64_t tsc_move(uint64_t to)
{
	const uint64_t before = rdtsc();

	tsc.base = tsc_clock_ns(before);
	/* Written twice, because a hypervisor may need longer for the first write. */
	if (wrmsr_safe(MSR_IA32_TSC, to))
		wrmsr_safe(MSR_IA32_TSC, to);
	tsc.start = rdtsc();
	return (int64_t)(tsc.start - before);
}

void clock_spin_ns(uint64_t ns)
{
	uint64_t from = rdtsc(), ticks = tsc_from_ns(ns);

	while (rdtsc() - from < ticks)
		cpu_pause();
}
