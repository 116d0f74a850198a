// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_libpfm_names.c - events of libpfm4 where the host's kernel has no perf: libpfm4 encodes no
 * event for perf_event_open() there. Where it does, the tool's encodings are the same.
 */
#include <dlfcn.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "tests/unit/test.h"

#include "pmu/uarch/uarch.h"
#include "tools/events/events.h"

/* Behind Linux's <perf_event.h>, of which libpfm4 has its own. */
#include <perfmon/pfmlib_perf_event.h>

static bool has_perf;

typedef pfm_err_t encode_fn(const char *name, int levels, pfm_os_t os, void *arg);

static pfm_err_t ask_library(const char *name, int levels, pfm_os_t os, void *arg)
{
	encode_fn *const ask = (encode_fn *)dlsym(RTLD_NEXT, "pfm_get_os_event_encoding");

	return ask(name, levels, os, arg);
}

/* In place of libpfm4's own, as the tool calls it. */
pfm_err_t pfm_get_os_event_encoding(const char *name, int levels, pfm_os_t os, void *arg)
{
	return os != PFM_OS_NONE && !has_perf ? PFM_ERR_NOTSUPP
					      : ask_library(name, levels, os, arg);
}

static struct guest_uarch guest;
static struct reason why;

static int find_by_tool(const char *name, struct perf_event_attr *attr)
{
	size_t taken;

	return events_find(name, &guest, attr, &taken, &why);
}

TEST(test_names_need_no_perf_in_the_kernel)
{
	struct perf_event_attr attr;

	has_perf = false;
	guest = guest_of(uarch_by_name("skx"));
	assert_int_equal(find_by_tool("skx::UNHALTED_CORE_CYCLES", &attr), 0);
	assert_int_equal(attr.config, 0x3c);
	assert_int_equal(find_by_tool("nothing_of_this_name", &attr), -ENOENT);
}

/* Compares an event of libpfm4, whose `name` has a PMU in front. */
static unsigned differs(const char *name)
{
	struct perf_event_attr ours, theirs = {.size = sizeof(theirs)};
	pfm_perf_encode_arg_t arg = {.attr = &theirs, .size = sizeof(arg)};
	const bool found = !find_by_tool(name, &ours);

	if (ask_library(name, PFM_PLM0 | PFM_PLM3, PFM_OS_PERF_EVENT_EXT, &arg))
		return 0; /* the tool refuses it, or searches in other tables */
	if (found && ours.type == theirs.type && ours.config == theirs.config &&
	    ours.config1 == theirs.config1 && ours.exclude_user == theirs.exclude_user &&
	    ours.exclude_kernel == theirs.exclude_kernel)
		return 0;
	printf("%s: %llx %llx, for perf %llx %llx\n", name, (unsigned long long)ours.config,
	       (unsigned long long)ours.config1, (unsigned long long)theirs.config,
	       (unsigned long long)theirs.config1);
	return 1;
}

static unsigned compare_pmu(const char *pmu, unsigned *compared)
{
	unsigned others = 0;
	pfm_pmu_info_t info = {.size = sizeof(info)};
	pfm_event_info_t event = {.size = sizeof(event)};
	char name[256];
	int id;

	pfm_for_all_pmus(id)
	{
		info.size = sizeof(info);
		if (pfm_get_pmu_info((pfm_pmu_t)id, &info) || strcmp(info.name, pmu))
			continue;
		for (int i = info.first_event; i != -1; i = pfm_get_event_next(i)) {
			if (pfm_get_event_info(i, PFM_OS_NONE, &event))
				continue;
			snprintf(name, sizeof(name), "%s::%s", pmu, event.name);
			others += differs(name);
			snprintf(name, sizeof(name), "%s::%s:c=2:i", pmu, event.name);
			others += differs(name);
			*compared += 2;
		}
	}
	return others;
}

TEST(test_encodings_are_those_for_perf)
{
	static const char *const names[] = {"snb", "hsw", "skx", "icl", "spr", "zen2", "zen4"};
	struct perf_event_attr attr;
	pfm_perf_encode_arg_t arg = {.attr = &attr, .size = sizeof(arg)};
	unsigned compared = 0;

	has_perf = true;
	assert_int_equal(events_init(&why), 0);
	if (ask_library("skx::UNHALTED_CORE_CYCLES", PFM_PLM3, PFM_OS_PERF_EVENT_EXT, &arg)) {
		printf("skip - test_libpfm_names: encodings for perf: libpfm4 has none here\n");
		return;
	}
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		guest = guest_of(uarch_by_name(names[i]));
		assert_int_equal(compare_pmu(guest.pfm, &compared), 0);
	}
	assert_true(compared > 500);
}
