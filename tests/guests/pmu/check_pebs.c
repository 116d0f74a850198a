// SPDX-License-Identifier: BSD-2-Clause
/*
 * check_pebs.c - precise records of the branches of a loop: SDM vol. 3, "Processor Event Based
 * Sampling (PEBS)", "PEBS Record Format", "Adaptive PEBS".
 */
#include "tests/guests/pmu/checks.h"

#include "arch/x86/dev/apic.h"
#include "arch/x86/insn.h"
#include "lib/string.h"

#define TURNS       1000
#define PERIOD      100
#define RECORDS     16
#define RECORD_MOST 2048
#define COUNTER     0
#define BRANCHES    0x04c4 /* BR_INST_RETIRED.ALL_BRANCHES_PEBS of cores before format 4 */
#define BRANCHES_4  0x00c4
#define BEFORE      2 /* branches of pmu_run() and pmu_loop() before the loop */
#define OVF_BUFFER  (1ull << 62)

/* The debug store area, of 64-bit fields. */
static struct {
	uint64_t branch_trace[4];
	uint64_t base, index, maximum, threshold;
	uint64_t reset[16];
} area;
static uint8_t buffer[RECORDS * RECORD_MOST] __attribute__((aligned(64)));

extern const uint8_t pmu_loop_branch[]; /* the JNZ */

static unsigned format(void)
{
	return PERF_CAP_PEBS_FMT(pmu.capabilities);
}

static bool is_adaptive(void)
{
	return pmu.capabilities & PERF_CAP_PEBS_BASELINE;
}

static uint64_t record_word(const uint8_t *record, unsigned offset)
{
	uint64_t value;

	memcpy(&value, record + offset, sizeof(value));
	return value;
}

/* --- Where things are in a record --- */

#define GROUP_MEMORY 32
#define BASIC        32
#define GPR_RIP      8
#define GPR_RDI      72
#define GPRS         144
#define XMMS         256

static unsigned record_bytes(uint64_t groups)
{
	if (!is_adaptive())
		return format() >= 3 ? 0xc8 : 0xc0;
	return BASIC + (groups & PEBS_DATA_MEMORY ? GROUP_MEMORY : 0) +
	       (groups & PEBS_DATA_GPRS ? GPRS : 0) + (groups & PEBS_DATA_XMMS ? XMMS : 0);
}

static uint64_t eventing_ip(const uint8_t *record)
{
	return record_word(record, is_adaptive() ? 8 : 0xb0);
}

static unsigned gprs_at(uint64_t groups)
{
	return BASIC + (groups & PEBS_DATA_MEMORY ? GROUP_MEMORY : 0);
}

static uint64_t rdi_of(const uint8_t *record, uint64_t groups)
{
	return record_word(record, is_adaptive() ? gprs_at(groups) + GPR_RDI : 0x38);
}

/* --- The checks --- */

static void sample_records(uint64_t groups, unsigned room, unsigned threshold)
{
	const uint64_t event = format() >= 4 ? BRANCHES_4 : BRANCHES;
	const unsigned bytes = record_bytes(groups);

	memset(buffer, 0, sizeof(buffer));
	memset(&area, 0, sizeof(area));
	area.base = area.index = (uint64_t)buffer;
	area.maximum = area.base + room * bytes;
	area.threshold = area.base + threshold * bytes;
	area.reset[COUNTER] = -(uint64_t)PERIOD & PMU_BITS(pmu.width);
	wrmsr(MSR_IA32_DS_AREA, (uint64_t)&area);
	if (is_adaptive())
		wrmsr(MSR_PEBS_DATA_CFG, groups);
	pmu_set_lvt(APIC_LVT_NMI);
	pmu_select(COUNTER, event | PMU_BOTH | (is_adaptive() ? EVTSEL_ADAPTIVE : 0));
	pmu_set(COUNTER, -(uint64_t)PERIOD);
	wrmsr(MSR_IA32_PEBS_ENABLE, 1ull << COUNTER);
	pmu_run(1ull << COUNTER, pmu_loop, TURNS);
	wrmsr(MSR_IA32_PEBS_ENABLE, 0);
	wrmsr(pmu_selector_msr(COUNTER), 0);
}

/* The counter overflows with event PERIOD, the one behind it is recorded, and it begins anew. */
static void check_records(uint64_t groups)
{
	const unsigned bytes = record_bytes(groups);
	const unsigned wanted = (TURNS + BEFORE + 2) / (PERIOD + 1);

	sample_records(groups, RECORDS, RECORDS);
	pmu_is((area.index - area.base) / bytes, wanted, "groups %llx: records of %u bytes",
	       (unsigned long long)groups, bytes);
	for (unsigned i = 0; i < wanted; i++) {
		const uint8_t *record = buffer + i * bytes;
		const unsigned event = (i + 1) * (PERIOD + 1);

		pmu_is(eventing_ip(record), (uint64_t)pmu_loop_branch, "record %u is of the JNZ",
		       i);
		if (!is_adaptive() || groups & PEBS_DATA_GPRS)
			pmu_is(rdi_of(record, groups), TURNS - (event - BEFORE),
			       "record %u is of its very turn", i);
		if (is_adaptive())
			pmu_is(record_word(record, 0), (uint64_t)bytes << 48 | groups,
			       "record %u tells its groups and its size", i);
		if (format() >= 3)
			pmu_is(record_word(record, is_adaptive() ? 16 : 0x90) &
				       PMU_BITS(pmu.counters),
			       1ull << COUNTER, "record %u tells its counter", i);
	}
	pmu_is(world_nmis, 0, "no NMI below the threshold");
	pmu_is(pmu_status() & OVF_BUFFER, 0, "and no status");
}

static void check_threshold(void)
{
	sample_records(0, RECORDS, 3);
	pmu_is(world_nmis, 1, "one NMI with the record that comes to the threshold");
	pmu_is(pmu_status() & OVF_BUFFER, OVF_BUFFER, "and OvfDSBuffer is set");
	pmu_clear_status(OVF_BUFFER);
	pmu_is(pmu_status() & OVF_BUFFER, 0, "it is cleared by writing it");
}

static void check_full(void)
{
	sample_records(0, 2, RECORDS);
	pmu_is((area.index - area.base) / record_bytes(0), 2, "a full buffer takes no more");
	pmu_clear_status(pmu_status());
}

void pmu_check_pebs(void)
{
	static const uint64_t groups[] = {0, PEBS_DATA_GPRS, PEBS_DATA_MEMORY | PEBS_DATA_GPRS,
					  PEBS_DATA_GPRS | PEBS_DATA_XMMS};

	if (!pmu.has_debug_store || format() < 2) {
		pmu_ok(true, "there is none with an EventingIP");
		return;
	}
	for (unsigned i = 0; i < (is_adaptive() ? 4 : 1); i++)
		check_records(groups[i]);
	check_threshold();
	check_full();
	wrmsr(MSR_IA32_DS_AREA, 0);
}
