/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * attr_bits.h - the flags of perf_event_attr as bit numbers, for tables. The ABI declares them as
 * bit fields of one 64-bit word, in this order.
 */
#ifndef PMU_API_ATTR_BITS_H
#define PMU_API_ATTR_BITS_H

#include "lib/string.h"

#include <linux/perf_event.h>
#include <stddef.h>
#include <stdint.h>

enum attr_flag {
	ATTR_DISABLED,
	ATTR_INHERIT,
	ATTR_PINNED,
	ATTR_EXCLUSIVE,
	ATTR_EXCLUDE_USER,
	ATTR_EXCLUDE_KERNEL,
	ATTR_EXCLUDE_HV,
	ATTR_EXCLUDE_IDLE,
	ATTR_MMAP,
	ATTR_COMM,
	ATTR_FREQ,
	ATTR_INHERIT_STAT,
	ATTR_ENABLE_ON_EXEC,
	ATTR_TASK,
	ATTR_WATERMARK,
	ATTR_PRECISE_IP, /* two bits */
	ATTR_MMAP_DATA = ATTR_PRECISE_IP + 2,
	ATTR_SAMPLE_ID_ALL,
	ATTR_EXCLUDE_HOST,
	ATTR_EXCLUDE_GUEST,
	ATTR_EXCLUDE_CALLCHAIN_KERNEL,
	ATTR_EXCLUDE_CALLCHAIN_USER,
	ATTR_MMAP2,
	ATTR_COMM_EXEC,
	ATTR_USE_CLOCKID,
	ATTR_CONTEXT_SWITCH,
	ATTR_WRITE_BACKWARD,
	ATTR_NAMESPACES,
	ATTR_KSYMBOL,
	ATTR_BPF_EVENT,
	ATTR_AUX_OUTPUT,
	ATTR_CGROUP,
	ATTR_TEXT_POKE,
	ATTR_BUILD_ID,
	ATTR_INHERIT_THREAD,
	ATTR_REMOVE_ON_EXEC,
	ATTR_SIGTRAP,
	ATTR_RESERVED, /* this bit and all above it */
};

#define ATTR_BIT(flag) (1ull << (flag))

#define ATTR_FLAGS_OFFSET (offsetof(struct perf_event_attr, read_format) + sizeof(uint64_t))
_Static_assert(offsetof(struct perf_event_attr, wakeup_events) ==
		       ATTR_FLAGS_OFFSET + sizeof(uint64_t),
	       "the flags are one word");

static inline uint64_t attr_flags(const struct perf_event_attr *attr)
{
	uint64_t flags;

	memcpy(&flags, (const char *)attr + ATTR_FLAGS_OFFSET, sizeof(flags));
	return flags;
}

#endif
