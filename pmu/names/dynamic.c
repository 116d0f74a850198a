// SPDX-License-Identifier: BSD-2-Clause
/* dynamic.c - see dynamic.h. */
#include "pmu/names/dynamic.h"

#include "lib/string.h"
#include "lib/bits.h"
#include "pmu/names/step_trace.h"

#define FIELD(name, shift, bits)                      \
	{                                             \
		(name), (shift), (bits), 0, 0, false, \
	}
#define LENGTH(rows) (sizeof(rows) / sizeof((rows)[0]))

/* The fields of the PMU intel_pt; the bits are those of IA32_RTIT_CTL. */
static const struct dynamic_field step_trace_fields[] = {
	FIELD("tsc", STEP_TRACE_TSC_BIT, 1),
	FIELD("noretcomp", STEP_TRACE_NORETCOMP_BIT, 1),
	FIELD("branch", STEP_TRACE_BRANCH_BIT, 1),
	FIELD("psb_period", STEP_TRACE_PSB_SHIFT, 4),
	{.name = NULL},
};

/* Linux's fields; the bits are those of the control registers. */
static const struct dynamic_field ibs_fetch_fields[] = {
	FIELD("rand_en", 57, 1),
	FIELD("l3missonly", 59, 1),
	{.name = NULL},
};

static const struct dynamic_field ibs_op_fields[] = {
	FIELD("cnt_ctl", 19, 1),
	FIELD("l3missonly", 16, 1),
	{"ldlat", 0, 12, 0, 0, true},
	{.name = NULL},
};

static const struct dynamic_field msr_fields[] = {
	FIELD("event", 0, 64),
	{.name = NULL},
};

#define MSR_TSC 0

static const struct dynamic_event msr_events[] = {
	{"tsc", MSR_TSC}, {"aperf", 1},  {"mperf", 2},   {"smi", 4},
	{"ptsc", 5},      {"irperf", 6}, {.name = NULL},
};

static const struct dynamic_field power_fields[] = {
	FIELD("event", 0, 8),
	{.name = NULL},
};

static const struct dynamic_event power_events[] = {
	{"energy-cores", 1}, {"energy-pkg", 2},  {"energy-ram", 3},
	{"energy-gpu", 4},   {"energy-psys", 5}, {.name = NULL},
};

/* The upper bits of an event's number depend on the generation; these are PerfMonV2's. */
static const struct dynamic_field df_fields[] = {
	{"event", 0, 8, 32, 6, false},
	{"umask", 8, 8, 24, 4, false},
	{.name = NULL},
};

/* Up to family 18h slicemask and eight bits of threadmask, then the other fields. */
static const struct dynamic_field l3_fields[] = {
	FIELD("event", 0, 8),        FIELD("umask", 8, 8),       FIELD("coreid", 42, 3),
	FIELD("enallslices", 46, 1), FIELD("enallcores", 47, 1), FIELD("sliceid", 48, 3),
	FIELD("slicemask", 48, 4),   FIELD("threadmask", 56, 8), {.name = NULL},
};

static const struct dynamic_event l3_events[] = {
	{"l3_lookup_state.all_coherent_accesses_to_l3", 0xff04},
	{"l3_lookup_state.l3_miss", 0x0104},
	{"l3_lookup_state.l3_hit", 0xfe04},
	{.name = NULL},
};

static const struct dynamic_field cha_fields[] = {
	FIELD("event", 0, 8), FIELD("umask", 8, 8),   FIELD("edge", 18, 1), FIELD("tid_en", 19, 1),
	FIELD("inv", 23, 1),  FIELD("thresh", 24, 8), {.name = NULL},
};

static const struct dynamic_field ubox_fields[] = {
	FIELD("event", 0, 8), FIELD("umask", 8, 8),   FIELD("edge", 18, 1),
	FIELD("inv", 23, 1),  FIELD("thresh", 24, 5), {.name = NULL},
};

static const struct dynamic_event cha_events[] = {
	{"unc_cha_clockticks", 0x0000},
	{"unc_cha_tor_inserts.ia", 0x3135},
	{"unc_cha_tor_inserts.ia_hit", 0x1135},
	{"unc_cha_tor_inserts.ia_miss", 0x2135},
	{.name = NULL},
};

static const struct dynamic_event ubox_events[] = {
	{"unc_u_clockticks", 0xff},
	{.name = NULL},
};

#define CHA(n)                                                                          \
	{                                                                               \
		.name = "uncore_cha_" #n, .type = PMU_TYPE_UNCORE_CHA_0 + (n),          \
		.fields = cha_fields, .what = "Kernel PMU event", .events = cha_events, \
		.uarchs = "skylakex", .scope = DYNAMIC_PACKAGE                          \
	}

#define ZEN "zen1 zen2 zen3 zen4 zen5"
#define IBS "fam10h fam15h fam16h generic " ZEN /* from family 10h on */

static const struct dynamic_pmu rows[] = {
	{.name = "ibs_fetch",
	 .type = PMU_TYPE_IBS_FETCH,
	 .fields = ibs_fetch_fields,
	 .what = "AMD Instruction-Based Sampling of fetches",
	 .uarchs = IBS},
	{.name = "ibs_op",
	 .type = PMU_TYPE_IBS_OP,
	 .fields = ibs_op_fields,
	 .what = "AMD Instruction-Based Sampling of ops",
	 .uarchs = IBS},
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
	 .fraction = 32,
	 .scope = DYNAMIC_PACKAGE},
	{.name = "amd_df",
	 .type = PMU_TYPE_AMD_DF,
	 .fields = df_fields,
	 .what = "AMD data fabric",
	 .uarchs = ZEN,
	 .scope = DYNAMIC_PACKAGE},
	{.name = "amd_l3",
	 .type = PMU_TYPE_AMD_L3,
	 .fields = l3_fields,
	 .what = "Kernel PMU event",
	 .events = l3_events,
	 .uarchs = ZEN,
	 .scope = DYNAMIC_L3},
	{.name = "uncore_ubox",
	 .type = PMU_TYPE_UNCORE_UBOX,
	 .fields = ubox_fields,
	 .what = "Kernel PMU event",
	 .events = ubox_events,
	 .uarchs = "skylakex",
	 .scope = DYNAMIC_PACKAGE},
	CHA(0),
	CHA(1),
	CHA(2),
	CHA(3),
	CHA(4),
	CHA(5),
	CHA(6),
	CHA(7),
	CHA(8),
	CHA(9),
	CHA(10),
	CHA(11),
	CHA(12),
	CHA(13),
	CHA(14),
	CHA(15),
	CHA(16),
	CHA(17),
	CHA(18),
	CHA(19),
	CHA(20),
	CHA(21),
	CHA(22),
	CHA(23),
	CHA(24),
	CHA(25),
	CHA(26),
	CHA(27),
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

bool dynamic_pmu_is_of(const struct dynamic_pmu *p, const char *uarch)
{
	const size_t n = strlen(uarch);

	if (!p->uarchs)
		return true;
	for (const char *at = p->uarchs; (at = strstr(at, uarch)); at += n)
		if ((at == p->uarchs || at[-1] == ' ') && (!at[n] || at[n] == ' '))
			return true;
	return false;
}

/* Guests have the TSC and single steps, which are no PMU of the host. */
bool dynamic_pmu_in_kvm(const struct dynamic_pmu *p, uint64_t config)
{
	return p->type == PMU_TYPE_STEP_TRACE || (p->type == PMU_TYPE_MSR && config == MSR_TSC);
}

const char *dynamic_scope_name(uint8_t scope)
{
	static const char *const names[] = {
		[DYNAMIC_CPU] = "a CPU",
		[DYNAMIC_PACKAGE] = "a package",
		[DYNAMIC_L3] = "an L3",
	};

	return names[scope];
}

static const struct dynamic_event *find_dynamic_event(const struct dynamic_pmu *p,
						      const struct word *word)
{
	const struct dynamic_event *e = p->events;

	while (e && e->name && !word_is(word, e->name))
		e++;
	return e && e->name ? e : NULL;
}

static const struct dynamic_field *find_dynamic_field(const struct dynamic_pmu *p,
						      const struct word *word)
{
	const struct dynamic_field *f = p->fields;

	while (f->name && !word_is(word, f->name))
		f++;
	return f->name ? f : NULL;
}

static bool parse_dynamic_field(struct scan *s, const struct dynamic_field *f,
				struct perf_event_attr *attr)
{
	const uint64_t low = bits_low(f->bits), high = bits_low(f->more_bits);
	uint64_t value = 1, clear, set;

	if (!scan_take_past(s, '=') && f->bits > 1)
		return scan_fail(s, s->at, "'=' is missing after '%s'", f->name);
	if (s->at[-1] == '=') {
		scan_blanks(s);
		if (!scan_number(s, f->name, 0, bits_low(f->bits + f->more_bits), &value))
			return false;
	}
	set = (value & low) << f->shift;
	if (f->more_bits)
		set |= value >> f->bits << f->more_shift;
	clear = low << f->shift | high << f->more_shift;
	if (f->beside)
		attr->config1 = (attr->config1 & ~clear) | set;
	else
		attr->config = (attr->config & ~clear) | set;
	return true;
}

static bool parse_config(struct scan *s, struct perf_event_attr *attr)
{
	uint64_t value;

	if (!scan_take_past(s, '='))
		return scan_fail(s, s->at, "'=' is missing after 'config'");
	scan_blanks(s);
	if (!scan_number(s, "config", 0, UINT64_MAX, &value))
		return false;
	attr->config = value;
	return true;
}

static bool parse_dynamic_term(struct scan *s, const struct dynamic_pmu *p,
			       struct perf_event_attr *attr)
{
	const struct dynamic_event *e;
	const struct dynamic_field *f;
	struct word word;

	scan_blanks(s);
	word = scan_word(s);
	if (!word.n)
		return scan_fail(s, s->at, "a term is missing");
	f = find_dynamic_field(p, &word);
	if (f)
		return parse_dynamic_field(s, f, attr);
	e = find_dynamic_event(p, &word);
	if (e) {
		attr->config |= e->config;
		return true;
	}
	if (word_is(&word, "config"))
		return parse_config(s, attr);
	return scan_fail(s, word.start, "there is no term '%.*s' of PMU %s", (int)word.n,
			 word.start, p->name);
}

bool dynamic_parse(struct scan *s, const struct dynamic_pmu *p, struct perf_event_attr *attr)
{
	attr->type = p->type;
	attr->config = p->config;
	scan_blanks(s);
	if (*s->at != '/') {
		do {
			if (!parse_dynamic_term(s, p, attr))
				return false;
		} while (scan_take_past(s, ','));
		scan_blanks(s);
	}
	if (!scan_take(s, '/'))
		return scan_fail(s, s->at, "',' or '/' is missing after a term");
	return true;
}
