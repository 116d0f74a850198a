// SPDX-License-Identifier: BSD-2-Clause
/* sysfs.c - see sysfs.h. */
#include "pmu/names/sysfs.h"

#include "lib/bits.h"
#include "lib/printf.h"
#include "lib/string.h"
#include "pmu/names/parse.h"
#include "pmu/names/terms.h"

/* --- Fields --- */

/* Writes "config:0-7,32-35" for the runs of bits of `mask`. */
static void print_bits(struct sysfs_file *file, const char *word, uint64_t mask)
{
	const char *before = ":";
	int n = fmt_print(file->text, sizeof(file->text), "%s", word);

	while (mask) {
		const unsigned first = bits_first(mask);
		const uint64_t from_there = mask >> first;
		const unsigned bits = ~from_there ? bits_first(~from_there) : 64 - first;

		n += fmt_print(file->text + n, sizeof(file->text) - (size_t)n, "%s%u", before,
			       first);
		if (bits > 1)
			n += fmt_print(file->text + n, sizeof(file->text) - (size_t)n, "-%u",
				       first + bits - 1);
		before = ",";
		mask &= ~(bits_low(bits) << first);
	}
}

static void print_name(struct sysfs_file *file, const char *name)
{
	fmt_print(file->name, sizeof(file->name), "%s", name);
}

static bool needs_register(const struct uarch *uarch, unsigned reg)
{
	const struct uarch_extra *extra;

	for (size_t i = 0; (extra = uarch_extra_row(uarch, i)); i++)
		if (extra->reg == reg && extra->msr && extra->match != 1)
			return true;
	return false;
}

/* The bits of the field that this PMU has; 0: none. */
static uint64_t field_mask(const struct sysfs_core *core, const struct terms_field *field)
{
	if (!field->beside)
		return field->mask & core->select_bits;
	return needs_register(core->uarch, field->reg) ? field->mask : 0;
}

bool sysfs_core_format(const struct sysfs_core *core, size_t i, struct sysfs_file *file)
{
	struct terms_field field;

	for (size_t term = 0; terms_field(term, &field); term++) {
		const uint64_t mask = field_mask(core, &field);

		if (!mask || i--)
			continue;
		print_name(file, field.name);
		print_bits(file, field.beside ? "config1" : "config", mask);
		return true;
	}
	return false;
}

static uint64_t dynamic_mask(const struct dynamic_field *f)
{
	return bits_low(f->bits) << f->shift | bits_low(f->more_bits) << f->more_shift;
}

bool sysfs_format(const struct dynamic_pmu *pmu, size_t i, struct sysfs_file *file)
{
	const struct dynamic_field *f = pmu->fields;

	while (f->name && i--)
		f++;
	if (!f->name)
		return false;
	print_name(file, f->name);
	print_bits(file, f->beside ? "config1" : "config", dynamic_mask(f));
	return true;
}

/* --- Events --- */

static int print_term(struct sysfs_file *file, int n, const char *name, uint64_t value)
{
	const char *comma = n ? "," : "";

	return n + fmt_print(file->text + n, sizeof(file->text) - (size_t)n, "%s%s=0x%02llx", comma,
			     name, (unsigned long long)value);
}

static int print_flag(struct sysfs_file *file, int n, const char *name)
{
	return n + fmt_print(file->text + n, sizeof(file->text) - (size_t)n, ",%s", name);
}

/* Writes the event select, field by field, without zero fields except the event. */
static int print_select(struct sysfs_file *file, const struct uarch *uarch, uint64_t select)
{
	const bool amd = uarch->vendor == CPU_VENDOR_AMD;
	const uint64_t high = amd ? (select & EVTSEL_AMD_EVENT_HI) >> 24 : 0;
	int n = print_term(file, 0, "event", (select & EVTSEL_EVENT) | high);

	if (select & EVTSEL_UMASK)
		n = print_term(file, n, "umask", (select & EVTSEL_UMASK) >> 8);
	if (select & EVTSEL_EDGE)
		n = print_flag(file, n, "edge");
	if (select & EVTSEL_INV)
		n = print_flag(file, n, "inv");
	if (select & EVTSEL_CMASK)
		n = print_term(file, n, "cmask", (select & EVTSEL_CMASK) >> 24);
	return n;
}

static bool print_memory(const struct sysfs_core *core, size_t i, struct sysfs_file *file)
{
	const struct uarch_named *m = uarch_named_event(core->uarch, i);
	int n;

	if (!m)
		return false;
	print_name(file, m->name);
	n = print_select(file, core->uarch, m->select);
	if (m->config1)
		fmt_print(file->text + n, sizeof(file->text) - (size_t)n, ",ldlat=%llu",
			  (unsigned long long)m->config1);
	file->type = PERF_TYPE_RAW;
	file->config = m->select;
	return true;
}

/* Generic events have their main names: perf knows their aliases. */
bool sysfs_core_event(const struct sysfs_core *core, size_t i, struct sysfs_file *file)
{
	const struct pmu_event_name *e;

	for (size_t row = 0; (e = pmu_event_names(row)); row++) {
		const uint64_t select =
			e->type == PERF_TYPE_HARDWARE ? uarch_generic(core->uarch, e->config) : 0;

		if (!select || i--)
			continue;
		print_name(file, e->name);
		print_select(file, core->uarch, select);
		file->type = e->type;
		file->config = e->config;
		return true;
	}
	return print_memory(core, i, file);
}

/* The files of one event: its terms and, if counts have a unit, the unit and the factor. */
enum event_file { EVENT_TERMS, EVENT_SCALE, EVENT_UNIT, EVENT_FILES };

#define FRACTION_MOST 64

/* Writes 2^-n in decimal: 5^n with n digits behind the point, n from 1 to FRACTION_MOST. */
static void print_fraction(char *text, size_t size, unsigned n)
{
	char digits[FRACTION_MOST + 1] = {0};

	for (unsigned i = 0; i < n; i++)
		digits[i] = i + 1 < n ? '0' : '1';
	for (unsigned times = 0; times < n; times++) {
		unsigned carry = 0;

		for (unsigned i = n; i-- > 0; carry /= 10) {
			carry += (unsigned)(digits[i] - '0') * 5;
			digits[i] = (char)('0' + carry % 10);
		}
	}
	fmt_print(text, size, "0.%s", digits);
}

static void print_event_file(const struct dynamic_pmu *pmu, const struct dynamic_event *e,
			     enum event_file which, struct sysfs_file *file)
{
	static const char *const endings[] = {"", ".scale", ".unit"};
	const struct dynamic_field *f = pmu->fields;
	int n = 0;

	fmt_print(file->name, sizeof(file->name), "%s%s", e->name, endings[which]);
	file->type = pmu->type;
	file->config = pmu->config | e->config;
	if (which == EVENT_UNIT) {
		fmt_print(file->text, sizeof(file->text), "%s", pmu->unit);
		return;
	}
	if (which == EVENT_SCALE) {
		print_fraction(file->text, sizeof(file->text), pmu->fraction);
		return;
	}
	for (; f->name; f++) {
		const uint64_t value = e->config >> f->shift & bits_low(f->bits);

		if (value || !n)
			n = print_term(file, n, f->name, value);
	}
}

bool sysfs_event(const struct dynamic_pmu *pmu, size_t i, struct sysfs_file *file)
{
	const size_t files = pmu->unit ? EVENT_FILES : 1;
	const struct dynamic_event *e = pmu->events;

	for (; e && e->name && i >= files; i -= files)
		e++;
	if (!e || !e->name)
		return false;
	print_event_file(pmu, e, (enum event_file)i, file);
	return true;
}
