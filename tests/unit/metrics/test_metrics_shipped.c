// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_metrics_shipped.c - the shipped metrics for each microarchitecture: every formula is read
 * and has a value. The image knows every event, with the encoding that libpfm4 has for its name.
 */
#include "pmu/metrics/choose.h"
#include "pmu/metrics/shipped.h"
#include "pmu/names/parse.h"
#include "tools/events/events.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/test.h"

static struct metrics m;
static struct metric_choice choice;

/* libpfm4 does not know the first CPU, which has the events of the second. */
static const struct {
	const char *uarch, *like;
} elders[] = {
	{"tigerlake", "icelake"},
	{"goldencove", "sapphirerapids"},
	{"emeraldrapids", "sapphirerapids"},
	{"redwoodcove", "sapphirerapids"},
	{"graniterapids", "sapphirerapids"},
	{"zen5", "zen4"},
};

/* Events that libpfm4 splits into several, or has under another name. Their encodings are combined.
 * The first row that fits a microarchitecture's event file applies. */
static const struct {
	const char *name, *libpfm;
} made[] = {
	{"fp_arith_inst_retired.scalar",
	 "fp_arith_inst_retired.scalar_single fp_arith_inst_retired.scalar_double"},
	{"fp_arith_inst_retired.4_flops",
	 "fp_arith_inst_retired.128b_packed_single fp_arith_inst_retired.256b_packed_double"},
	{"fp_arith_inst_retired.8_flops",
	 "fp_arith_inst_retired.256b_packed_single fp_arith_inst_retired.512b_packed_double"},
	{"fp_comp_ops_exe.sse_scalar",
	 "fp_comp_ops_exe.sse_scalar_double fp_comp_ops_exe.sse_fp_scalar_single"},
	{"fp_comp_ops_exe.sse_scalar",
	 "fp_comp_ops_exe.sse_scalar_double fp_comp_ops_exe.sse_scalar_single"},
	{"fp_comp_ops_exe.sse_packed_double", "fp_comp_ops_exe.sse_fp_packed_double"},
	{"fp_comp_ops_exe.sse_packed_single", "fp_comp_ops_exe.sse_packed_single"},
	{"cpu_clk_unhalted.thread_p_any", "unhalted_core_cycles:t"},
	{"retired_ops", "retired_uops"},
	{"retired_flops", "retired_sse_avx_flops.any"},
	{"retired_flops",
	 "retired_sse_avx_operations.dp_mult_add_flops retired_sse_avx_operations.dp_div_flops "
	 "retired_sse_avx_operations.dp_mult_flops retired_sse_avx_operations.dp_add_sub_flops "
	 "retired_sse_avx_operations.sp_mult_add_flops retired_sse_avx_operations.sp_div_flops "
	 "retired_sse_avx_operations.sp_mult_flops retired_sse_avx_operations.sp_add_sub_flops"},
#define L2(umask) "core_to_l2_cacheable_request_access_status." umask " "
	{"l2_cache_req_stat.ic_dc_miss_in_l2", L2("ls_rd_blk_c") L2("ic_fill_miss")},
	{"l2_cache_req_stat.all",
	 L2("ls_rd_blk_c_s") L2("ls_rd_blk_l_hit_x") L2("ls_rd_blk_l_hit_s") L2("ls_rd_blk_x")
		 L2("ls_rd_blk_c") L2("ic_fill_hit_x") L2("ic_fill_hit_s") L2("ic_fill_miss")},
#define DTLB(size) "l1_dtlb_miss.tlb_reload_" size " "
	{"l1_dtlb_miss.l2_miss",
	 DTLB("1g_l2_miss") DTLB("2m_l2_miss") DTLB("coalesced_page_miss") DTLB("4k_l2_miss")},
	{"l1_dtlb_miss.all",
	 DTLB("1g_l2_miss") DTLB("2m_l2_miss") DTLB("coalesced_page_miss") DTLB("4k_l2_miss")
		 DTLB("1g_l2_hit") DTLB("2m_l2_hit") DTLB("coalesced_page_hit") DTLB("4k_l2_hit")},
#define ITLB(size) "l1_itlb_miss_l2_itlb_miss." size " "
	{"itlb_miss.all", ITLB("coalesced4k") ITLB("if1g") ITLB("if2m") ITLB("if4k")},
	{"itlb_miss.all", ITLB("if1g") ITLB("if2m") ITLB("if4k")},
#define ZEN2(from) "data_cache_refills_from_system." from " "
	{"l1d_fills.all",
	 ZEN2("mabresp_lcl_l2") ZEN2("ls_mabresp_lcl_cache") ZEN2("ls_mabresp_lcl_dram")
		 ZEN2("ls_mabresp_rmt_cache") ZEN2("ls_mabresp_rmt_dram")},
#define DEMAND(from) "demand_data_cache_fills_from_system." from " "
	{"l1d_fills.all", DEMAND("lcl_l2") DEMAND("int_cache") DEMAND("ext_cache_lcl") DEMAND(
				  "mem_io_lcl") DEMAND("ext_cache_rmt") DEMAND("mem_io_rmt")},
	{"l1d_fills.all",
	 DEMAND("lcl_l2") DEMAND("local_ccx") DEMAND("near_cache_near_far") DEMAND("dram_io_near")
		 DEMAND("far_cache_near_far") DEMAND("dram_io_far") DEMAND("alt_mem_near_far")},
	{"dram_fills", "any_data_cache_fills_from_system.mem_io_lcl "
		       "any_data_cache_fills_from_system.mem_io_rmt"},
	{"dram_fills", "any_data_cache_fills_from_system.dram_io_near "
		       "any_data_cache_fills_from_system.dram_io_far"},
	{"ops_dispatched.all",
	 "ops_source_dispatched_from_decoder.decoder ops_source_dispatched_from_decoder.opcache "
	 "ops_source_dispatched_from_decoder.loop_buffer"},
};

/* Events that neither libpfm4 nor Intel's names have. */
static const struct {
	const char *name;
	uint64_t config;
} manuals[] = {
	{"uops_retired.macro_fused", 0x4c2},
};

static const struct uarch *elder_of(const struct uarch *uarch)
{
	for (size_t i = 0; i < sizeof(elders) / sizeof(elders[0]); i++)
		if (!strcmp(elders[i].uarch, uarch->name))
			return uarch_by_name(elders[i].like);
	return uarch;
}

static bool find_one(const char *name, const struct guest_uarch *guest, uint64_t *config)
{
	struct perf_event_attr attr = {.size = sizeof(attr)};
	struct reason ignored;
	size_t taken;

	if (events_find(name, guest, &attr, &taken, &ignored) || name[taken])
		return false;
	*config |= attr.config;
	return true;
}

static bool find_all(const char *names, const struct guest_uarch *guest, uint64_t *config)
{
	char *copy = strdup(names), *rest = copy, *name;
	bool found = true;

	*config = 0;
	while (found && (name = strtok_r(rest, " ", &rest)))
		found = find_one(name, guest, config);
	free(copy);
	return found;
}

static bool find_made(const char *name, const struct guest_uarch *guest, uint64_t *config)
{
	for (size_t i = 0; i < sizeof(made) / sizeof(made[0]); i++)
		if (!strcmp(made[i].name, name) && find_all(made[i].libpfm, guest, config))
			return true;
	for (size_t i = 0; i < sizeof(manuals) / sizeof(manuals[0]); i++)
		if (!strcmp(manuals[i].name, name)) {
			*config = manuals[i].config;
			return true;
		}
	return false;
}

static unsigned nchecked;

static void check_chosen_event(const struct uarch *uarch, const struct metric_event_chosen *event)
{
	const struct guest_uarch guest = guest_of(elder_of(uarch));
	const struct pmu_namer namer = {.uarch = uarch};
	struct pmu_event_spec spec[2];
	struct pmu_parse_error error;
	uint64_t config = 0;

	if (pmu_parse_events_named(event->text, &namer, spec, 2, &error) != 1)
		fail_msg("%s: %s: %s", uarch->name, event->text, error.text);
	if (strncmp(event->text, "cpu/", 4))
		return; /* perf's names, and other PMUs */
	if (!find_made(event->name, &guest, &config) && !find_all(event->name, &guest, &config))
		fail_msg("%s: libpfm4 has no %s", uarch->name, event->name);
	if (config != spec->attr.config)
		fail_msg("%s: %s is 0x%llx, not 0x%llx", uarch->name, event->name,
			 (unsigned long long)config, (unsigned long long)spec->attr.config);
	nchecked++;
}

static void check_metric(const struct uarch *uarch, const struct metrics_row *row, bool smt_on)
{
	const struct metrics_world world = {.smt_on = smt_on, .ncpus = 2, .tsc_hz = 2000000000};
	struct real counts[METRICS_ITS_EVENTS];
	struct reason why;
	char name[METRICS_NAME_MAX + 1];

	snprintf(name, sizeof(name), "%.*s", (int)row->name.n, row->name.at);
	metrics_choose_begin(&choice);
	if (metrics_choose_name(&choice, &m, name, strlen(name), &world, &why) ||
	    metrics_choose_end(&choice, &world, &why))
		fail_msg("%s: %s", uarch->name, why.text);
	assert_int_equal(1, choice.ngroups);
	for (unsigned i = 0; i < choice.nevents; i++) {
		check_chosen_event(uarch, &choice.event[i]);
		counts[i] = real_of(1000 + i);
	}
	if (!real_is_finite(metrics_value(&choice, 0, counts, real_of(1))))
		fail_msg("%s: %s has no value", uarch->name, name);
	assert_true(row->about.n);
	assert_true(row->group != METRICS_NO_GROUP && m.group[row->group].about.n);
}

TEST(test_each)
{
	const struct uarch *uarch;
	struct reason why;
	unsigned n = 0;

	for (size_t u = 0; (uarch = uarch_list(u)); u++) {
		if (metrics_begin_shipped(&m, uarch, &why))
			fail_msg("%s: %s", uarch->name, why.text);
		for (unsigned i = 0; i < m.nrows; i++, n++)
			if (!m.row[i].is_helper) {
				check_metric(uarch, &m.row[i], false);
				check_metric(uarch, &m.row[i], true);
			}
		for (unsigned i = 0; i < m.nrows; i++)
			for (unsigned k = 0; k < i; k++)
				assert_false(m.row[k].name.n == m.row[i].name.n &&
					     !memcmp(m.row[k].name.at, m.row[i].name.at,
						     m.row[i].name.n));
	}
	print_message("%u definitions, %u encodings\n", n, nchecked);
	assert_true(nchecked > 1000);
}

/* The microarchitectures with level 1 and with level 2 of top-down. The shares of a level always
 * add up to 1. */
TEST(test_topdown)
{
	static const char *const large[] = {
		"nehalem",        "nehalemex",     "westmere",    "westmereex",    "sandybridge",
		"sandybridgex",   "ivybridge",     "ivybridgex",  "haswell",       "haswellx",
		"broadwell",      "broadwellx",    "broadwellde", "skylake",       "skylakex",
		"cascadelakex",   "icelake",       "icelakex",    "tigerlake",     "goldencove",
		"sapphirerapids", "emeraldrapids", "redwoodcove", "graniterapids", "lioncove",
		"cougarcove"};
	const struct metrics_world world = {.ncpus = 1};
	struct real counts[METRICS_ITS_EVENTS];
	struct reason why;
	char text[REAL_TEXT];

	for (size_t u = 0; u < sizeof(large) / sizeof(large[0]); u++) {
		struct real sum = real_of(0);

		assert_int_equal(0, metrics_begin_shipped(&m, uarch_by_name(large[u]), &why));
		metrics_choose_begin(&choice);
		assert_int_equal(0, metrics_choose_name(&choice, &m, "TopdownL1", 9, &world, &why));
		assert_int_equal(0, metrics_choose_end(&choice, &world, &why));
		assert_int_equal(4, choice.n);
		for (unsigned i = 0; i < choice.nevents; i++)
			counts[i] = real_of(100 * (i + 3));
		for (unsigned i = 0; i < 4; i++)
			sum = real_add(sum, metrics_value(&choice, i, counts, real_of(1)));
		assert_string_equal("100.000000", real_print(text, sum, 6));
	}
}
