// SPDX-License-Identifier: BSD-2-Clause
/* test_faults.c - `fault=...` of vpmu's options: the values that are accepted, and the messages
 * of refusals. */
#include "lib/words/fault_words.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/test.h"

#define NAMES                                                                                        \
	"smi:N, gp:MSR, exit, locked, thermal, turbo, stuck, inuse:MASK, steal:N, crystal, skid:N, " \
	"latenmi:N, extranmi, vmrun, still:MASK, cpu:N, ibs-fetch-restart, ibs-clear-maximum, "      \
	"ibs-fetch-at-zero, ibs-false-l2, ibs-slow-l3-only, lbr-erroneous, counters-reset, "         \
	"c1e-stops-apic, counts-anywhere"

TEST(test_all_of_them)
{
	struct vpmu_faults f = {0};

	assert_int_equal(faults_parse("smi:50k,gp:0x774,locked,thermal,gp:0xc00102b3", &f, NULL),
			 0);
	assert_int_equal(f.smi, 50000);
	assert_int_equal(f.ngp, 2);
	assert_int_equal(f.gp[0], 0x774);
	assert_int_equal(f.gp[1], 0xc00102b3);
	assert_true(f.locked && f.thermal && !f.turbo && !f.stuck);
	assert_int_equal(
		faults_parse("inuse:0x200000004,steal:1000000,skid:7,latenmi:3k,crystal,extranmi",
			     &f, NULL),
		0);
	assert_true(f.inuse == 0x200000004 && f.steal == 1000000 && f.skid == 7 &&
		    f.latenmi == 3000 && f.crystal && f.extranmi);
	assert_int_equal(faults_parse("lbr-erroneous,still:0x1,ibs-false-l2", &f, NULL), 0);
	assert_true(f.still == 1 && f.errata == (VPMU_LBR_ERRONEOUS | VPMU_IBS_FALSE_L2));
	assert_int_equal(f.only_cpu, 0);
	assert_int_equal(faults_parse("cpu:0", &f, NULL), 0);
	assert_int_equal(f.only_cpu, 1);
	assert_int_equal(faults_parse("cpu:3", &f, NULL), 0);
	assert_int_equal(f.only_cpu, 4);
	/* A second option adds to the first. */
	assert_int_equal(faults_parse("turbo,stuck,vmrun", &f, NULL), 0);
	assert_true(f.vmrun && f.turbo && f.stuck && f.locked && f.smi == 50000);
}

TEST(test_refusals)
{
	static const struct {
		const char *text, *why;
	} rows[] = {
		{"", "there is no fault ''; there are: " NAMES},
		{"locked,", "there is no fault ''; there are: " NAMES},
		{"smirk", "there is no fault 'smirk'; there are: " NAMES},
		{"smi", "smi wants a number: 'smi'"},
		{"smi:", "smi wants a number: 'smi:'"},
		{"smi:0", "smi wants a number: 'smi:0'"},
		{"smi:x", "smi wants a number: 'smi:x'"},
		{"gp:0x100000000", "gp wants a number: 'gp:0x100000000'"},
		{"locked:1", "locked takes no number"},
		{"gp:1,gp:2,gp:3,gp:4,gp:5,gp:6,gp:7,gp:8,gp:9", "at most 8 of gp"},
		{"thermalthermalthermalthermalthermal",
		 "there is no fault 'thermalthermalthermalthermalthermal'; there are: " NAMES},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct vpmu_faults f = {0};
		struct reason why;

		assert_int_equal(faults_parse(rows[i].text, &f, &why), -EINVAL);
		assert_string_equal(why.text, rows[i].why);
	}
}
