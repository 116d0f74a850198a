// SPDX-License-Identifier: BSD-2-Clause
/* record_rate.c - see record_rate.h. */
#include "apps/measure/record_rate.h"

#include "lib/string.h"
#include "lib/time.h"
#include "lib/trace.h"
#include "lib/words/number.h"
#include "pmu/uarch/uarch.h"
#include "rt/print/print.h"
#include "rt/base/tracepoints.h"

#include <stddef.h>

static uint64_t frequency_of(const char *text)
{
	uint64_t n;

	if (!strcmp(text, "max"))
		return pmu_max_sample_rate();
	return number_parse(text, &n) ? 0 : n;
}

void rate_set(struct perf_event_attr *attr, const struct rate *rate)
{
	if (attr->sample_period) /* or sample_freq, which shares its place */
		return;
	if (rate->frequency) {
		attr->freq = 1;
		attr->sample_freq = frequency_of(rate->frequency);
	} else {
		attr->sample_period = rate->period ? rate->period : RATE_DEFAULT_PERIOD;
	}
}

void rate_note(const char *command, const struct pmu_event *e, const char *name)
{
	const struct uarch_setting *s = e->setting;

	if (!s || e->attr.freq || e->period == e->attr.sample_period)
		return;
	err("%s: %s: the period is %llu instead of %llu: a counter of this CPU (%s) is set %u "
	    "events or more before its overflow",
	    command, name, (unsigned long long)e->period, (unsigned long long)e->attr.sample_period,
	    e->uarch->name, s->least);
	if (s->step > 1)
		err(", a multiple of %u", s->step);
	err(" (%s)\n", s->name);
}

void rate_tell_limit(const char *command, const struct pmu_event *e, const char *name)
{
	const bool sampled = e->attr.freq && e->rate.overflowed;

	if (!sampled || e->rate.interval <= NSEC_PER_SEC / e->attr.sample_freq)
		return;
	err("%s: %s: about %llu samples a second instead of %llu: each takes %llu us here, and "
	    "half of the time is the workload's\n",
	    command, name, (unsigned long long)(NSEC_PER_SEC / e->rate.interval),
	    (unsigned long long)e->attr.sample_freq,
	    (unsigned long long)(e->rate.interval / 2 / 1000));
}

struct rate_mark rate_mark(void)
{
	return (struct rate_mark){*pmu_stats(), trace_refused_everywhere()};
}

static void tell_sampling_interrupts(const char *command, const struct rate_mark *before)
{
	const struct pmu_stats *now = pmu_stats(), *then = &before->stats;

	out("[ perf0 %s: %llu NMIs served, %llu late, %llu spurious; %llu ticks, %llu wakeups; "
	    "%llu hits inside of another refused ]\n",
	    command, (unsigned long long)(now->nmis - then->nmis),
	    (unsigned long long)(now->late_nmis - then->late_nmis),
	    (unsigned long long)(now->spurious_nmis - then->spurious_nmis),
	    (unsigned long long)(now->ticks - then->ticks),
	    (unsigned long long)(now->wakeups - then->wakeups),
	    (unsigned long long)(trace_refused_everywhere() - before->refused));
}

void rate_report(const char *command, const struct rate_mark *before, bool verbose)
{
	const uint64_t held = pmu_stats()->throttles - before->stats.throttles;

	if (held)
		err("%s: held %llu times, for sampling more often than %llu times a second: see "
		    "`help sysctl`\n",
		    command, (unsigned long long)held, (unsigned long long)pmu_max_sample_rate());
	if (pmu_stats()->respites != before->stats.respites)
		err("%s: a clock event's period is shorter than its interrupt takes here: the "
		    "workload would not get on, so samples are further apart, as their PERIOD says\n",
		    command);
	if (verbose)
		tell_sampling_interrupts(command, before);
}
