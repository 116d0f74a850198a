// SPDX-License-Identifier: BSD-2-Clause
/*
 * attr.c - what perf_event_attr may ask for. Everything that would be ignored is refused instead,
 * one row each.
 */
#include "pmu/core.h"

#include "lib/string.h"
#include "pmu/attr.h"
#include "pmu/reason.h"

#include <linux/errno.h>

#define LENGTH(rows) (sizeof(rows) / sizeof((rows)[0]))

struct refusal {
	uint64_t bits;
	int error;
	const char *sentence;
};

static const struct refusal flags[] = {
	{ATTR_BIT(ATTR_EXCLUDE_IDLE), EOPNOTSUPP,
	 "exclude_idle is not supported: the counters do not know the idle loop"},
	{ATTR_BIT(ATTR_EXCLUDE_HOST), EOPNOTSUPP,
	 "exclude_host (modifier G) leaves nothing to count: there are no guests"},
	{ATTR_BIT(ATTR_USE_CLOCKID), EOPNOTSUPP, "use_clockid is not supported"},
	{ATTR_BIT(ATTR_NAMESPACES), EOPNOTSUPP, "there are no namespaces to report"},
	{ATTR_BIT(ATTR_KSYMBOL), EOPNOTSUPP,
	 "there is no code of ring 0 that comes or goes, so no KSYMBOL record"},
	{ATTR_BIT(ATTR_BPF_EVENT), EOPNOTSUPP, "there is no BPF to report"},
	{ATTR_BIT(ATTR_AUX_OUTPUT), EOPNOTSUPP, "aux_output is not supported"},
	{ATTR_BIT(ATTR_CGROUP), EOPNOTSUPP, "there are no cgroups to report"},
	{ATTR_BIT(ATTR_TEXT_POKE), EOPNOTSUPP, "there is no text_poke to report"},
	{ATTR_BIT(ATTR_INHERIT_THREAD), EOPNOTSUPP, "inherit_thread is not supported"},
	{ATTR_BIT(ATTR_REMOVE_ON_EXEC), EOPNOTSUPP, "remove_on_exec is not supported"},
	{ATTR_BIT(ATTR_SIGTRAP), EOPNOTSUPP, "there are no signals, so no sigtrap"},
	{~(ATTR_BIT(ATTR_RESERVED) - 1), EINVAL, "reserved bits of perf_event_attr are set"},
};

#define READ_FORMAT_KNOWN (PERF_FORMAT_MAX - 1)

int pmu_copy_attr(struct perf_event_attr *to, const struct perf_event_attr *from,
		  struct pmu_reason *why)
{
	uint32_t size = from->size ? from->size : PERF_ATTR_SIZE_VER0;

	if (size < PERF_ATTR_SIZE_VER0 || size > sizeof(*to))
		return pmu_refuse(why, E2BIG, "attr.size %u is not between %u and %zu", size,
				  PERF_ATTR_SIZE_VER0, sizeof(*to));
	memset(to, 0, sizeof(*to));
	memcpy(to, from, size);
	to->size = sizeof(*to);
	return 0;
}

static int refuse_any(uint64_t bits, const struct refusal *rows, size_t n, struct pmu_reason *why)
{
	for (size_t i = 0; i < n; i++)
		if (bits & rows[i].bits)
			return pmu_refuse(why, rows[i].error, "%s", rows[i].sentence);
	return 0;
}

static int check_sampling(const struct perf_event_attr *attr, struct pmu_reason *why)
{
	if (!attr->freq && attr->sample_period >> 63)
		return pmu_refuse(why, EINVAL, "a sample period is at most 2^63 - 1");
	return 0;
}

int pmu_check_attr(const struct perf_event_attr *attr, struct pmu_reason *why)
{
	int err = refuse_any(attr_flags(attr), flags, LENGTH(flags), why);

	if (!err)
		err = check_sampling(attr, why);
	if (err)
		return err;
	if (attr->read_format & ~(uint64_t)READ_FORMAT_KNOWN)
		return pmu_refuse(why, EINVAL, "reserved bits of read_format are set");
	if (attr->exclude_user && attr->exclude_kernel)
		return pmu_refuse(why, EINVAL,
				  "excluding both user and kernel leaves nothing to count");
	return 0;
}
