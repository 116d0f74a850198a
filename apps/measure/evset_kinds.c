// SPDX-License-Identifier: BSD-2-Clause
/* evset_kinds.c - see evset_kinds.h. */
#include "apps/measure/evset_kinds.h"

#include "arch/x86/smp/smp.h"
#include "lib/printf.h"
#include "lib/string.h"
#include "pmu/names/kinds.h"

#include <linux/errno.h>

#define SPECS_MOST 64

static const struct {
	uint8_t core;
	const char *pmu;
} kinds[] = {{UARCH_CORE, "cpu_core"}, {UARCH_ATOM, "cpu_atom"}};

static bool is_online(uint8_t core)
{
	for (unsigned cpu = 0; cpu < smp_ncpus(); cpu++)
		if (smp_online(cpu)->core_type == core)
			return true;
	return false;
}

/* The event is one of the counters, and names no kind of cores. */
static bool names_no_kind(const struct pmu_event_spec *spec)
{
	return kinds_is_core(&spec->attr) && !spec->core && !kinds_of(&spec->attr);
}

/* Slots and their shares: small cores have neither. */
static bool is_topdown(const struct perf_event_attr *attr)
{
	return attr->type == PERF_TYPE_RAW && ((attr->config & UARCH_EXACT) == UARCH_SLOTS ||
					       uarch_is_metric(attr->config, UARCH_METRICS_MOST));
}

/* The event belongs to `kind`: to the one that its text names, or else to each that fits. */
static bool is_of_kind(const struct pmu_event_spec *spec, unsigned kind)
{
	if (spec->core)
		return spec->core == kinds[kind].core;
	if (kind && spec->by_name)
		return spec->is_beside;
	return !kind || (names_no_kind(spec) && !is_topdown(&spec->attr));
}

/* "cycles:u" as "cpu_core/cycles/u"; a name that finds no room stays. */
static void name_kind(struct pmu_event_spec *spec, const char *pmu)
{
	char name[PMU_SPEC_NAME_MAX];
	const char *base = spec->name, *terms = strchr(base, '/'), *end;
	int n;

	if (terms && !strncmp(base, "cpu/", 4)) {
		n = fmt_print(name, sizeof(name), "%s%s", pmu, terms);
	} else if (terms) {
		n = fmt_print(name, sizeof(name), "%s/%.*s,%s", pmu, (int)(terms - base), base,
			      terms + 1);
	} else {
		end = strchr(base, ':');
		n = fmt_print(name, sizeof(name), "%s/%.*s/%s", pmu,
			      (int)(end ? (size_t)(end - base) : strlen(base)), base,
			      end ? end + 1 : "");
	}
	if (n < (int)sizeof(name))
		memcpy(spec->name, name, (size_t)n + 1);
}

struct split {
	const struct pmu_event_spec *from;
	struct pmu_event_spec *to;
	unsigned n, most;
	int groups;
};

static bool put_spec(struct split *s, const struct pmu_event_spec *spec, unsigned kind, int group)
{
	struct pmu_event_spec *to = &s->to[s->n];

	if (s->n == s->most)
		return false;
	*to = *spec;
	to->group = group;
	if (names_no_kind(spec)) {
		to->core = kinds[kind].core;
		if (kind && spec->by_name) {
			to->attr.config = spec->beside_config;
			to->attr.config1 = spec->beside_config1;
		}
		to->of_each = true;
		kinds_set(&to->attr, to->core);
		name_kind(to, kinds[kind].pmu);
	}
	s->n++;
	return true;
}

/* Events [at, end) are a group, or a single event. Events of other PMUs go with the first kind, and
 * events that name a kind go with that one. */
static bool put_group(struct split *s, unsigned at, unsigned end)
{
	const bool grouped = s->from[at].group != PMU_NO_GROUP;

	for (unsigned kind = 0; kind < 2; kind++) {
		const unsigned before = s->n;

		for (unsigned i = at; i < end; i++) {
			const int group = grouped ? s->groups : PMU_NO_GROUP;

			if (is_of_kind(&s->from[i], kind) && !put_spec(s, &s->from[i], kind, group))
				return false;
		}
		s->groups += s->n > before;
	}
	return true;
}

int evset_kinds_split(struct pmu_event_spec *specs, unsigned n, unsigned most)
{
	static struct pmu_event_spec out[SPECS_MOST];
	struct split s = {.from = specs, .to = out, .most = most < SPECS_MOST ? most : SPECS_MOST};
	unsigned end;

	if (!is_online(UARCH_CORE) || !is_online(UARCH_ATOM))
		return (int)n;
	for (unsigned at = 0; at < n; at = end) {
		end = at + 1;
		while (specs[at].group != PMU_NO_GROUP && end < n &&
		       specs[end].group == specs[at].group)
			end++;
		if (!put_group(&s, at, end))
			return -E2BIG;
	}
	memcpy(specs, out, s.n * sizeof(*specs));
	return (int)s.n;
}
