// SPDX-License-Identifier: BSD-2-Clause
/* fields.c - see fields.h. What perf's options ask for: perf-record(1). */
#include "apps/measure/fields.h"

#include "lib/printf.h"
#include "lib/string.h"
#include "lib/words/number.h"
#include "rt/console/print.h"

#include <asm/perf_regs.h>
#include <stddef.h>

#define DEFAULT_STACK 8192
#define MAX_STACK     65528

static struct {
	bool callchain, data, physical, data_page, code_page, weight, raw;
	bool time, period, cpu;
	bool switches, stat, no_inherit;
	const char *how;                   /* of --call-graph; NULL: not given */
	const char *interrupted, *of_user; /* registers; "" all, NULL: none */
	uint64_t frames;                   /* 0: as many as there can be */

	/* What fields_check() reads out of these. */
	uint64_t interrupted_mask, user_mask;
	uint64_t stack; /* bytes; 0: none */
} want;

static const struct option_target targets[] = {
	{OPT_CALL_CHAINS, &want.callchain},
	{OPT_CALL_GRAPH, &want.how},
	{OPT_MAX_STACK, &want.frames},
	{OPT_DATA, &want.data},
	{OPT_PHYS_DATA, &want.physical},
	{OPT_DATA_PAGE_SIZE, &want.data_page},
	{OPT_CODE_PAGE_SIZE, &want.code_page},
	{OPT_WEIGHT, &want.weight},
	{OPT_RAW_SAMPLES, &want.raw},
	{OPT_INTR_REGS, &want.interrupted},
	{OPT_USER_REGS, &want.of_user},
	{OPT_TIMESTAMP, &want.time},
	{OPT_PERIOD, &want.period},
	{OPT_SAMPLE_CPU, &want.cpu},
	{OPT_SWITCH_EVENTS, &want.switches},
	{OPT_READ_STAT, &want.stat},
	{OPT_NO_INHERIT, &want.no_inherit},
};
const struct option_targets fields_targets = {targets, sizeof(targets) / sizeof(targets[0])};

static const char *const registers[PERF_REG_X86_64_MAX] = {
	[PERF_REG_X86_AX] = "AX",   [PERF_REG_X86_BX] = "BX",   [PERF_REG_X86_CX] = "CX",
	[PERF_REG_X86_DX] = "DX",   [PERF_REG_X86_SI] = "SI",   [PERF_REG_X86_DI] = "DI",
	[PERF_REG_X86_BP] = "BP",   [PERF_REG_X86_SP] = "SP",   [PERF_REG_X86_IP] = "IP",
	[PERF_REG_X86_CS] = "CS",   [PERF_REG_X86_SS] = "SS",   [PERF_REG_X86_FLAGS] = "FLAGS",
	[PERF_REG_X86_R8] = "R8",   [PERF_REG_X86_R9] = "R9",   [PERF_REG_X86_R10] = "R10",
	[PERF_REG_X86_R11] = "R11", [PERF_REG_X86_R12] = "R12", [PERF_REG_X86_R13] = "R13",
	[PERF_REG_X86_R14] = "R14", [PERF_REG_X86_R15] = "R15",
};

static char upper_letter(char c)
{
	return c >= 'a' && c <= 'z' ? (char)(c - 'a' + 'A') : c;
}

/* The bit of the register that the `n` characters at `name` are, in either case; 0: none. */
static uint64_t register_bit(const char *name, size_t n)
{
	for (unsigned i = 0; i < PERF_REG_X86_64_MAX; i++) {
		size_t k = 0;

		if (!registers[i])
			continue;
		while (k < n && upper_letter(name[k]) == registers[i][k])
			k++;
		if (n && k == n && !registers[i][n])
			return 1ull << i;
	}
	return 0;
}

static uint64_t all_registers(void)
{
	uint64_t mask = 0;

	for (unsigned i = 0; i < PERF_REG_X86_64_MAX; i++)
		mask |= registers[i] ? 1ull << i : 0;
	return mask;
}

static bool read_registers(const char *command, const char *option, const char *list,
			   uint64_t *mask)
{
	const char *at = list;

	*mask = list && !*list ? all_registers() : 0;
	while (at && *at) {
		size_t n = 0;
		uint64_t bit;

		while (at[n] && at[n] != ',')
			n++;
		bit = register_bit(at, n);
		if (!bit || (at[n] && !at[n + 1])) {
			err("%s: --%s: column %zu of '%s': AX, BX, CX, DX, SI, DI, BP, SP, IP, "
			    "FLAGS, CS, SS and R8 to R15 are registers\n",
			    command, option, (size_t)(at - list) + 1 + (bit ? n : 0), list);
			return false;
		}
		*mask |= bit;
		at += n + !!at[n];
	}
	return true;
}

static bool read_call_graph(const char *command)
{
	const char *how = want.how;

	want.stack = 0;
	if (!how || !strcmp(how, "none"))
		return true;
	if (!strcmp(how, "fp")) {
		want.callchain = true;
		return true;
	}
	if (strncmp(how, "dwarf", 5) || (how[5] && how[5] != ',')) {
		err("%s: --call-graph: '%s' is none of fp, dwarf, dwarf,BYTES and none\n", command,
		    how);
		return false;
	}
	want.stack = DEFAULT_STACK;
	if (!how[5])
		return true;
	if (number_parse(how + 6, &want.stack) || !want.stack || want.stack > MAX_STACK) {
		err("%s: --call-graph: '%s' is not a number of bytes from 1 to %d\n", command,
		    how + 6, MAX_STACK);
		return false;
	}
	want.stack = (want.stack + 7) & ~7ull;
	return true;
}

void fields_reset(void)
{
	memset(&want, 0, sizeof(want));
}

bool fields_check(const char *command)
{
	return read_call_graph(command) &&
	       read_registers(command, "intr-regs", want.interrupted, &want.interrupted_mask) &&
	       read_registers(command, "user-regs", want.of_user, &want.user_mask);
}

static uint64_t sample_type(void)
{
	const struct {
		bool wanted;
		uint64_t fields;
	} rows[] = {
		{want.callchain || want.stack, PERF_SAMPLE_CALLCHAIN},
		{want.stack, PERF_SAMPLE_STACK_USER},
		{want.stack || want.user_mask, PERF_SAMPLE_REGS_USER},
		{want.interrupted_mask, PERF_SAMPLE_REGS_INTR},
		{want.data, PERF_SAMPLE_ADDR | PERF_SAMPLE_DATA_SRC},
		{want.physical, PERF_SAMPLE_PHYS_ADDR},
		{want.data_page, PERF_SAMPLE_DATA_PAGE_SIZE},
		{want.code_page, PERF_SAMPLE_CODE_PAGE_SIZE},
		{want.weight, PERF_SAMPLE_WEIGHT_STRUCT},
		{want.raw, PERF_SAMPLE_RAW},
		{want.time, PERF_SAMPLE_TIME},
		{want.period, PERF_SAMPLE_PERIOD},
		{want.cpu, PERF_SAMPLE_CPU},
	};
	uint64_t type = 0;

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		type |= rows[i].wanted ? rows[i].fields : 0;
	return type;
}

static void apply_chosen_fields(struct evset_entry *e)
{
	struct perf_event_attr *attr = &e->spec.attr;

	attr->sample_type |= sample_type();
	if (want.frames)
		attr->sample_max_stack = (uint16_t)want.frames;
	attr->sample_regs_intr = want.interrupted_mask;
	attr->sample_regs_user = want.user_mask;
	if (want.stack) {
		attr->sample_regs_user = all_registers();
		attr->sample_stack_user = (uint32_t)want.stack;
		attr->exclude_callchain_user = 1;
	}
	if (want.stat) {
		attr->inherit_stat = 1;
		attr->read_format |= PERF_FORMAT_TOTAL_TIME_ENABLED |
				     PERF_FORMAT_TOTAL_TIME_RUNNING | PERF_FORMAT_ID;
	}
	attr->inherit &= !want.no_inherit && !(attr->sample_type & PERF_SAMPLE_READ);
}

static bool reads_counts(const struct evset_entry *e)
{
	return e->spec.attr.sample_type & PERF_SAMPLE_READ;
}

/* Modifier S: the leader's samples have the counts of its whole group, whose others need none. */
static void read_with_leader(struct evset_entry *e, const struct evset_entry *leader)
{
	struct perf_event_attr *attr = &e->spec.attr;

	attr->read_format |= PERF_FORMAT_GROUP;
	if (e == leader)
		return;
	attr->freq = 0;
	attr->sample_period = 0;
	attr->sample_type = leader->spec.attr.sample_type;
}

/* perf wants to know which event a count in a sample is of, in the same way from all events. */
static void apply_reads(struct evset *set)
{
	bool any = false;

	for (unsigned i = 0; i < set->n; i++)
		any |= reads_counts(&set->entry[i]);
	for (unsigned i = 0; any && i < set->n; i++) {
		const struct evset_entry *leader = &set->entry[evset_leader(set, i)];

		set->entry[i].spec.attr.read_format |= PERF_FORMAT_ID;
		if (reads_counts(leader))
			read_with_leader(&set->entry[i], leader);
	}
}

/* What is 0 where an event cannot give it. PERF_SAMPLE_DATA_SRC says by itself that it is not
 * available. */
static const struct {
	uint64_t field;
	const char *name;
} zeros[] = {
	{PERF_SAMPLE_ADDR, "data address"},
	{PERF_SAMPLE_PHYS_ADDR, "physical address"},
	{PERF_SAMPLE_DATA_PAGE_SIZE, "data page size"},
	{PERF_SAMPLE_WEIGHT_TYPE, "weight"},
	{PERF_SAMPLE_RAW, "raw data"},
};

void fields_tell_zeros(const char *command, const struct pmu_event *e, const char *name)
{
	const uint64_t missing = pmu_event_missing(e);
	char list[96] = "";
	size_t n = 0;

	for (size_t i = 0; i < sizeof(zeros) / sizeof(zeros[0]); i++)
		if (missing & zeros[i].field)
			n += (size_t)fmt_print(list + n, sizeof(list) - n, "%s%s", n ? ", " : "",
					       zeros[i].name);
	if (n)
		err("%s: %s cannot give this: %s; the zeros in its place are not measured\n",
		    command, name, list);
}

void fields_side_band(struct perf_event_attr *attr)
{
	attr->context_switch = want.switches;
	attr->mmap_data = want.data;
}

void fields_apply(struct evset *set)
{
	for (unsigned i = 0; i < set->n; i++)
		apply_chosen_fields(&set->entry[i]);
	apply_reads(set);
}
