// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_metrics_modelled.c - shipped metrics on each PMU of vpmu: all of their events are modelled,
 * so that each metric has a value, except for the listed ones.
 */
#include "include/perf0/personalities.h"
#include "pmu/metrics/choose.h"
#include "pmu/metrics/shipped.h"
#include "pmu/names/kinds.h"
#include "tests/unit/core/counted_events.h"

#include <stdio.h>

static struct metrics m;
static struct metric_choice choice;
static unsigned nopened, nleft;

/* Metrics with an event that QEMU has no data for, as the use of ports. It would always be 0. */
static const char *const unmodelled[] = {
	"tma_light_operations",
	"tma_heavy_operations",
	"tma_branch_mispredicts",
	"tma_machine_clears",
	"tma_core_bound",
	"tma_memory_bound",
	"bad_speculation_mispredicts",
	"bad_speculation_pipeline_restarts",
	"backend_bound_cpu",
	"backend_bound_memory",
	"retiring_fastpath",
	"retiring_microcode",
};

static bool is_left_out(const char *metric)
{
	for (size_t i = 0; i < sizeof(unmodelled) / sizeof(unmodelled[0]); i++)
		if (!strcmp(unmodelled[i], metric))
			return true;
	return false;
}

/* CPUs without AnyThread refuse it, as those that KVM shows. */
static bool wants_any_thread(const struct metric_event_chosen *event)
{
	return rig.caps.any_thread_deprecated && strstr(event->text, ",any,");
}

static void check_opens(const char *personality, const char *metric,
			const struct metric_event_chosen *event)
{
	const struct pmu_namer namer = {.uarch = m.uarch};
	struct pmu_event_spec spec[2];
	struct pmu_parse_error error;
	struct pmu_event e;

	assert_int_equal(pmu_parse_events_named(event->text, &namer, spec, 2, &error), 1);
	if (!kinds_is_core(&spec->attr) || uarch_is_metric(spec->attr.config, UARCH_METRICS_MOST))
		return; /* other PMUs; shares are opened in groups alone */
	spec->attr.size = sizeof(spec->attr);
	if (!rig_open(&e, &spec->attr, NULL)) {
		pmu_event_close(&e);
		nopened++;
	} else if (is_left_out(metric)) {
		nleft++;
	} else if (!wants_any_thread(event)) {
		print_error("%s, %s: %s: %s\n", personality, metric, event->text, rig.why.text);
		nleft += 1000;
	}
}

static void check_modelled(const char *personality, const struct metrics_row *row)
{
	const struct metrics_world world = {.ncpus = 2, .tsc_hz = 2000000000};
	char name[METRICS_NAME_MAX + 1];
	struct reason why;

	snprintf(name, sizeof(name), "%.*s", (int)row->name.n, row->name.at);
	metrics_choose_begin(&choice);
	if (metrics_choose_name(&choice, &m, name, strlen(name), &world, &why) ||
	    metrics_choose_end(&choice, &world, &why))
		fail_msg("%s: %s", personality, why.text);
	for (unsigned i = 0; i < choice.nevents; i++)
		check_opens(personality, name, &choice.event[i]);
}

static void check_personality(const char *personality)
{
	struct reason why;

	assert_int_equal(rig_boot(personality, true), 0);
	shim.is_vpmu = true;
	assert_int_equal(metrics_begin_shipped(&m, pmu.uarch, &why), 0);
	for (unsigned i = 0; i < m.nrows; i++)
		if (!m.row[i].is_helper)
			check_modelled(personality, &m.row[i]);
}

TEST(test_all_personalities)
{
#define ROW(id, vendor, pfm) check_personality(#id);
	VPMU_PERSONALITIES(ROW)
	if (nleft > 1000 || nopened < 1000)
		fail_msg("%u events are modelled", nopened);
}
