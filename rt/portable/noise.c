// SPDX-License-Identifier: BSD-2-Clause
/*
 * noise.c - see noise.h. Each register, each figure of the certificate and each disturbance is a
 * row. Sources: Intel SDM vol. 3 "Power and Thermal Management", "Machine-Check Architecture",
 * vol. 4; AMD APM vol. 2 "Machine Check Architecture", "Microcode Updates".
 */
#include "rt/portable/noise.h"

#include "arch/x86/portable/mca.h"
#include "arch/x86/insn.h"
#include "arch/x86/msr.h"
#include "lib/math.h"
#include "lib/printf.h"
#include "lib/string.h"

#define RATIO_ONE    10000 /* unit of APERF / MPERF */
#define PERCENT      100   /* parts of a percent in which shares are given */
#define MOST_SPREAD  100   /* 1 %: of the ratio, between CPUs of a kind, and from nominal */
#define MOST_SLEEP   10    /* 0.10 % */
#define LEAST_CYCLES 100000

static bool is_known(uint64_t v)
{
	return v != NOISE_UNKNOWN;
}

/* --- Readings of a CPU --- */

static const struct reading {
	uint32_t msr;
	enum cpu_vendor vendor; /* CPU_VENDOR_OTHER: each */
	uint64_t logs;          /* sticky bits, which are cleared by writing 0; 0: it counts */
	struct cpuid_fact when; /* has to be 1; leaf 0: no condition */
} readings[NOISE_READINGS] = {
	/* clang-format off */
	[NOISE_SMI] = {MSR_SMI_COUNT, CPU_VENDOR_INTEL, 0, {0}},
	[NOISE_MPERF] = {MSR_IA32_MPERF, CPU_VENDOR_OTHER, 0, CPUID_FACT(6, 0, ECX, 0, 0)},
	[NOISE_APERF] = {MSR_IA32_APERF, CPU_VENDOR_OTHER, 0, CPUID_FACT(6, 0, ECX, 0, 0)},
	[NOISE_THERMAL] = {MSR_IA32_THERM_STATUS, CPU_VENDOR_INTEL,
			   THERM_LOGS_HEAT | THERM_LOGS_POWER, CPUID_FACT(6, 0, EAX, 0, 0)},
	[NOISE_PKG_THERMAL] = {MSR_IA32_PKG_THERM_STATUS, CPU_VENDOR_INTEL,
			       THERM_LOGS_HEAT | THERM_LOGS_POWER, CPUID_FACT(6, 0, EAX, 6, 6)},
	[NOISE_PKG_C2] = {MSR_PKG_C2_RESIDENCY, CPU_VENDOR_INTEL, 0, {0}},
	[NOISE_PKG_C3] = {MSR_PKG_C3_RESIDENCY, CPU_VENDOR_INTEL, 0, {0}},
	[NOISE_PKG_C6] = {MSR_PKG_C6_RESIDENCY, CPU_VENDOR_INTEL, 0, {0}},
	[NOISE_PKG_C7] = {MSR_PKG_C7_RESIDENCY, CPU_VENDOR_INTEL, 0, {0}},
	[NOISE_CORE_C3] = {MSR_CORE_C3_RESIDENCY, CPU_VENDOR_INTEL, 0, {0}},
	[NOISE_CORE_C6] = {MSR_CORE_C6_RESIDENCY, CPU_VENDOR_INTEL, 0, {0}},
	[NOISE_CORE_C7] = {MSR_CORE_C7_RESIDENCY, CPU_VENDOR_INTEL, 0, {0}},
	/* clang-format on */
};

static bool has_reading(const struct reading *r, const struct pmu_caps *caps)
{
	return (r->vendor == CPU_VENDOR_OTHER || r->vendor == caps->vendor) &&
	       (!r->when.leaf || cpuid_fact(r->when));
}

static uint64_t read_reading(const struct reading *r, const struct pmu_caps *caps, bool fresh)
{
	uint64_t v;

	if (!has_reading(r, caps) || !rdmsr_safe(r->msr, &v))
		return NOISE_UNKNOWN;
	if (!r->logs)
		return v;
	if (fresh && v & r->logs)
		wrmsr_safe(r->msr, v & ~r->logs);
	return v & (r->logs | THERM_STATUS_NOW);
}

/* Errors after one that the bank holds change its count, its overflow bit, or its address. */
static uint64_t digest_of(const struct mca_bank *b)
{
	const uint64_t words[] = {b->status, b->address, b->misc};
	uint64_t digest = 0;

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		digest = (digest ^ words[i]) * 0x9e3779b97f4a7c15u;
	return digest ? digest : 1;
}

static void read_banks(uint64_t banks[MCA_BANKS_MOST])
{
	const unsigned n = mca_banks();
	struct mca_bank b;

	for (unsigned bank = 0; bank < MCA_BANKS_MOST; bank++)
		banks[bank] = bank < n && mca_read(bank, &b) ? digest_of(&b) : 0;
}

void noise_read(const struct pmu_caps *caps, struct noise_cpu *cpu, bool fresh)
{
	for (unsigned i = 0; i < NOISE_READINGS; i++)
		cpu->reading[i] = read_reading(&readings[i], caps, fresh);
	read_banks(cpu->banks);
	cpu->core_type = caps->core_type;
}

/* --- Figures --- */

static uint64_t passed(const struct noise_input *in, unsigned cpu, enum noise_reading r)
{
	const uint64_t before = in->before[cpu].reading[r], after = in->after[cpu].reading[r];

	return is_known(before) && is_known(after) ? after - before : NOISE_UNKNOWN;
}

/* The greater of `v` and the known value, if any. */
static uint64_t most_known(uint64_t most, uint64_t v)
{
	return is_known(most) ? most_of(most, v) : v;
}

static uint64_t ticks_passed(const struct noise_input *in, unsigned cpu)
{
	return in->after[cpu].ticks - in->before[cpu].ticks;
}

/* SMIs stop all CPUs at once: the CPU that saw the most has seen all. MSR_SMI_COUNT has 32 bits. */
static uint64_t most_smis(const struct noise_input *in)
{
	uint64_t most = NOISE_UNKNOWN;

	for (unsigned i = 0; i < in->ncpus; i++) {
		const uint64_t n = passed(in, i, NOISE_SMI);

		if (is_known(n))
			most = most_known(most, (uint32_t)n);
	}
	return most;
}

static void sum_traps(const struct noise_input *in, struct noise_certificate *c)
{
	for (unsigned i = 0; i < in->ncpus; i++) {
		const struct noise_cpu *b = &in->before[i], *a = &in->after[i];

		c->irqs += a->irqs - b->irqs;
		c->stray_irqs += a->stray_irqs - b->stray_irqs;
		c->nmis += a->nmis - b->nmis;
		c->unknown_nmis += a->unknown_nmis - b->unknown_nmis;
		for (unsigned bank = 0; bank < MCA_BANKS_MOST; bank++)
			c->machine_checks += a->banks[bank] && a->banks[bank] != b->banks[bank];
		/* The two ranges have to have a value in common. */
		c->tsc_steps += a->tsc_least > b->tsc_most || a->tsc_most < b->tsc_least;
	}
}

static uint64_t sum_stolen(const struct noise_input *in)
{
	uint64_t sum = 0;

	for (unsigned i = 0; i < in->ncpus; i++) {
		if (!is_known(in->before[i].stolen) || !is_known(in->after[i].stolen))
			return NOISE_UNKNOWN;
		sum += in->after[i].stolen - in->before[i].stolen;
	}
	return sum;
}

/* A CPU that slept all the time has no ratio. */
static bool ratio_of(const struct noise_input *in, unsigned cpu, uint64_t *ratio)
{
	const uint64_t m = passed(in, cpu, NOISE_MPERF), a = passed(in, cpu, NOISE_APERF);

	if (!is_known(m) || !is_known(a) || m < LEAST_CYCLES)
		return false;
	*ratio = mul_div(a, RATIO_ONE, m);
	return true;
}

/* Between CPUs of one kind. */
static uint64_t spread_of(const struct noise_input *in, uint8_t core_type)
{
	uint64_t least = UINT64_MAX, most = 0, r;

	for (unsigned i = 0; i < in->ncpus; i++)
		if (in->after[i].core_type == core_type && ratio_of(in, i, &r)) {
			least = least_of(least, r);
			most = most_of(most, r);
		}
	return most > least ? most - least : 0;
}

static void find_ratios(const struct noise_input *in, struct noise_certificate *c)
{
	uint64_t sum = 0, n = 0, r;

	c->ratio = c->ratio_spread = NOISE_UNKNOWN;
	for (unsigned i = 0; i < in->ncpus; i++) {
		if (!ratio_of(in, i, &r))
			continue;
		sum += r;
		n++;
		c->ratio_spread =
			most_known(c->ratio_spread, spread_of(in, in->after[i].core_type));
	}
	if (n)
		c->ratio = sum / n;
}

/* Were events logged on any CPU? Registers that no CPU has give NOISE_UNKNOWN. */
static uint64_t any_logged(const struct noise_input *in, uint64_t bits)
{
	uint64_t any = NOISE_UNKNOWN;

	for (unsigned i = 0; i < in->ncpus; i++)
		for (unsigned r = NOISE_THERMAL; r <= NOISE_PKG_THERMAL; r++) {
			const uint64_t v = in->after[i].reading[r];

			if (is_known(v))
				any = most_known(any, (v & bits) != 0);
		}
	return any;
}

static uint64_t most_sleep(const struct noise_input *in)
{
	uint64_t most = NOISE_UNKNOWN;

	for (unsigned i = 0; i < in->ncpus; i++) {
		uint64_t sum = 0;
		bool told = false;

		for (unsigned r = NOISE_PKG_C2; r <= NOISE_CORE_C7; r++) {
			const uint64_t n = passed(in, i, (enum noise_reading)r);

			told |= is_known(n);
			sum += is_known(n) ? n : 0;
		}
		if (!told || !ticks_passed(in, i))
			continue;
		most = most_known(most, mul_div(sum, 100 * PERCENT, ticks_passed(in, i)));
	}
	return most;
}

/* --- Knobs --- */

/* The worst state of knob `k` on all CPUs. */
static enum knob_state worst_state(const struct noise_input *in, size_t k)
{
	unsigned worst = KNOB_ABSENT;

	for (unsigned i = 0; i < in->ncpus; i++)
		worst = in->values[i][k].state > worst ? in->values[i][k].state : worst;
	return (enum knob_state)worst;
}

/* Does some knob of `group` have its quiet value on each CPU? */
static bool is_group_held(const struct noise_input *in, enum knob_group group)
{
	for (unsigned i = 0; i < in->ncpus; i++) {
		bool held = false;

		for (size_t k = 0; knob_row(k); k++)
			held |= knob_row(k)->group == group && knob_is_held(&in->values[i][k]);
		if (!held)
			return false;
	}
	return true;
}

static void tell_knobs(const struct noise_input *in, struct noise_certificate *c)
{
	size_t at = 0;

	for (size_t k = 0; knob_row(k); k++) {
		const enum knob_state state = worst_state(in, k);

		if (state == KNOB_ABSENT || state == KNOB_LEFT)
			continue;
		at += (size_t)fmt_print(c->knobs + at, sizeof(c->knobs) - at, "%s%s %s",
					at ? ", " : "", knob_row(k)->title, knob_state_name(state));
	}
}

static uint64_t prefetchers_off(const struct noise_input *in)
{
	for (size_t k = 0; knob_row(k); k++)
		if (knob_row(k)->group == KNOB_PREFETCH && in->ncpus &&
		    in->values[0][k].state != KNOB_ABSENT && in->values[0][k].state != KNOB_REFUSED)
			return in->values[0][k].now & 0xff;
	return NOISE_UNKNOWN;
}

/* --- The verdict --- */

static void disturbed(struct noise_certificate *c, const char *format, uint64_t n)
{
	if (c->nreasons == NOISE_REASONS)
		return;
	fmt_print(c->reason[c->nreasons++], NOISE_REASON_MAX, format, (unsigned long long)n);
}

/* Efficiency cores of a hybrid are slower than the nominal frequency of the package. */
static void judge_frequency(const struct noise_input *in, struct noise_certificate *c)
{
	const bool is_hybrid = in->ncpus && in->after[0].core_type;

	if (c->quiet && !c->pinned)
		disturbed(c, "the frequency could not be pinned", 0);
	if (!is_known(c->ratio))
		return;
	if (c->ratio > RATIO_ONE + MOST_SPREAD ||
	    (c->quiet && !is_hybrid && c->ratio < RATIO_ONE - MOST_SPREAD))
		disturbed(c, "CPUs ran at %llu %% of their nominal frequency",
			  c->ratio * 100 / RATIO_ONE);
	if (c->ratio_spread > MOST_SPREAD)
		disturbed(c, "the frequencies of CPUs differ by %llu %%",
			  c->ratio_spread * 100 / RATIO_ONE);
}

/* The member at that offset in the certificate. */
static uint64_t member_at(const struct noise_certificate *c, size_t at)
{
	uint64_t v;

	memcpy(&v, (const char *)c + at, sizeof(v));
	return v;
}

static void find_reasons(const struct noise_input *in, struct noise_certificate *c)
{
	static const struct {
		size_t of;
		uint64_t most;
		const char *format;
	} limits[] = {
#define LIMIT(member, most, format) {offsetof(struct noise_certificate, member), most, format}
		LIMIT(smis, 0, "%llu SMIs"),
		LIMIT(unknown_nmis, 0, "%llu NMIs that no counter asked for (LINT1)"),
		LIMIT(stray_irqs, 0, "%llu interrupts that nothing here asked for"),
		LIMIT(machine_checks, 0, "%llu machine checks"),
		LIMIT(tsc_steps, 0, "the TSCs of %llu CPUs have moved"),
		LIMIT(thermal, 0, "the CPU was too hot"),
		LIMIT(power_limit, 0, "a power or current limit was met"),
		LIMIT(stolen, 0, "%llu ns in which the host ran something else"),
#undef LIMIT
	};

	for (size_t i = 0; i < sizeof(limits) / sizeof(limits[0]); i++) {
		const uint64_t v = member_at(c, limits[i].of);

		if (is_known(v) && v > limits[i].most)
			disturbed(c, limits[i].format, v);
	}
	judge_frequency(in, c);
	if (c->quiet && is_known(c->sleep) && c->sleep > MOST_SLEEP)
		disturbed(c, "CPUs slept in deep C-states, %llu/100 %% of the time", c->sleep);
}

void noise_judge(const struct noise_input *in, struct noise_certificate *c)
{
	*c = (struct noise_certificate){.quiet = in->quiet, .cpus = in->ncpus};
	c->smis = most_smis(in);
	sum_traps(in, c);
	find_ratios(in, c);
	c->stolen = sum_stolen(in);
	c->thermal = any_logged(in, THERM_LOGS_HEAT | THERM_STATUS_NOW);
	c->power_limit = any_logged(in, THERM_LOGS_POWER);
	c->sleep = most_sleep(in);
	c->pinned = in->quiet && is_group_held(in, KNOB_FREQUENCY);
	c->turbo_off = in->quiet && is_group_held(in, KNOB_TURBO);
	c->prefetchers = prefetchers_off(in);
	c->microcode = in->microcode;
	c->memory_mts = in->memory_mts;
	if (in->quiet)
		tell_knobs(in, c);
	find_reasons(in, c);
	c->pass = !c->nreasons;
}

/* --- Output --- */

enum figure_kind { NUMBER, HEX, FLAG, RATIO, SHARE };

static const struct figure {
	const char *key, *title;
	size_t of;
	uint8_t kind; /* enum figure_kind */
	uint8_t line;
} figures[] = {
#define FIGURE(key, title, member, kind, line)                                     \
	{                                                                          \
		key, title, offsetof(struct noise_certificate, member), kind, line \
	}
	FIGURE("cpus", "CPUs", cpus, NUMBER, 0),
	FIGURE("smis", "SMIs", smis, NUMBER, 0),
	FIGURE("interrupts", "interrupts", irqs, NUMBER, 0),
	FIGURE("stray_interrupts", "stray", stray_irqs, NUMBER, 0),
	FIGURE("nmis", "NMIs", nmis, NUMBER, 0),
	FIGURE("unknown_nmis", "unknown", unknown_nmis, NUMBER, 0),
	FIGURE("machine_checks", "#MC", machine_checks, NUMBER, 0),
	FIGURE("tsc_steps", "TSC steps", tsc_steps, NUMBER, 0),
	FIGURE("aperf_mperf", "APERF/MPERF", ratio, RATIO, 1),
	FIGURE("aperf_mperf_spread", "spread", ratio_spread, RATIO, 1),
	FIGURE("pinned", "frequency pinned", pinned, FLAG, 1),
	FIGURE("turbo_off", "turbo off", turbo_off, FLAG, 1),
	FIGURE("thermal", "thermal events", thermal, FLAG, 2),
	FIGURE("power_limit", "power limits", power_limit, FLAG, 2),
	FIGURE("deep_sleep", "deep C-states, %", sleep, SHARE, 2),
	FIGURE("prefetchers_off", "prefetchers off", prefetchers, HEX, 3),
	FIGURE("microcode", "microcode", microcode, HEX, 3),
	FIGURE("memory_mts", "memory MT/s", memory_mts, NUMBER, 3),
	FIGURE("stolen_ns", "ns stolen by the host", stolen, NUMBER, 3),
#undef FIGURE
};

/* The last figure is one of guests: on a machine of its own there is none. */
#define STOLEN_FIGURE (sizeof(figures) / sizeof(figures[0]) - 1)

static void print_figure(const struct figure *f, uint64_t v, bool plain, char *text)
{
	static const char *const words[] = {"no", "yes"}, *const json[] = {"false", "true"};

	if (!is_known(v))
		fmt_print(text, NOISE_TEXT_MAX, "%s", plain ? "null" : "not told");
	else if (f->kind == FLAG)
		fmt_print(text, NOISE_TEXT_MAX, "%s", (plain ? json : words)[v != 0]);
	else if (f->kind == RATIO)
		fmt_ratio(text, NOISE_TEXT_MAX, v, RATIO_ONE, 4);
	else if (f->kind == SHARE)
		fmt_ratio(text, NOISE_TEXT_MAX, v, PERCENT, 2);
	else
		fmt_print(text, NOISE_TEXT_MAX, f->kind == HEX && !plain ? "0x%llx" : "%llu",
			  (unsigned long long)v);
}

bool noise_row(const struct noise_certificate *c, size_t i, bool plain, struct noise_figure *figure)
{
	if (i >= sizeof(figures) / sizeof(figures[0]) ||
	    (i == STOLEN_FIGURE && !is_known(c->stolen)))
		return false;
	figure->key = figures[i].key;
	figure->title = figures[i].title;
	figure->line = figures[i].line;
	print_figure(&figures[i], member_at(c, figures[i].of), plain, figure->text);
	return true;
}

char *noise_reasons(const struct noise_certificate *c, char *text, size_t size)
{
	size_t at = 0;

	text[0] = '\0';
	for (unsigned i = 0; i < c->nreasons; i++)
		at += (size_t)fmt_print(text + at, size - at, "%s%s", i ? ", " : "", c->reason[i]);
	return text;
}

char *noise_line(const struct noise_certificate *c, char *text, size_t size)
{
	struct noise_figure f;
	size_t at = (size_t)fmt_print(text, size, "noise: %s; quiet=%s",
				      c->pass ? "PASS" : "DISTURBED", c->quiet ? "yes" : "no");

	for (size_t i = 0; noise_row(c, i, true, &f); i++)
		at += (size_t)fmt_print(text + at, size - at, " %s=%s", f.key, f.text);
	for (unsigned i = 0; i < c->nreasons; i++)
		at += (size_t)fmt_print(text + at, size - at, "; %s", c->reason[i]);
	return text;
}
