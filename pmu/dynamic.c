// SPDX-License-Identifier: BSD-2-Clause
/* dynamic.c - see dynamic.h. */
#include "pmu/dynamic.h"

#include "pmu/bits.h"
#include "pmu/soft/step_trace.h"

#define LENGTH(rows) (sizeof(rows) / sizeof((rows)[0]))

/* As those of the PMU intel_pt: the bits are those of IA32_RTIT_CTL. */
static const struct dynamic_field step_trace_fields[] = {
	{"tsc", STEP_TRACE_TSC_BIT, 1},
	{"noretcomp", STEP_TRACE_NORETCOMP_BIT, 1},
	{"branch", STEP_TRACE_BRANCH_BIT, 1},
	{"psb_period", STEP_TRACE_PSB_SHIFT, 4},
	{.name = NULL},
};

/* As Linux has them; the bits are those of the control registers. */
static const struct dynamic_field ibs_fetch_fields[] = {
	{"rand_en", 57, 1},
	{"l3missonly", 59, 1},
	{.name = NULL},
};

static const struct dynamic_field ibs_op_fields[] = {
	{"cnt_ctl", 19, 1},
	{"l3missonly", 16, 1},
	{.name = NULL},
};

static const struct dynamic_pmu rows[] = {
	{"ibs_fetch", PMU_TYPE_IBS_FETCH, 0, ibs_fetch_fields,
	 "AMD Instruction-Based Sampling of fetches"},
	{"ibs_op", PMU_TYPE_IBS_OP, 0, ibs_op_fields, "AMD Instruction-Based Sampling of ops"},
	{"step_trace", PMU_TYPE_STEP_TRACE, STEP_TRACE_DEFAULT, step_trace_fields,
	 "Intel PT of ring 3, by single steps"},
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

static const struct dynamic_field *find_field(const struct dynamic_pmu *p, const struct word *word)
{
	const struct dynamic_field *f = p->fields;

	while (f->name && !word_is(word, f->name))
		f++;
	return f->name ? f : NULL;
}

static bool parse_field(struct scan *s, const struct dynamic_field *f, uint64_t *config)
{
	const uint64_t mask = bits_low(f->bits) << f->shift;
	uint64_t value = 1;

	if (!scan_take_past(s, '=') && f->bits > 1)
		return scan_fail(s, s->at, "'=' is missing after '%s'", f->name);
	if (s->at[-1] == '=') {
		scan_blanks(s);
		if (!scan_number(s, f->name, 0, bits_low(f->bits), &value))
			return false;
	}
	*config = (*config & ~mask) | value << f->shift;
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
	const struct dynamic_field *f;
	struct word word;

	scan_blanks(s);
	word = scan_word(s);
	if (!word.n)
		return scan_fail(s, s->at, "a term is missing");
	f = find_field(p, &word);
	if (f)
		return parse_field(s, f, config);
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
