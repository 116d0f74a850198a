// SPDX-License-Identifier: BSD-2-Clause
/* dynamic.c - see dynamic.h. */
#include "pmu/dynamic.h"

#include "pmu/bits.h"
#include "pmu/soft/step_trace.h"

#define FIELD(name, shift, bits)               \
	{                                      \
		(name), (shift), (bits), 0, 0, \
	}
#define LENGTH(rows) (sizeof(rows) / sizeof((rows)[0]))

/* As those of the PMU intel_pt: the bits are those of IA32_RTIT_CTL. */
static const struct dynamic_field step_trace_fields[] = {
	FIELD("tsc", STEP_TRACE_TSC_BIT, 1),
	FIELD("noretcomp", STEP_TRACE_NORETCOMP_BIT, 1),
	FIELD("branch", STEP_TRACE_BRANCH_BIT, 1),
	FIELD("psb_period", STEP_TRACE_PSB_SHIFT, 4),
	{.name = NULL},
};

/* As Linux has them; the bits are those of the control registers. */
static const struct dynamic_field ibs_fetch_fields[] = {
	FIELD("rand_en", 57, 1),
	FIELD("l3missonly", 59, 1),
	{.name = NULL},
};

static const struct dynamic_field ibs_op_fields[] = {
	FIELD("cnt_ctl", 19, 1),
	FIELD("l3missonly", 16, 1),
	{.name = NULL},
};

static const struct dynamic_field msr_fields[] = {
	FIELD("event", 0, 64),
	{.name = NULL},
};

static const struct dynamic_event msr_events[] = {
	{"tsc", 0},  {"aperf", 1},  {"mperf", 2},   {"smi", 4},
	{"ptsc", 5}, {"irperf", 6}, {.name = NULL},
};

static const struct dynamic_field power_fields[] = {
	FIELD("event", 0, 8),
	{.name = NULL},
};

static const struct dynamic_event power_events[] = {
	{"energy-cores", 1}, {"energy-pkg", 2},  {"energy-ram", 3},
	{"energy-gpu", 4},   {"energy-psys", 5}, {.name = NULL},
};

static const struct dynamic_pmu rows[] = {
	{.name = "ibs_fetch",
	 .type = PMU_TYPE_IBS_FETCH,
	 .fields = ibs_fetch_fields,
	 .what = "AMD Instruction-Based Sampling of fetches"},
	{.name = "ibs_op",
	 .type = PMU_TYPE_IBS_OP,
	 .fields = ibs_op_fields,
	 .what = "AMD Instruction-Based Sampling of ops"},
	{.name = "step_trace",
	 .type = PMU_TYPE_STEP_TRACE,
	 .config = STEP_TRACE_DEFAULT,
	 .fields = step_trace_fields,
	 .what = "Intel PT of ring 3, by single steps"},
	{.name = "msr",
	 .type = PMU_TYPE_MSR,
	 .fields = msr_fields,
	 .what = "Kernel PMU event",
	 .events = msr_events},
	{.name = "power",
	 .type = PMU_TYPE_POWER,
	 .fields = power_fields,
	 .what = "Kernel PMU event",
	 .events = power_events,
	 .unit = "Joules",
	 .fraction = 32},
};

const struct dynamic_pmu *dynamic_pmu(size_t index)
{
	return index < LENGTH(rows) ? &rows[index] : NULL;
}

const struct dynamic_pmu *dynamic_pmu_find(const struct word *word)
{
	for (size_t i = 0; i < LENGTH(rows); i++)
		if (word_is(word, rows[i].name))
			return &rows[i];
	return NULL;
}

const struct dynamic_pmu *dynamic_pmu_of(uint32_t type)
{
	for (size_t i = 0; i < LENGTH(rows); i++)
		if (rows[i].type == type)
			return &rows[i];
	return NULL;
}

static const struct dynamic_event *find_event(const struct dynamic_pmu *p, const struct word *word)
{
	const struct dynamic_event *e = p->events;

	while (e && e->name && !word_is(word, e->name))
		e++;
	return e && e->name ? e : NULL;
}

static const struct dynamic_field *find_field(const struct dynamic_pmu *p, const struct word *word)
{
	const struct dynamic_field *f = p->fields;

	while (f->name && !word_is(word, f->name))
		f++;
	return f->name ? f : NULL;
}

static bool parse_field(struct scan *s, const struct dynamic_field *f, uint64_t *config)
{
	const uint64_t low = bits_low(f->bits), high = bits_low(f->more_bits);
	uint64_t value = 1;

	if (!scan_take_past(s, '=') && f->bits > 1)
		return scan_fail(s, s->at, "'=' is missing after '%s'", f->name);
	if (s->at[-1] == '=') {
		scan_blanks(s);
		if (!scan_number(s, f->name, 0, bits_low(f->bits + f->more_bits), &value))
			return false;
	}
	*config &= ~(low << f->shift | high << f->more_shift);
	*config |= (value & low) << f->shift;
	if (f->more_bits)
		*config |= value >> f->bits << f->more_shift;
	return true;
}

static bool parse_config(struct scan *s, uint64_t *config)
{
	if (!scan_take_past(s, '='))
		return scan_fail(s, s->at, "'=' is missing after 'config'");
	scan_blanks(s);
	return scan_number(s, "config", 0, UINT64_MAX, config);
}

static bool parse_term(struct scan *s, const struct dynamic_pmu *p, uint64_t *config)
{
	const struct dynamic_event *e;
	const struct dynamic_field *f;
	struct word word;

	scan_blanks(s);
	word = scan_word(s);
	if (!word.n)
		return scan_fail(s, s->at, "a term is missing");
	f = find_field(p, &word);
	if (f)
		return parse_field(s, f, config);
	e = find_event(p, &word);
	if (e) {
		*config |= e->config;
		return true;
	}
	if (word_is(&word, "config"))
		return parse_config(s, config);
	return scan_fail(s, word.start, "there is no term '%.*s' of PMU %s", (int)word.n,
			 word.start, p->name);
}

bool dynamic_parse(struct scan *s, const struct dynamic_pmu *p, struct perf_event_attr *attr)
{
	uint64_t config = p->config;

	scan_blanks(s);
	if (*s->at != '/') {
		do {
			if (!parse_term(s, p, &config))
				return false;
		} while (scan_take_past(s, ','));
		scan_blanks(s);
	}
	if (!scan_take(s, '/'))
		return scan_fail(s, s->at, "',' or '/' is missing after a term");
	attr->type = p->type;
	attr->config = config;
	return true;
}
