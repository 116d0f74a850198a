// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_noise.c - noise certificates: readings of vpmu's machine, the verdict that follows from each
 * figure, and the text.
 */
#include "rt/portable/noise.h"

#include "arch/x86/insn.h"
#include "arch/x86/msr.h"
#include "tests/shim/shim_machine.h"

#include <stdlib.h>
#include <string.h>

#include "tests/unit/test.h"

#define CPUS 3

static struct noise_cpu before[CPUS], after[CPUS];
static struct knob_value values[CPUS][KNOBS_MOST];
static struct noise_certificate c;

/* CPUs that ran at their nominal frequency, without further data. */
static void start_quiet(void)
{
	memset(values, 0, sizeof(values));
	for (unsigned i = 0; i < CPUS; i++) {
		before[i] = (struct noise_cpu){.ticks = 1000, .stolen = NOISE_UNKNOWN};
		for (unsigned r = 0; r < NOISE_READINGS; r++)
			before[i].reading[r] = NOISE_UNKNOWN;
		before[i].reading[NOISE_MPERF] = before[i].reading[NOISE_APERF] = 50;
		after[i] = before[i];
		after[i].ticks += 1000000;
		after[i].reading[NOISE_MPERF] += 1000000;
		after[i].reading[NOISE_APERF] += 1000000;
	}
}

static void judge(bool quiet)
{
	const struct noise_input in = {.before = before,
				       .after = after,
				       .ncpus = CPUS,
				       .values = (const void *)values,
				       .quiet = quiet,
				       .microcode = NOISE_UNKNOWN,
				       .memory_mts = NOISE_UNKNOWN};

	noise_judge(&in, &c);
}

/* Checks that exactly these reasons disturbed the run. */
static void disturbed_by(bool quiet, const char *wanted)
{
	char text[NOISE_REASONS * NOISE_REASON_MAX];

	judge(quiet);
	assert_string_equal(noise_reasons(&c, text, sizeof(text)), wanted);
	assert_int_equal(c.pass, !*wanted);
}

TEST(test_nothing)
{
	start_quiet();
	disturbed_by(false, "");
	assert_true(c.smis == NOISE_UNKNOWN);
	assert_int_equal(c.ratio, 10000);
	assert_int_equal(c.ratio_spread, 0);
	disturbed_by(true, "the frequency could not be pinned");
}

TEST(test_reasons)
{
	start_quiet();
	/* All CPUs take an SMI; the count has 32 bits. */
	for (unsigned i = 0; i < CPUS; i++) {
		before[i].reading[NOISE_SMI] = 0xffffffff;
		after[i].reading[NOISE_SMI] = 1;
	}
	disturbed_by(false, "2 SMIs");
	start_quiet();
	after[1].irqs = 5;
	after[1].nmis = 7;
	disturbed_by(false, "");
	assert_int_equal(c.irqs, 5);
	assert_int_equal(c.nmis, 7);
	after[1].stray_irqs = 1;
	after[2].unknown_nmis = 2;
	disturbed_by(
		false,
		"2 NMIs that no counter asked for (LINT1), 1 interrupts that nothing here asked for");
	start_quiet();
	before[0].banks[0] = after[0].banks[0] = 1;
	after[0].banks[2] = 1;
	disturbed_by(false, "1 machine checks");
	before[0].banks[63] = 1;
	after[0].banks[63] = 3;
	disturbed_by(false, "2 machine checks");
	start_quiet();
	after[0].reading[NOISE_THERMAL] = 1 << 1;
	after[1].reading[NOISE_PKG_THERMAL] = 1 << 11;
	disturbed_by(false, "the CPU was too hot, a power or current limit was met");
	start_quiet();
	after[0].reading[NOISE_THERMAL] = 0;
	disturbed_by(false, "");
	assert_int_equal(c.thermal, 0);
}

/* Guests of KVM tell the time that the host took. */
TEST(test_stolen)
{
	char text[1024];

	start_quiet();
	judge(false);
	assert_null(strstr(noise_line(&c, text, sizeof(text)), "stolen"));
	for (unsigned i = 0; i < CPUS; i++)
		before[i].stolen = after[i].stolen = 7;
	disturbed_by(false, "");
	assert_non_null(strstr(noise_line(&c, text, sizeof(text)), "stolen_ns=0"));
	after[1].stolen += 1500;
	after[2].stolen += 20;
	disturbed_by(false, "1520 ns in which the host ran something else");
	after[0].stolen = NOISE_UNKNOWN;
	disturbed_by(false, "");
}

/* Offsets with overlapping ranges may be equal. */
TEST(test_tsc)
{
	start_quiet();
	before[1].tsc_least = -10, before[1].tsc_most = 10;
	after[1].tsc_least = 10, after[1].tsc_most = 30;
	disturbed_by(false, "");
	after[1].tsc_least = 11;
	disturbed_by(false, "the TSCs of 1 CPUs have moved");
}

TEST(test_frequency)
{
	start_quiet();
	after[2].reading[NOISE_APERF] = 50 + 1030000;
	disturbed_by(false, "the frequencies of CPUs differ by 3 %");
	assert_int_equal(c.ratio, 10100);
	/* Frequencies of different kinds of cores are not compared. */
	before[2].core_type = after[2].core_type = 0x20;
	disturbed_by(false, "");
	start_quiet();
	for (unsigned i = 0; i < CPUS; i++)
		after[i].reading[NOISE_APERF] = 50 + 1250000;
	disturbed_by(false, "CPUs ran at 125 % of their nominal frequency");
	/* A CPU that slept all the time has no frequency. */
	start_quiet();
	after[1].reading[NOISE_MPERF] = 50 + 100;
	disturbed_by(false, "");
	assert_int_equal(c.ratio, 10000);
}

/* Each CPU needs a register that pins the frequency, any of them. */
TEST(test_pinned)
{
	size_t first = 0, second;

	start_quiet();
	while (knob_row(first)->group != KNOB_FREQUENCY)
		first++;
	for (second = first + 1; knob_row(second)->group != KNOB_FREQUENCY;)
		second++;
	values[0][first].state = values[1][first].state = KNOB_SET;
	disturbed_by(true, "the frequency could not be pinned");
	assert_int_equal(c.pinned, 0);
	values[2][second].state = KNOB_ALREADY;
	disturbed_by(true, "");
	assert_int_equal(c.pinned, 1);
	values[1][first].state = KNOB_DROPPED;
	disturbed_by(true, "the frequency could not be pinned");
	assert_non_null(strstr(c.knobs, "HWP request dropped"));
	/* A machine that should be quiet has CPUs that were slower than nominal, and CPUs that
	 * slept. */
	values[1][first].state = KNOB_SET;
	for (unsigned i = 0; i < CPUS; i++)
		after[i].reading[NOISE_APERF] = 50 + 800000;
	after[0].reading[NOISE_PKG_C6] = 20000;
	before[0].reading[NOISE_PKG_C6] = 10000;
	disturbed_by(true,
		     "CPUs ran at 80 % of their nominal frequency, CPUs slept in deep C-states, "
		     "100/100 % of the time");
	disturbed_by(false, "");
}

TEST(test_telling)
{
	struct noise_figure f;
	char line[2048];
	size_t n = 0;

	start_quiet();
	after[0].reading[NOISE_SMI] = 3;
	before[0].reading[NOISE_SMI] = 0;
	judge(false);
	assert_string_equal(
		noise_line(&c, line, sizeof(line)),
		"noise: DISTURBED; quiet=no cpus=3 smis=3 interrupts=0 stray_interrupts=0 nmis=0 "
		"unknown_nmis=0 machine_checks=0 tsc_steps=0 aperf_mperf=1.0000 "
		"aperf_mperf_spread=0.0000 pinned=false turbo_off=false thermal=null "
		"power_limit=null deep_sleep=null prefetchers_off=null microcode=null "
		"memory_mts=null; 3 SMIs");
	while (noise_row(&c, n, false, &f))
		if (!strcmp(f.key, n++ ? "microcode" : "cpus"))
			assert_string_equal(f.text, n == 1 ? "3" : "not told");
	assert_int_equal(n, 18);
	/* The line is cut to any size. */
	noise_line(&c, line, 40);
	assert_int_equal(strlen(line), 39);
}

/* Readings of the modelled machine: its log, the registers that are cleared at the beginning, and
 * missing registers. */
TEST(test_readings)
{
	struct pmu_caps caps = {0};
	struct noise_cpu cpu = {0};

	shim_boot("skx", true);
	shim.has_platform = true;
	pmu_caps_detect(&caps);
	noise_read(&caps, &cpu, true);
	assert_int_equal(cpu.reading[NOISE_SMI], 0);
	assert_int_equal(cpu.reading[NOISE_THERMAL], 0);
	assert_int_equal(cpu.reading[NOISE_PKG_C6], 0);
	assert_true(cpu.reading[NOISE_CORE_C3] == NOISE_UNKNOWN);
	shim.platform_faults.thermal = true;
	shim.platform_faults.smi = 1;
	noise_read(&caps, &cpu, true);
	assert_int_equal(cpu.reading[NOISE_THERMAL], 0x282b & ~(1 << 15));
	assert_true(cpu.reading[NOISE_SMI] > 0);
	assert_int_equal(caps.microcode, 0x2b0005c0);
	shim.pmu = SHIM_PMU_FAULTS;
	noise_read(&caps, &cpu, true);
	for (unsigned r = 0; r < NOISE_READINGS; r++)
		assert_true(cpu.reading[r] == NOISE_UNKNOWN);
	pmu_caps_detect(&caps);
	assert_int_equal(caps.microcode, 0);
}

/* Every part of an error in one bank changes that bank's hash, and no other bank's. */
TEST(test_banks)
{
	struct shim_msr own[] = {{MSR_IA32_MCG_CAP, 3},
				 {MSR_IA32_MC_STATUS(2), 0},
				 {MSR_IA32_MC_ADDR(2), 0},
				 {MSR_IA32_MC_MISC(2), 0},
				 {0, 0}};
	struct pmu_caps caps = {0};
	uint64_t last = 0;

	shim_boot("skx", true);
	shim.msrs = own;
	pmu_caps_detect(&caps);
	start_quiet();
	noise_read(&caps, &after[0], true);
	assert_int_equal(after[0].banks[2], 0);
	own[1].value = MCA_VALID | MCA_ADDRESS | MCA_MISC | 0x0151;
	for (unsigned change = 0; change < 6; change++) {
		noise_read(&caps, &after[0], true);
		assert_int_equal(after[0].banks[1], 0);
		assert_true(after[0].banks[2] != 0 && after[0].banks[2] != last);
		before[0].banks[2] = last;
		disturbed_by(false, "1 machine checks");
		last = before[0].banks[2] = after[0].banks[2];
		disturbed_by(false, "");
		own[1].value |= change == 1 ? MCA_OVERFLOW : 0;
		own[1].value += change == 2 || change == 3 ? 1ull << 38 : 0;
		own[change == 4 ? 3 : 2].value += change == 0 || change == 4 ? 64 : 0;
	}
	after[0].banks[2] = 0;
	disturbed_by(false, "");
}
