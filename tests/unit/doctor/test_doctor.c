// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_doctor.c - the self-test of the PMU above the model of vpmu: on a PMU without faults nothing
 * is wrong, and a fault is named by one check alone. Caches and predictors are not modelled here:
 * tests/e2e/machine/doctor.sh has those checks.
 */
#include "apps/doctor/doctor.h"
#include "arch/x86/portable/quirks.h"
#include "include/perf0/doctor_checks.h"
#include "pmu/names/dynamic.h"
#include "pmu/state/state.h"
#include "tests/shim/rig.h"

#include <linux/errno.h>
#include <stdio.h>
#include <string.h>

#include "tests/unit/test.h"

/* --- The machine --- */

static struct {
	uint64_t first, end; /* of the last kernel's code */
	uint64_t times;      /* each kernel runs so many times what it was asked for */
	const char *skipped; /* the check that hung at an earlier boot_doctor */
	unsigned begun;
} machine;

static const uint64_t instructions[DOCTOR_KERNELS_N] = {
	[DOCTOR_LOOP] = 2,  [DOCTOR_LOADS] = 6,    [DOCTOR_STORES] = 6, [DOCTOR_CALLS] = 4,
	[DOCTOR_CHASE] = 3, [DOCTOR_PATTERN] = 16, [DOCTOR_PAIRS] = 11,
};

/* A sampled instruction of these kernels does this. */
static const struct vpmu_op effects[DOCTOR_KERNELS_N] = {
	[DOCTOR_LOADS] = {.load = true,
			  .model = {.number = 1,
				    .naccesses = 1,
				    .access = {{.source = EVENTS_FROM_L1, .latency = 4}}}},
	[DOCTOR_PAIRS] = {.load = true,
			  .model = {.number = 1,
				    .naccesses = 1,
				    .access = {{.source = EVENTS_FROM_FILL, .latency = 60}}}},
};

/* Each turn ends with a branch to the first instruction. An instruction has one byte. */
static void run_turns(uint64_t turns, uint64_t n)
{
	for (; turns; turns--) {
		shim_run(VPMU_OS, n);
		if (vpmu_model_branches_on(&shim.model))
			vpmu_model_branch(&shim.model, VPMU_OS, BRANCH_KIND_JCC,
					  (struct branch_record){.from = shim.ip[VPMU_OS] - 1,
								 .to = machine.first});
	}
}

static void run_kernel_turns(enum doctor_kernel kernel, uint64_t turns)
{
	machine.first = shim.ip[VPMU_OS];
	shim.op = effects[kernel];
	run_turns(turns * machine.times, instructions[kernel]);
	machine.end = shim.ip[VPMU_OS];
	shim.op = (struct vpmu_op){0};
}

static uint64_t slide(uint32_t index, uint64_t *first)
{
	const uint64_t counter = rdpmc(index);

	shim_run(VPMU_OS, 1); /* RDPMC itself counts */
	*first = shim.ip[VPMU_OS];
	shim_run(VPMU_OS, DOCTOR_SLIDE_BYTES);
	return counter;
}

static void code(enum doctor_kernel kernel, uint64_t *first, uint64_t *end)
{
	(void)kernel;
	*first = machine.first;
	*end = machine.end;
}

static bool begin_unless_skipped(const char *name)
{
	machine.begun++;
	return !machine.skipped || strcmp(name, machine.skipped);
}

static const struct doctor_host host = {
	.run = run_kernel_turns, .slide = slide, .code = code, .begin = begin_unless_skipped};

/* --- Booting --- */

#define KERNEL_CODE 0xffffffff81000000 /* branch records tell the ring by the address */

static bool first_interrupt(unsigned n)
{
	return n == 0;
}

/* Boots with `faults`; with the quirks that CPUID tells and those in `quirks`, or with none. */
static void boot_doctor(const char *uarch, const struct vpmu_faults *faults, bool known,
			uint32_t quirks)
{
	shim_boot(uarch, false);
	/* The model of a core was there, so branches are recorded. */
	vpmu_model_counts(&shim.model, EVENTS_LEVEL_MODEL);
	vpmu_model_counts(&shim.model, EVENTS_LEVEL_NONE);
	shim.ip[VPMU_OS] = KERNEL_CODE;
	memset(&rig, 0, sizeof(rig));
	rig.alloc_most = UINT32_MAX;
	pmu_caps_detect(&rig.caps);
	rig_init();
	rig.host.extended_nmi = first_interrupt;
	if (faults)
		vpmu_model_fail(&shim.model, faults);
	rig.caps.quirks = known ? rig.caps.quirks | quirks : 0;
	pmu_init(&rig.caps, &rig.host);
	machine.times = 1;
	machine.skipped = NULL;
	machine.begun = 0;
}

/* The groups whose checks the shim's machine can pass. */
static bool is_modelled(const struct doctor_row *row)
{
	return row->group == DOCTOR_COUNTERS || row->group == DOCTOR_OVERFLOW ||
	       row->group == DOCTOR_SAMPLES || !strcmp(row->name, "instructions");
}

/* The names of all checks that are wrong, each followed by a blank. */
static const char *wrong_checks(void)
{
	static char names[256];
	const struct doctor_report *r = doctor_run(&host, &rig.caps, NULL);
	size_t n = 0;

	*names = '\0';
	for (unsigned i = 0; i < r->n; i++)
		if (r->row[i].verdict.state == DOCTOR_WRONG && is_modelled(&r->row[i]))
			n += (size_t)snprintf(names + n, sizeof(names) - n, "%s ", r->row[i].name);
	return names;
}

static const struct doctor_verdict *verdict_of(const char *name)
{
	const struct doctor_report *r = doctor_run(&host, &rig.caps, name);

	assert_int_equal(r->n, 1);
	return &r->row[0].verdict;
}

/* --- No fault --- */

TEST(test_nothing_is_wrong)
{
	static const char *const uarchs[] = {"nhm", "snb",    "hsw",  "skx",  "icl",  "adl",
					     "spr", "fam10h", "zen2", "zen3", "zen4", "zen5"};

	for (size_t i = 0; i < sizeof(uarchs) / sizeof(uarchs[0]); i++) {
		boot_doctor(uarchs[i], NULL, true, 0);
		assert_string_equal(wrong_checks(), "");
		assert_int_equal(pmu_distrusted(), 0);
		assert_int_equal(rig_nevents(), 0);
	}
}

/* Each check opens its own events: one alone has the verdict that it has among all. */
TEST(test_one_alone)
{
	boot_doctor("skx", NULL, true, 0);
	assert_int_equal(verdict_of("general")->state, DOCTOR_RIGHT);
	assert_int_equal(verdict_of("general")->measured, 2000);
	assert_int_equal(verdict_of("skid")->state, DOCTOR_RIGHT);
	assert_int_equal(verdict_of("ibs-op")->state, DOCTOR_ABSENT);
}

/* --only and --hang take the names of all checks. */
TEST(test_names)
{
	static char names[1024];
	const struct doctor_report *r;
	size_t n = 0;

	boot_doctor("skx", NULL, true, 0);
	r = doctor_run(&host, &rig.caps, NULL);
	for (unsigned i = 0; i < r->n; i++)
		n += (size_t)snprintf(names + n, sizeof(names) - n, "%s%s", i ? "|" : "",
				      r->row[i].name);
	assert_string_equal(names, DOCTOR_CHECKS_BAR);
}

/* Each skid has a row, and the NMIs of all rows are those that were seen. */
TEST(test_skid_histogram)
{
	const struct vpmu_faults faults = {.skid = 20};
	const struct doctor_verdict *v;

	boot_doctor("skx", &faults, true, 0);
	v = verdict_of("skid");
	assert_int_equal(v->nhistograms, 2);
	for (unsigned i = 0; i < 2; i++) {
		assert_string_equal(v->histogram[i].kind, i ? "fixed" : "general");
		assert_int_equal(v->histogram[i].n, 1);
		assert_int_equal(v->histogram[i].bin[0].skid, 20);
		assert_int_equal(v->histogram[i].bin[0].times + v->histogram[i].unseen, 32);
	}
	boot_doctor("zen4", NULL, true, 0);
	assert_int_equal(verdict_of("skid")->nhistograms, 1);
}

TEST(test_no_pmu)
{
	boot_doctor("skx", NULL, true, 0);
	shim.pmu = SHIM_PMU_FAULTS;
	assert_int_equal(pmu_init(&rig.caps, &rig.host), -ENODEV);
	assert_string_equal(wrong_checks(), "");
	assert_int_equal(machine.begun, 5); /* what needs no PMU: clocks */
}

/* A check that hung is not called again, and named. */
TEST(test_skipped)
{
	boot_doctor("skx", NULL, true, 0);
	machine.skipped = "nmi";
	assert_int_equal(verdict_of("nmi")->state, DOCTOR_SKIPPED);
	assert_int_equal(verdict_of("skid")->state, DOCTOR_RIGHT);
}

/* --- A fault and the one check that names it --- */

static const struct {
	const char *uarch, *wrong;
	struct vpmu_faults faults;
	bool known;
	uint32_t quirks;
} cases[] = {
	{"skx", "still ", {.still = 1}, true, 0},
	{"zen4", "still ", {.still = 2}, true, 0},
	{"hsw", "still ", {.still = 1ull << 33}, true, 0},
	{"skx", "firmware ", {.inuse = 1}, true, 0},
	{"zen2", "firmware ", {.inuse = 2}, true, 0},
	{"skx", "skid ", {.skid = 3000}, true, 0},
	{"zen4", "skid ", {.skid = 3000}, true, 0},
	{"skx", "", {.skid = 20}, true, 0},

	/* Quirks: with the work-around nothing is wrong. */
	{"nhm", "", {.errata = VPMU_COUNTERS_RESET}, true, 1u << QUIRK_COUNTERS_RESET},
	{"zen2", "", {.errata = VPMU_IBS_FETCH_RESTART}, true, 1u << QUIRK_IBS_FETCH_RESTART},
	{"zen4", "ibs-fetch ", {.errata = VPMU_IBS_FETCH_RESTART}, false, 0},
	{"zen3", "", {.errata = VPMU_IBS_FETCH_AT_ZERO}, true, 1u << QUIRK_IBS_FETCH_AT_ZERO},
	{"zen3", "ibs-fetch ", {.errata = VPMU_IBS_FETCH_AT_ZERO}, false, 0},
	{"fam10h", "", {.errata = VPMU_IBS_CLEAR_MAXIMUM}, true, 1u << QUIRK_IBS_CLEAR_MAXIMUM},
	{"zen3", "", {.errata = VPMU_IBS_FALSE_L2}, true, 1u << QUIRK_IBS_FALSE_L2},
	{"zen3", "ibs-source ", {.errata = VPMU_IBS_FALSE_L2}, false, 0},
	{"zen5", "", {.errata = VPMU_IBS_SLOW_L3_ONLY}, true, 1u << QUIRK_IBS_SLOW_L3_ONLY},
	{"zen5", "ibs-slow ", {.errata = VPMU_IBS_SLOW_L3_ONLY}, false, 0},
	{"zen4", "", {.errata = VPMU_LBR_ERRONEOUS}, true, 1u << QUIRK_LBR_ERRONEOUS},
};

TEST(test_faults)
{
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const char *wrong;

		boot_doctor(cases[i].uarch, &cases[i].faults, cases[i].known, cases[i].quirks);
		wrong = wrong_checks();
		if (strcmp(wrong, cases[i].wrong))
			fail_msg("case %zu, %s: '%s' is wrong, not '%s'", i, cases[i].uarch, wrong,
				 cases[i].wrong);
	}
}

/* The firmware takes a counter while the checks run, at any of these times. */
TEST(test_firmware_takes_a_counter)
{
	static const char *const uarchs[] = {"skx", "zen4", "zen2"};

	for (unsigned i = 0; i < sizeof(uarchs) / sizeof(uarchs[0]); i++)
		for (uint64_t after = 5000; after < 400000; after += 36000) {
			const struct vpmu_faults faults = {.steal = after};

			boot_doctor(uarchs[i], &faults, true, 0);
			assert_string_equal(wrong_checks(), "firmware ");
		}
}

/* --- What is wrong is refused --- */

static int try_open(uint32_t type, uint64_t config, unsigned precise)
{
	static struct pmu_event e;
	struct perf_event_attr attr = rig_attr(type, config);
	int err;

	attr.precise_ip = precise;
	if (precise || type == PMU_TYPE_IBS_OP)
		attr.sample_period = 1600;
	err = pmu_event_open(&e, &attr, -1, 0, NULL, 0, &rig.why);
	if (!err)
		pmu_event_close(&e);
	return err;
}

/* Counters that count twice what they should are refused, and so are events that need them. */
TEST(test_wrong_counters)
{
	const struct doctor_verdict *v;

	boot_doctor("skx", NULL, true, 0);
	machine.times = 2;
	v = verdict_of("general");
	assert_int_equal(v->state, DOCTOR_WRONG);
	assert_int_equal(v->measured, 4000);
	assert_int_equal(v->expected, 2000);
	assert_memory_equal(v->text, "2.00 times: ", 12);
	assert_int_equal(pmu_distrusted(), 0xff);
	assert_int_equal(pmu_info()->counters & PMU_GENERAL_MASK, 0);
	assert_int_equal(try_open(PERF_TYPE_RAW, 0x01c4, 0), -EINVAL);
	assert_non_null(strstr(rig.why.text, "self-test"));
	machine.times = 1;
	assert_int_equal(verdict_of("fixed")->state, DOCTOR_RIGHT);
	assert_int_equal(verdict_of("general")->state, DOCTOR_ABSENT);
}

/* --- Other CPUs: the same model stands for each --- */

static struct {
	unsigned wrong, calls; /* the CPU whose counters count twice */
} cpus;

static unsigned three(void)
{
	return 3;
}

static void on_cpu(unsigned cpu, void (*fn)(void *arg), void *arg)
{
	cpus.calls++;
	machine.times = cpu == cpus.wrong ? 2 : 1;
	fn(arg);
	machine.times = 1;
}

static const struct doctor_host three_cpus = {.run = run_kernel_turns,
					      .slide = slide,
					      .code = code,
					      .begin = begin_unless_skipped,
					      .ncpus = three,
					      .on_cpu = on_cpu};

static const struct doctor_row *row_of_three(const char *name, unsigned wrong)
{
	cpus.wrong = wrong;
	cpus.calls = 0;
	return &doctor_run(&three_cpus, &rig.caps, name)->row[0];
}

TEST(test_other_cpus)
{
	const struct doctor_verdict *v;

	boot_doctor("skx", NULL, true, 0);
	v = &row_of_three("general", 3)->verdict;
	assert_int_equal(v->state, DOCTOR_RIGHT);
	assert_non_null(strstr(v->text, ": 2000, on each of 3 CPUs"));
	assert_int_equal(cpus.calls, 2);
	assert_int_equal(row_of_three("nmi", 3)->verdict.state, DOCTOR_RIGHT);
	assert_int_equal(cpus.calls, 2);
	assert_int_equal(row_of_three("cycles", 3)->verdict.state, DOCTOR_RIGHT);
	assert_int_equal(cpus.calls, 0); /* it is for the boot CPU alone */

	v = &row_of_three("general", 2)->verdict;
	assert_int_equal(v->state, DOCTOR_WRONG);
	assert_memory_equal(v->text, "CPU 2: 2.00 times: ", 19);
	assert_int_equal(pmu_distrusted(), 0xff);

	boot_doctor("skx", NULL, true, 0);
	v = &row_of_three("general", 1)->verdict;
	assert_memory_equal(v->text, "CPU 1: 2.00 times: ", 19);
	assert_int_equal(cpus.calls, 1); /* the first one is named */

	boot_doctor("skx", NULL, true, 0);
	machine.times = 2;
	v = &row_of_three("general", 3)->verdict;
	assert_memory_equal(v->text, "CPU 0: 2.00 times: ", 19);
	assert_int_equal(cpus.calls, 0);
}

TEST(test_wrong_features)
{
	boot_doctor("skx", NULL, true, 0);
	assert_int_equal(try_open(PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS, 2), 0);
	pmu_distrust(PMU_FEATURE_PEBS, 0, "pebs");
	assert_int_equal(try_open(PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS, 2), -EOPNOTSUPP);
	assert_non_null(strstr(rig.why.text, "doctor: pebs"));
	assert_int_equal(try_open(PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS, 0), 0);
	assert_int_equal(verdict_of("pebs")->state, DOCTOR_ABSENT);
	assert_int_equal(verdict_of("lbr")->state, DOCTOR_RIGHT);
	pmu_distrust(PMU_FEATURE_LBR, 0, "lbr");
	assert_int_equal(verdict_of("lbr")->state, DOCTOR_ABSENT);

	boot_doctor("zen4", NULL, true, 0);
	assert_int_equal(try_open(PMU_TYPE_IBS_OP, 0, 0), 0);
	pmu_distrust(PMU_FEATURE_IBS, 0, "ibs-op");
	assert_int_equal(try_open(PMU_TYPE_IBS_OP, 0, 0), -EOPNOTSUPP);
	assert_non_null(strstr(rig.why.text, "doctor: ibs-op"));
}
