// SPDX-License-Identifier: BSD-2-Clause
/*
 * fields.c - the fields of samples: which may be requested, and which of them an event can provide.
 * An event provides common fields, fields of its kind, and fields that follow from an address. As
 * in Linux, other fields may be requested, too, and are zeros or values that mean "not available";
 * pmu_event_missing() tells these from measured values. A table row is a field that cannot be
 * requested.
 */
#include "pmu/record/callchain.h"
#include "pmu/state/state.h"

#include "lib/reason.h"
#include "pmu/attr/fields.h"

#include <asm/perf_regs.h>
#include <linux/errno.h>

#define LENGTH(rows) (sizeof(rows) / sizeof((rows)[0]))

/* Fields that any overflow provides. */
#define OF_ANY                                                                           \
	(PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME |  \
	 PERF_SAMPLE_ID | PERF_SAMPLE_STREAM_ID | PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD | \
	 PERF_SAMPLE_READ | PERF_SAMPLE_REGS_USER | PERF_SAMPLE_REGS_INTR)

/* perf_regs.h: these are not part of an interrupt's frame in 64-bit mode. */
#define SEGMENTS                                                                       \
	(1ull << PERF_REG_X86_DS | 1ull << PERF_REG_X86_ES | 1ull << PERF_REG_X86_FS | \
	 1ull << PERF_REG_X86_GS)

/* Bits between the registers of 64-bit mode and the vector registers. */
#define RESERVED (~(uint64_t)PERF_REG_EXTENDED_MASK & ~((1ull << PERF_REG_X86_64_MAX) - 1))

struct row {
	uint64_t bits;
	int error;
	const char *sentence;
};

/* Invalid for any event. */
static const struct row invalid[] = {
	{~(uint64_t)(PERF_SAMPLE_MAX - 1), EINVAL, "reserved bits of sample_type are set"},
	{PERF_SAMPLE_CGROUP, EINVAL, "PERF_SAMPLE_CGROUP: there are no cgroups to report"},
};

/* Refused if the event, or this machine, cannot provide them. */
static const struct row impossible[] = {
	{PERF_SAMPLE_BRANCH_STACK, EOPNOTSUPP,
	 "PERF_SAMPLE_BRANCH_STACK: branches are recorded for events of the core's counters only"},
	{PERF_SAMPLE_CALLCHAIN, EOPNOTSUPP, "PERF_SAMPLE_CALLCHAIN: nothing walks stacks here"},
	{PERF_SAMPLE_STACK_USER, EOPNOTSUPP, "PERF_SAMPLE_STACK_USER: nothing reads stacks here"},
};

/* Fields that Linux fills with zeros if the event cannot provide them. */
#define MAY_BE_ZERO                                                                            \
	(PERF_SAMPLE_ADDR | PERF_SAMPLE_RAW | PERF_SAMPLE_WEIGHT_TYPE | PERF_SAMPLE_DATA_SRC | \
	 PERF_SAMPLE_TRANSACTION | PERF_SAMPLE_PHYS_ADDR | PERF_SAMPLE_AUX |                   \
	 PERF_SAMPLE_DATA_PAGE_SIZE | PERF_SAMPLE_CODE_PAGE_SIZE)

static int refuse_row(uint64_t bits, const struct row *rows, size_t n, struct reason *why)
{
	for (size_t i = 0; i < n; i++)
		if (bits & rows[i].bits)
			return refuse(why, rows[i].error, "%s", rows[i].sentence);
	return 0;
}

uint64_t pmu_fields_of(const struct pmu_event *e)
{
	uint64_t fields = OF_ANY | e->class->fields | e->out.fields;

	if (pmu.host->chain_user && pmu.host->chain_kernel)
		fields |= PERF_SAMPLE_CALLCHAIN;
	if (pmu.host->read_user)
		fields |= PERF_SAMPLE_STACK_USER;
	if (!pmu.host->translate)
		return fields;
	if (fields & PERF_SAMPLE_ADDR)
		fields |= PERF_SAMPLE_PHYS_ADDR | PERF_SAMPLE_DATA_PAGE_SIZE;
	return fields | PERF_SAMPLE_CODE_PAGE_SIZE;
}

static int check_register_mask(const char *name, uint64_t mask, struct reason *why)
{
	if (!mask)
		return refuse(why, EINVAL, "%s: no register is asked for", name);
	if (mask & (SEGMENTS | RESERVED))
		return refuse(why, EINVAL,
			      "%s: mask 0x%llx has registers that 64-bit mode does not save", name,
			      (unsigned long long)mask);
	return 0;
}

static int check_stack(const struct perf_event_attr *attr, struct reason *why)
{
	uint32_t size = attr->sample_stack_user;

	if (size >= UINT16_MAX || size % sizeof(uint64_t))
		return refuse(why, EINVAL,
			      "sample_stack_user %u is not a multiple of 8 below 65535", size);
	return 0;
}

static int check_branches(const struct perf_event_attr *attr, struct reason *why)
{
	uint64_t type = attr->branch_sample_type;

	if (type & ~(uint64_t)(PERF_SAMPLE_BRANCH_MAX - 1))
		return refuse(why, EINVAL, "reserved bits of branch_sample_type are set");
	if (!(type & ~(uint64_t)PERF_SAMPLE_BRANCH_PLM_ALL))
		return refuse(why, EINVAL, "branch_sample_type asks for no kind of branches");
	return 0;
}

int pmu_check_sample_type(const struct perf_event_attr *attr, struct reason *why)
{
	const uint64_t type = attr->sample_type;
	int err = refuse_row(type, invalid, LENGTH(invalid), why);

	if (!err && type & PERF_SAMPLE_REGS_USER)
		err = check_register_mask("sample_regs_user", attr->sample_regs_user, why);
	if (!err && type & PERF_SAMPLE_REGS_INTR)
		err = check_register_mask("sample_regs_intr", attr->sample_regs_intr, why);
	if (!err && type & PERF_SAMPLE_STACK_USER)
		err = check_stack(attr, why);
	if (!err && type & PERF_SAMPLE_BRANCH_STACK)
		err = check_branches(attr, why);
	if (!err && (type & PERF_SAMPLE_WEIGHT_TYPE) == PERF_SAMPLE_WEIGHT_TYPE)
		err = refuse(why, EINVAL,
			     "PERF_SAMPLE_WEIGHT and _WEIGHT_STRUCT are two forms of one field");
	return err;
}

uint64_t pmu_event_missing(const struct pmu_event *e)
{
	return e->attr.sample_type & ~pmu_fields_of(e);
}

static bool wants_vectors(const struct perf_event_attr *attr)
{
	const uint64_t type = attr->sample_type;

	return (type & PERF_SAMPLE_REGS_USER && attr->sample_regs_user & PERF_REG_EXTENDED_MASK) ||
	       (type & PERF_SAMPLE_REGS_INTR && attr->sample_regs_intr & PERF_REG_EXTENDED_MASK);
}

int pmu_check_fields(const struct pmu_event *e, struct reason *why)
{
	const struct perf_event_attr *attr = &e->attr;
	const uint64_t missing = pmu_event_missing(e) & ~MAY_BE_ZERO;

	if (wants_vectors(attr))
		return refuse(why, EOPNOTSUPP, "vector registers are not sampled");
	if (attr->sample_type & PERF_SAMPLE_CALLCHAIN && attr->sample_max_stack > PMU_MAX_STACK)
		return refuse(why, EOVERFLOW, "sample_max_stack %u is above %u",
			      attr->sample_max_stack, PMU_MAX_STACK);
	return refuse_row(missing, impossible, LENGTH(impossible), why);
}
