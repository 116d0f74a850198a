// SPDX-License-Identifier: BSD-2-Clause
/*
 * uarch_check.c - compares the tables of pmu/uarch/ with digests of Intel's event files: for each
 * event the counters with hyper-threading on and off, the extra register, and the bits in it.
 *
 * A digest is a CSV file named after the event file, with a header; used are the columns name,
 * code, umask, counter, counter_ht_off, cmask, inv, edge, any, msr_index, msr_value. Where a file
 * has two names for one event select and gives them different counters, the table can agree with
 * one only: such lines are shown, but are no failure. uarch-check builds and runs this.
 */
#include "pmu/uarch/uarch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_EVENTS 16384
#define MAX_FIELDS 24
#define MAX_LINE   1024

enum column { NAME, CODE, UMASK, ON, OFF, CMASK, INV, EDGE, ANY, MSR, VALUE, COLUMNS };
static const char *const titles[COLUMNS] = {
	"name", "code", "umask", "counter",   "counter_ht_off", "cmask",
	"inv",  "edge", "any",   "msr_index", "msr_value"};

struct event {
	char name[128];
	uint64_t select;
	uint64_t counters[2]; /* with hyper-threading off, on */
	char msr[32];
	uint64_t value;
};

static struct event events[MAX_EVENTS];
static size_t nevents;

/* Cuts a line into its fields, in place; "..." keeps its commas. */
static size_t split(char *line, char **field)
{
	size_t n = 0;
	char *out = line;
	bool quoted = false;

	field[n++] = line;
	for (char *c = line; *c && *c != '\n' && *c != '\r'; c++) {
		if (*c == '"') {
			quoted = !quoted;
		} else if (*c == ',' && !quoted) {
			*out++ = '\0';
			if (n < MAX_FIELDS)
				field[n++] = out;
		} else {
			*out++ = *c;
		}
	}
	*out = '\0';
	return n;
}

/* "0,1,2,3", "Fixedcounter1" or "" to a mask. */
static uint64_t listed_counters(const char *text)
{
	uint64_t mask = 0;

	if (!strncmp(text, "Fixedcounter", 12))
		return UARCH_FIXED(strtoul(text + 12, NULL, 10));
	for (char *end; *text; text = *end == ',' ? end + 1 : end) {
		mask |= 1ull << strtoul(text, &end, 10);
		if (end == text)
			break;
	}
	return mask;
}

static bool is_set(const char *text)
{
	return strtoul(text, NULL, 0) != 0;
}

static void add_file_event(char *const *field, const unsigned *at, uint64_t code, uint64_t umask)
{
	struct event *e = &events[nevents];
	const char *off = *field[at[OFF]] ? field[at[OFF]] : field[at[ON]];

	if (nevents == MAX_EVENTS)
		return;
	nevents++;
	*e = (struct event){
		.select = UARCH_SELECT(code, umask) |
			  UARCH_CMASK(strtoul(field[at[CMASK]], NULL, 0)) |
			  (is_set(field[at[INV]]) ? EVTSEL_INV : 0) |
			  (is_set(field[at[EDGE]]) ? EVTSEL_EDGE : 0) |
			  (is_set(field[at[ANY]]) ? EVTSEL_ANY : 0),
		.counters = {listed_counters(off), listed_counters(field[at[ON]])},
		.value = strtoull(field[at[VALUE]], NULL, 0),
	};
	snprintf(e->name, sizeof(e->name), "%s", field[at[NAME]]);
	snprintf(e->msr, sizeof(e->msr), "%s", field[at[MSR]]);
}

/* Some files count fixed counters from 1, and the oldest of them give fixed events no select. */
static void count_fixed_from_0(void)
{
	bool from_1 = false;

	for (size_t i = 0; i < nevents; i++)
		from_1 |= !strcmp(events[i].name, "INST_RETIRED.ANY") &&
			  events[i].counters[0] == UARCH_FIXED(1);
	for (size_t i = 0; from_1 && i < nevents; i++) {
		struct event *e = &events[i];

		if (e->counters[0] <= UARCH_GENERAL)
			continue;
		e->counters[0] >>= 1;
		e->counters[1] >>= 1;
		for (unsigned n = 0; !e->select && n < 3; n++)
			if (e->counters[0] == UARCH_FIXED(n))
				e->select = UARCH_SELECT(0, n + 1);
	}
}

/* The number that a list of hexadecimal numbers has at `i`; its last where it is shorter. */
static uint64_t number_at(const char *list, unsigned i)
{
	for (; i && strchr(list, ','); i--)
		list = strchr(list, ',') + 1;
	return strtoul(list, NULL, 16);
}

/*
 * Several codes, or several unit masks, are different ways to the same event, each with its own
 * register; a single register is that of one of the ways.
 */
static void add_file_row(char *const *field, const unsigned *at)
{
	const char *codes = field[at[CODE]], *umasks = field[at[UMASK]], *msrs = field[at[MSR]];
	unsigned first = 0, last = strchr(codes, ',') || strchr(umasks, ',') ? 1 : 0;

	if (last && *msrs && !strchr(msrs, ','))
		first = last = number_at(msrs, 0) == MSR_OFFCORE_RSP_1;
	for (unsigned i = first; i <= last; i++)
		add_file_event(field, at, number_at(codes, i), number_at(umasks, i));
}

static bool find_columns(char *const *field, size_t n, unsigned *at)
{
	for (int c = 0; c < COLUMNS; c++) {
		size_t i = 0;

		while (i < n && strcmp(field[i], titles[c]))
			i++;
		if (i == n)
			return false;
		at[c] = (unsigned)i;
	}
	return true;
}

static bool read_event_file(const char *path)
{
	char line[MAX_LINE], *field[MAX_FIELDS] = {0};
	unsigned at[COLUMNS];
	FILE *f = fopen(path, "r");
	bool ok = f && fgets(line, sizeof(line), f);
	size_t n;

	nevents = 0;
	ok = ok && find_columns(field, split(line, field), at);
	while (ok && fgets(line, sizeof(line), f)) {
		n = split(line, field);
		for (; n < MAX_FIELDS; n++)
			field[n] = line + strlen(line);
		add_file_row(field, at);
	}
	if (f)
		fclose(f);
	count_fixed_from_0();
	return ok && nevents < MAX_EVENTS;
}

/* The file itself gives the same select those counters under another name. */
static bool file_says(const struct event *e, bool ht_on, uint64_t counters)
{
	for (size_t i = 0; i < nevents; i++)
		if (events[i].select == e->select && events[i].counters[ht_on] == counters)
			return true;
	return false;
}

/* The fixed counters of a general event are not in the files. */
static uint64_t table_says(const struct uarch *u, const struct event *e, bool ht_on)
{
	uint64_t counters = uarch_counters(u, e->select) & uarch_machine_counters(u, ht_on);

	return counters & UARCH_GENERAL ? counters & UARCH_GENERAL : counters;
}

static size_t compare_counters(const struct uarch *u, const struct event *e)
{
	size_t bad = 0;

	for (int ht_on = 0; ht_on < 2; ht_on++) {
		uint64_t says = table_says(u, e, ht_on);
		bool both = file_says(e, ht_on, says);

		if (says == e->counters[ht_on])
			continue;
		bad += !both;
		printf("%s: %s (0x%06llx): counters 0x%llx with HT %s, the table has 0x%llx%s\n",
		       u->name, e->name, (unsigned long long)e->select,
		       (unsigned long long)e->counters[ht_on], ht_on ? "on" : "off",
		       (unsigned long long)says, both ? " (as the file, by another name)" : "");
	}
	return bad;
}

static bool names_msr(const char *list, uint32_t msr)
{
	for (char *end; *list; list = end + strspn(end, ", ")) {
		if (strtoul(list, &end, 16) == msr)
			return true;
		if (end == list)
			break;
	}
	return false;
}

static size_t check_register(const struct uarch *u, const struct event *e)
{
	const struct uarch_extra *x = uarch_extra(u, e->select);

	if (!*e->msr)
		return 0;
	if (x && names_msr(e->msr, x->msr) && !(e->value & ~x->valid))
		return 0;
	printf("%s: %s (0x%06llx): needs 0x%llx in MSR %s, the table has %s0x%x, bits 0x%llx\n",
	       u->name, e->name, (unsigned long long)e->select, (unsigned long long)e->value,
	       e->msr, x ? "MSR " : "none, ", x ? x->msr : 0, x ? (unsigned long long)x->valid : 0);
	return 1;
}

static size_t check_event_file(const char *path)
{
	const char *base = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
	char name[64];
	const struct uarch *u;
	size_t bad = 0;

	snprintf(name, sizeof(name), "%.*s", (int)strcspn(base, "."), base);
	u = uarch_by_name(name);
	if (!u) {
		printf("%s: no microarchitecture has that name\n", name);
		return 1;
	}
	if (!read_event_file(path)) {
		printf("%s: not a digest of an event file\n", path);
		return 1;
	}
	for (size_t i = 0; i < nevents; i++)
		bad += compare_counters(u, &events[i]) + check_register(u, &events[i]);
	printf("%s: %zu events of %s, %zu differences\n", name, nevents, u->name, bad);
	return bad;
}

int main(int argc, char **argv)
{
	size_t bad = 0;

	for (int i = 1; i < argc; i++)
		bad += check_event_file(argv[i]);
	return bad != 0;
}
