// SPDX-License-Identifier: BSD-2-Clause
/* test_sysfs.c - formats and events of PMUs as text. Parsing the text gives the same event again.
 */
#include "pmu/names/sysfs.h"

#include "lib/bits.h"
#include "pmu/names/parse.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/test.h"

#define ALL_BITS (EVTSEL_EVENT | EVTSEL_UMASK | EVTSEL_EDGE | EVTSEL_INV | EVTSEL_CMASK)

static struct sysfs_core core_of(const char *uarch, uint64_t more)
{
	return (struct sysfs_core){uarch_by_name(uarch), ALL_BITS | more};
}

/* The text of the file of that name; "": there is none. */
static const char *core_format(const struct sysfs_core *core, const char *name)
{
	static struct sysfs_file file;

	for (size_t i = 0; sysfs_core_format(core, i, &file); i++)
		if (!strcmp(file.name, name))
			return file.text;
	return "";
}

static const char *core_event(const struct sysfs_core *core, const char *name)
{
	static struct sysfs_file file;

	for (size_t i = 0; sysfs_core_event(core, i, &file); i++)
		if (!strcmp(file.name, name))
			return file.text;
	return "";
}

TEST(test_formats_of_intel)
{
	const struct sysfs_core skylake = core_of("skylake", EVTSEL_ANY);
	const struct sysfs_core nehalem = core_of("nehalem", 0);
	const struct sysfs_core lunar = core_of("lnl", EVTSEL_INTEL_EQ | EVTSEL_INTEL_UMASK2);
	const struct sysfs_core sierra = core_of("srf", 0);

	assert_string_equal(core_format(&skylake, "event"), "config:0-7");
	assert_string_equal(core_format(&skylake, "umask"), "config:8-15");
	assert_string_equal(core_format(&skylake, "cmask"), "config:24-31");
	assert_string_equal(core_format(&skylake, "inv"), "config:23");
	assert_string_equal(core_format(&skylake, "edge"), "config:18");
	assert_string_equal(core_format(&skylake, "any"), "config:21");
	assert_string_equal(core_format(&skylake, "in_tx"), "");
	assert_string_equal(core_format(&skylake, "eq"), "");
	assert_string_equal(core_format(&lunar, "umask"), "config:8-15,40-47");
	assert_string_equal(core_format(&lunar, "eq"), "config:36");
	assert_string_equal(core_format(&sierra, "snoop_rsp"), "config1:0-63");
	assert_string_equal(core_format(&lunar, "snoop_rsp"), "");
	assert_string_equal(core_format(&skylake, "offcore_rsp"), "config1:0-63");
	assert_string_equal(core_format(&skylake, "ldlat"), "config1:0-15");
	assert_string_equal(core_format(&skylake, "frontend"), "config1:0-23");
	assert_string_equal(core_format(&nehalem, "any"), "");
	assert_string_equal(core_format(&nehalem, "frontend"), "");
}

TEST(test_formats_of_amd)
{
	const struct sysfs_core zen = core_of("zen4", EVTSEL_AMD_EVENT_HI);

	assert_string_equal(core_format(&zen, "event"), "config:0-7,32-35");
	assert_string_equal(core_format(&zen, "any"), "");
	assert_string_equal(core_format(&zen, "offcore_rsp"), "");
	assert_string_equal(core_format(&zen, "ldlat"), "");
}

TEST(test_events_of_the_core)
{
	const struct sysfs_core skylake = core_of("skylake", 0);
	const struct sysfs_core icelake = core_of("icelake", 0), golden = core_of("goldencove", 0);
	const struct sysfs_core zen = core_of("zen4", EVTSEL_AMD_EVENT_HI);

	assert_string_equal(core_event(&skylake, "slots"), "");
	assert_string_equal(core_event(&icelake, "slots"), "event=0x00,umask=0x04");
	assert_string_equal(core_event(&icelake, "topdown-be-bound"), "event=0x00,umask=0x83");
	assert_string_equal(core_event(&icelake, "topdown-heavy-ops"), "");
	assert_string_equal(core_event(&golden, "topdown-mem-bound"), "event=0x00,umask=0x87");
	assert_string_equal(core_event(&skylake, "instructions"), "event=0xc0");
	assert_string_equal(core_event(&skylake, "cache-misses"), "event=0x2e,umask=0x41");
	assert_string_equal(core_event(&skylake, "mem-loads"), "event=0xcd,umask=0x01,ldlat=3");
	assert_string_equal(core_event(&skylake, "mem-stores"), "event=0xd0,umask=0x82");
	assert_string_equal(core_event(&skylake, "page-faults"), "");
	assert_string_equal(core_event(&zen, "ref-cycles"), "event=0x120,umask=0x01");
	assert_string_equal(core_event(&zen, "mem-loads"), "");
}

/* On every microarchitecture the terms give the event's select. */
TEST(test_events_parse_to_their_selects)
{
	const struct uarch *uarch;
	unsigned seen = 0;

	for (size_t i = 0; (uarch = uarch_list(i)); i++) {
		const struct sysfs_core core = {uarch, UINT64_MAX};
		struct sysfs_file file;

		for (size_t n = 0; sysfs_core_event(&core, n, &file); n++, seen++) {
			const struct pmu_namer namer = {.uarch = uarch};
			struct pmu_parse_error err;
			struct pmu_event_spec spec;
			uint64_t wanted = file.config;
			char text[128];
			int count;

			if (file.type == PERF_TYPE_HARDWARE)
				wanted = uarch_generic(uarch, file.config);
			snprintf(text, sizeof(text), "cpu/%s/", file.text);
			count = pmu_parse_events_named(text, &namer, &spec, 1, &err);
			assert_int_equal(count, 1);
			assert_int_equal(spec.attr.type, PERF_TYPE_RAW);
			assert_int_equal(spec.attr.config, wanted);
		}
	}
	assert_true(seen > 200);
}

static const struct dynamic_pmu *pmu_named(const char *name)
{
	const struct dynamic_pmu *p = NULL;

	for (size_t i = 0; (p = dynamic_pmu(i)) && strcmp(p->name, name) != 0; i++)
		;
	return p;
}

static void assert_file(bool there, const struct sysfs_file *file, const char *name,
			const char *text)
{
	assert_true(there);
	assert_string_equal(file->name, name);
	assert_string_equal(file->text, text);
}

TEST(test_other_pmus)
{
	const struct dynamic_pmu *power = pmu_named("power"), *l3 = pmu_named("amd_l3");
	struct sysfs_file file;

	assert_file(sysfs_format(power, 0, &file), &file, "event", "config:0-7");
	assert_false(sysfs_format(power, 1, &file));
	assert_file(sysfs_event(power, 3, &file), &file, "energy-pkg", "event=0x02");
	assert_int_equal(file.config, 2);
	assert_file(sysfs_event(power, 4, &file), &file, "energy-pkg.scale",
		    "0.00000000023283064365386962890625");
	assert_true(strtod(file.text, NULL) == 0x1p-32);
	assert_file(sysfs_event(power, 5, &file), &file, "energy-pkg.unit", "Joules");
	assert_false(sysfs_event(power, 15, &file));
	assert_file(sysfs_format(pmu_named("amd_df"), 0, &file), &file, "event",
		    "config:0-7,32-37");
	assert_file(sysfs_format(pmu_named("ibs_op"), 2, &file), &file, "ldlat", "config1:0-11");
	assert_file(sysfs_format(pmu_named("msr"), 0, &file), &file, "event", "config:0-63");
	assert_file(sysfs_event(l3, 1, &file), &file, "l3_lookup_state.l3_miss",
		    "event=0x04,umask=0x01");
	assert_file(sysfs_event(pmu_named("msr"), 0, &file), &file, "tsc", "event=0x00");
	assert_false(sysfs_event(pmu_named("step_trace"), 0, &file));
}
