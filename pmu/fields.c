// SPDX-License-Identifier: BSD-2-Clause
/*
 * fields.c - which fields the samples of an event can have: those that any moment gives, those of
 * the event's kind, and those that follow from an address. The others are refused, one row each:
 * a zero in their place would look like a measurement.
 */
#include "pmu/callchain.h"
#include "pmu/core.h"

#include "pmu/reason.h"

#include <asm/perf_regs.h>
#include <linux/errno.h>

/* What the moment of any overflow gives. */
#define OF_ANY                                                                           \
	(PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME |  \
	 PERF_SAMPLE_ID | PERF_SAMPLE_STREAM_ID | PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD | \
	 PERF_SAMPLE_READ | PERF_SAMPLE_REGS_USER | PERF_SAMPLE_REGS_INTR)

/* perf_regs.h: these are no part of an interrupt's frame in 64-bit mode. */
#define SEGMENTS                                                                       \
	(1ull << PERF_REG_X86_DS | 1ull << PERF_REG_X86_ES | 1ull << PERF_REG_X86_FS | \
	 1ull << PERF_REG_X86_GS)

static const struct {
	uint64_t bits;
	int error;
	const char *sentence;
} rows[] = {
	{PERF_SAMPLE_ADDR, EOPNOTSUPP, "PERF_SAMPLE_ADDR: this event knows no data address"},
	{PERF_SAMPLE_CALLCHAIN, EOPNOTSUPP, "PERF_SAMPLE_CALLCHAIN: nothing walks stacks here"},
	{PERF_SAMPLE_RAW, EOPNOTSUPP, "PERF_SAMPLE_RAW: this event has no raw data"},
	{PERF_SAMPLE_BRANCH_STACK, EOPNOTSUPP,
	 "PERF_SAMPLE_BRANCH_STACK: last branch records are not used"},
	{PERF_SAMPLE_STACK_USER, EOPNOTSUPP, "PERF_SAMPLE_STACK_USER: nothing reads stacks here"},
	{PERF_SAMPLE_WEIGHT_TYPE, EOPNOTSUPP,
	 "PERF_SAMPLE_WEIGHT: only precise events of this CPU's memory accesses have a weight"},
	{PERF_SAMPLE_DATA_SRC, EOPNOTSUPP,
	 "PERF_SAMPLE_DATA_SRC: only precise events of this CPU's memory accesses know where data "
	 "came from"},
	{PERF_SAMPLE_TRANSACTION, EOPNOTSUPP,
	 "PERF_SAMPLE_TRANSACTION: only precise events of this CPU know of transactions"},
	{PERF_SAMPLE_PHYS_ADDR | PERF_SAMPLE_DATA_PAGE_SIZE, EOPNOTSUPP,
	 "PERF_SAMPLE_PHYS_ADDR and _DATA_PAGE_SIZE: this event knows no data address"},
	{PERF_SAMPLE_CODE_PAGE_SIZE, EOPNOTSUPP,
	 "PERF_SAMPLE_CODE_PAGE_SIZE: nothing reads page tables here"},
	{PERF_SAMPLE_AUX, EOPNOTSUPP,
	 "PERF_SAMPLE_AUX: AUX data is recorded for itself, not in samples"},
	{PERF_SAMPLE_CGROUP, EOPNOTSUPP, "there are no cgroups to report"},
	{~(uint64_t)(PERF_SAMPLE_MAX - 1), EINVAL, "reserved bits of sample_type are set"},
};

uint64_t pmu_fields_of(const struct pmu_event *e)
{
	uint64_t fields = OF_ANY | e->class->fields | e->fields;

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

static int check_registers(const char *name, uint64_t mask, struct pmu_reason *why)
{
	if (!mask)
		return pmu_refuse(why, EINVAL, "%s: no register is asked for", name);
	if (mask & PERF_REG_EXTENDED_MASK)
		return pmu_refuse(why, EINVAL, "%s: vector registers are not sampled", name);
	if (mask & SEGMENTS || mask >> PERF_REG_X86_64_MAX)
		return pmu_refuse(why, EINVAL,
				  "%s: mask 0x%llx has registers that 64-bit mode does not save",
				  name, (unsigned long long)mask);
	return 0;
}

static int check_callchain(const struct perf_event_attr *attr, struct pmu_reason *why)
{
	if (attr->sample_max_stack > PMU_MAX_STACK)
		return pmu_refuse(why, EOVERFLOW, "sample_max_stack %u is above %u",
				  attr->sample_max_stack, PMU_MAX_STACK);
	if (attr->exclude_callchain_user && attr->exclude_callchain_kernel)
		return pmu_refuse(why, EINVAL,
				  "PERF_SAMPLE_CALLCHAIN: both its user and its kernel part are "
				  "excluded");
	return 0;
}

static int check_stack(const struct perf_event_attr *attr, struct pmu_reason *why)
{
	uint32_t size = attr->sample_stack_user;

	if (size >= UINT16_MAX || size % sizeof(uint64_t))
		return pmu_refuse(why, EINVAL,
				  "sample_stack_user %u is not a multiple of 8 below 65535", size);
	return 0;
}

static int check_branches(const struct perf_event_attr *attr, struct pmu_reason *why)
{
	uint64_t type = attr->branch_sample_type;

	if (type & ~(uint64_t)(PERF_SAMPLE_BRANCH_MAX - 1))
		return pmu_refuse(why, EINVAL, "reserved bits of branch_sample_type are set");
	if (!(type & ~(uint64_t)PERF_SAMPLE_BRANCH_PLM_ALL))
		return pmu_refuse(why, EINVAL, "branch_sample_type asks for no kind of branches");
	return 0;
}

/* What belongs to the fields that are asked for. */
static int check_details(const struct perf_event_attr *attr, struct pmu_reason *why)
{
	const uint64_t type = attr->sample_type;
	int err = 0;

	if (type & PERF_SAMPLE_CALLCHAIN)
		err = check_callchain(attr, why);
	if (!err && type & PERF_SAMPLE_REGS_USER)
		err = check_registers("sample_regs_user", attr->sample_regs_user, why);
	if (!err && type & PERF_SAMPLE_REGS_INTR)
		err = check_registers("sample_regs_intr", attr->sample_regs_intr, why);
	if (!err && type & PERF_SAMPLE_STACK_USER)
		err = check_stack(attr, why);
	if (!err && type & PERF_SAMPLE_BRANCH_STACK)
		err = check_branches(attr, why);
	if (!err && (type & PERF_SAMPLE_WEIGHT_TYPE) == PERF_SAMPLE_WEIGHT_TYPE)
		err = pmu_refuse(
			why, EINVAL,
			"PERF_SAMPLE_WEIGHT and _WEIGHT_STRUCT are two forms of one field");
	if (!err && type & PERF_SAMPLE_READ && attr->inherit)
		err = pmu_refuse(why, EINVAL,
				 "PERF_SAMPLE_READ is not possible for events that are inherited");
	return err;
}

int pmu_check_fields(const struct pmu_event *e, struct pmu_reason *why)
{
	uint64_t missing = e->attr.sample_type & ~pmu_fields_of(e);

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (missing & rows[i].bits)
			return pmu_refuse(why, rows[i].error, "%s", rows[i].sentence);
	return check_details(&e->attr, why);
}
