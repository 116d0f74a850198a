// SPDX-License-Identifier: BSD-2-Clause
/*
 * attr.c - checks perf_event_attr independently of the event: requests that perf_event_open(2)
 * calls invalid, and requests that are not supported, one row each. Everything that Linux accepts
 * is accepted. Attributes about things that do not exist here - guests, an idle task, namespaces -
 * have no effect.
 */
#include "pmu/state/state.h"

#include "lib/string.h"
#include "pmu/api/attr_bits.h"
#include "lib/reason.h"
#include "pmu/attr/attr.h"
#include "pmu/attr/fields.h"

#include <linux/errno.h>
#include <linux/time.h>

#define LENGTH(rows) (sizeof(rows) / sizeof((rows)[0]))

struct refusal {
	uint64_t bits;
	int error;
	const char *sentence;
};

/*
 * Requests that are invalid on any machine. Records about things that never happen here
 * (namespaces, BPF programs, cgroups, changes of ring 0's code) may be requested: none are written.
 */
static const struct refusal meaningless[] = {
	{~(ATTR_BIT(ATTR_RESERVED) - 1), EINVAL, "reserved bits of perf_event_attr are set"},
};

/* Requests that are not supported. */
static const struct refusal flags[] = {
	{ATTR_BIT(ATTR_AUX_OUTPUT), EOPNOTSUPP,
	 "aux_output: no event sends its records into a trace"},
};

#define READ_FORMAT_KNOWN (PERF_FORMAT_MAX - 1)

int pmu_copy_attr(struct perf_event_attr *to, const struct perf_event_attr *from,
		  struct reason *why)
{
	uint32_t size = from->size ? from->size : PERF_ATTR_SIZE_VER0;

	if (size < PERF_ATTR_SIZE_VER0 || size > sizeof(*to))
		return refuse(why, E2BIG, "attr.size %u is not between %u and %zu", size,
			      PERF_ATTR_SIZE_VER0, sizeof(*to));
	if (size == sizeof(*to)) {
		*to = *from;
	} else {
		memcpy(to, from, size);
		memset((uint8_t *)to + size, 0, sizeof(*to) - size);
	}
	to->size = sizeof(*to);
	/* A frequency of 0 means no frequency: the event counts. */
	if (!to->sample_freq)
		to->freq = 0;
	return 0;
}

static int refuse_any(uint64_t bits, const struct refusal *rows, size_t n, struct reason *why)
{
	for (size_t i = 0; i < n; i++)
		if (bits & rows[i].bits)
			return refuse(why, rows[i].error, "%s", rows[i].sentence);
	return 0;
}

static int check_sampling(const struct perf_event_attr *attr, struct reason *why)
{
	if (!attr->freq && attr->sample_period >> 63)
		return refuse(why, EINVAL, "a sample period is at most 2^63 - 1");
	return 0;
}

static int check_reserved(const struct perf_event_attr *attr, struct reason *why)
{
	if (attr->__reserved_2 || attr->__reserved_3)
		return refuse(why, EINVAL, "reserved fields of perf_event_attr are set");
	if (attr->read_format & ~(uint64_t)READ_FORMAT_KNOWN)
		return refuse(why, EINVAL, "reserved bits of read_format are set");
	return 0;
}

/* Checks combinations of attributes that exclude or require each other. */
static int check_combinations(const struct perf_event_attr *attr, struct reason *why)
{
	if (attr->remove_on_exec && attr->enable_on_exec)
		return refuse(why, EINVAL,
			      "remove_on_exec and enable_on_exec contradict each other");
	if (attr->sigtrap && !attr->remove_on_exec)
		return refuse(why, EINVAL, "sigtrap is for events with remove_on_exec only");
	if (attr->sample_type & PERF_SAMPLE_READ && attr->inherit)
		return refuse(why, EINVAL,
			      "PERF_SAMPLE_READ is not possible for events that are inherited");
	return 0;
}

/* As in perf_event_open(2), a clock that Linux cannot read in NMIs is for software events only. */
static int check_attr_clock(const struct perf_event_attr *attr, struct reason *why)
{
	static const struct {
		int id;
		bool in_nmis;
	} clocks[] = {
		{CLOCK_MONOTONIC, true}, {CLOCK_MONOTONIC_RAW, true}, {CLOCK_REALTIME, false},
		{CLOCK_BOOTTIME, false}, {CLOCK_TAI, false},
	};

	if (!attr->use_clockid)
		return 0;
	for (size_t i = 0; i < LENGTH(clocks); i++) {
		if (attr->clockid != clocks[i].id)
			continue;
		if (clocks[i].in_nmis || attr->type == PERF_TYPE_SOFTWARE)
			return 0;
		return refuse(why, EINVAL,
			      "clockid %d is for software events; all take CLOCK_MONOTONIC and "
			      "CLOCK_MONOTONIC_RAW",
			      attr->clockid);
	}
	return refuse(why, EINVAL,
		      "clockid %d is none of CLOCK_MONOTONIC, CLOCK_MONOTONIC_RAW, CLOCK_REALTIME, "
		      "CLOCK_BOOTTIME and CLOCK_TAI",
		      attr->clockid);
}

int pmu_check_attr(const struct perf_event_attr *attr, struct reason *why)
{
	static int (*const checks[])(const struct perf_event_attr *attr, struct reason *why) = {
		check_reserved, pmu_check_sample_type, check_combinations,
		check_sampling, check_attr_clock,
	};
	int err = refuse_any(attr_flags(attr), meaningless, LENGTH(meaningless), why);

	for (size_t i = 0; !err && i < LENGTH(checks); i++)
		err = checks[i](attr, why);
	return err;
}

int pmu_check_support(const struct perf_event_attr *attr, struct reason *why)
{
	if (attr->aux_sample_size)
		return refuse(why, EINVAL,
			      "aux_sample_size: no group has a leader whose AUX area is sampled");
	if (attr->sigtrap && !pmu.host->sigtrap)
		return refuse(why, EOPNOTSUPP, "there are no signals, so no sigtrap");
	return refuse_any(attr_flags(attr), flags, LENGTH(flags), why);
}
