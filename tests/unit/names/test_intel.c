// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_intel.c - all of Intel's published names in the event parser. Two independent sources have
 * the encodings: tests/unit/names/intel.digest, made from the published files by code that shares
 * nothing with the table's, and libpfm4.
 */
#include "pmu/names/intel_names.h"
#include "tests/unit/names/parsed.h"

#include <ctype.h>
#include <inttypes.h>
#include <perfmon/pfmlib_perf_event.h>

#define NAME_ROOM 128

static uint64_t hash_text(const char *text)
{
	uint64_t hash = 0xcbf29ce484222325;

	for (; *text; text++)
		hash = (hash ^ (uint8_t)*text) * 0x100000001b3;
	return hash;
}

/* Returns the only event that the parser makes of `name`. */
static const struct perf_event_attr *parse_one(const struct uarch *uarch, const char *name)
{
	const struct pmu_namer namer = {.uarch = uarch};

	if (pmu_parse_events_named(name, &namer, specs, MAX, &err) != 1)
		fail_msg("%s: %s: %s", uarch->name, name, err.text);
	assert_int_equal(specs[0].attr.type, RAW);
	return &specs[0].attr;
}

/* Writes a name as other tools do: LIKWID in capitals with underscores, libpfm4 with a colon. */
static void check_spellings(const struct uarch *uarch, const struct intel_event *event)
{
	char spelled[NAME_ROOM];
	const char marks[] = "_:";

	for (unsigned mark = 0; mark < 2; mark++) {
		snprintf(spelled, sizeof(spelled), "%s", event->name);
		for (char *c = spelled; *c; c++)
			*c = strchr(".:=", *c) ? marks[mark] : (char)toupper((unsigned char)*c);
		if (strncmp(spelled, "R", 1) || !strchr("0123456789", spelled[1]))
			assert_true(parse_one(uarch, spelled)->config == event->config);
	}
}

static uint64_t hash_event(const struct uarch *uarch, const struct intel_event *event)
{
	const struct perf_event_attr *attr;
	char name[NAME_ROOM], text[NAME_ROOM + 64];

	snprintf(name, sizeof(name), "%s", event->name);
	for (char *c = name; *c; c++)
		*c = (char)tolower((unsigned char)*c);
	attr = parse_one(uarch, name);
	snprintf(text, sizeof(text), "%s %" PRIx64 " %" PRIx64, name, (uint64_t)attr->config,
		 (uint64_t)attr->config1);
	return hash_text(text);
}

static void check_digest(const char *name, unsigned n, uint64_t sum)
{
	const struct uarch *uarch = uarch_by_name(name);
	struct intel_walk walk;
	struct intel_event event;

	assert_non_null(uarch);
	intel_begin(&walk, uarch);
	for (; intel_next(&walk, &event); n--) {
		sum -= hash_event(uarch, &event);
		if (n % 8 == 0)
			check_spellings(uarch, &event);
	}
	if (n || sum)
		fail_msg("%s: %d names are missing, or an encoding is wrong", name, (int)n);
}

TEST(test_all_names)
{
	FILE *file = fopen("tests/unit/names/intel.digest", "r");
	char line[256], uarch[64];
	unsigned n, lines = 0;
	uint64_t sum;

	assert_non_null(file);
	while (fgets(line, sizeof(line), file)) {
		if (*line == '#')
			continue;
		assert_int_equal(sscanf(line, "%63s %*s %u %" SCNx64, uarch, &n, &sum), 3);
		check_digest(uarch, n, sum);
		lines++;
	}
	fclose(file);
	assert_int_equal(lines, 38);
}

/* --- Compared with libpfm4 --- */

/* Gets libpfm4's encoding of Intel's name. False: it has no such name. */
static bool ask_libpfm(const struct uarch *uarch, const char *name, struct perf_event_attr *attr)
{
	pfm_perf_encode_arg_t arg = {.attr = attr, .size = sizeof(arg)};
	char full[NAME_ROOM];

	snprintf(full, sizeof(full), "%s::%s", uarch->pfm, name);
	*attr = (struct perf_event_attr){.size = sizeof(*attr)};
	return pfm_get_os_event_encoding(full, PFM_PLM0 | PFM_PLM3, PFM_OS_PERF_EVENT_EXT, &arg) ==
		       PFM_SUCCESS &&
	       attr->type == PERF_TYPE_RAW;
}

struct verdict {
	unsigned same, other;
};

static void compare_with_libpfm(const struct uarch *uarch, struct verdict *v)
{
	struct perf_event_attr attr;
	struct intel_walk walk;
	struct intel_event event;

	intel_begin(&walk, uarch);
	while (intel_next(&walk, &event)) {
		if (!ask_libpfm(uarch, event.name, &attr))
			continue;
		if (attr.config == event.config && attr.config1 == event.config1)
			v->same++;
		else
			v->other++;
	}
}

TEST(test_libpfm)
{
	struct verdict v = {0, 0};
	const struct uarch *uarch;

	setenv("LIBPFM_ENCODE_INACTIVE", "1", 1);
	assert_int_equal(pfm_initialize(), PFM_SUCCESS);
	for (size_t i = 0; (uarch = uarch_list(i)); i++)
		if (*uarch->pfm && uarch->vendor == CPU_VENDOR_INTEL)
			compare_with_libpfm(uarch, &v);
	/* Some names differ in libpfm4: codes of fixed counters, ports, sums of requests. A misread
	 * column of the table would give hundreds of differences. */
	if (v.same < 5000 || v.other > 150)
		fail_msg("libpfm4 encodes %u names as the table does, %u not", v.same, v.other);
}
