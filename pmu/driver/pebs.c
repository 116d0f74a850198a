// SPDX-License-Identifier: BSD-2-Clause
/* pebs.c - see pebs.h. */
#include "pmu/driver/pebs.h"

#include "arch/x86/insn.h"
#include "arch/x86/msr.h"
#include "arch/x86/portable/quirks.h"
#include "lib/percpu.h"
#include "lib/string.h"
#include "lib/bits.h"
#include "pmu/driver/modelled.h"

#include <stddef.h>

#define LOW_COUNTERS   0xfull
#define GENERAL_RESETS 32 /* 8 before format 5 */
#define FIXED_RESETS   16

/*
 * SDM vol. 3, "DS Save Area and 64-Bit Mode Operation". The reset values of the fixed counters
 * follow those of the general ones, whose number depends on the format.
 */
struct debug_store {
	uint64_t bts_base, bts_index, bts_maximum, bts_threshold;
	uint64_t base, index, maximum, threshold;
	uint64_t reset[GENERAL_RESETS + FIXED_RESETS];
};
_Static_assert(offsetof(struct debug_store, base) == 0x20, "layout");
_Static_assert(offsetof(struct debug_store, reset) == 0x40, "layout");

/* "PEBS Record Format": format 1 ends before `eventing_ip`, format 2 before `tsc`. */
struct record_3 {
	uint64_t rflags, rip, rax, rbx, rcx, rdx, rsi, rdi, rbp, rsp, r8_15[8];
	uint64_t counters;
	uint64_t address, source, latency;
	uint64_t eventing_ip, tsx, tsc;
};
_Static_assert(offsetof(struct record_3, counters) == 0x90, "layout");
_Static_assert(offsetof(struct record_3, tsc) == 0xc0, "layout");

/* "Adaptive PEBS": the groups follow each other in this order. */
struct basic_group {
	uint64_t format; /* bits 31:0 groups, 63:48 bytes of the record */
	uint64_t ip, counters, tsc;
};
struct memory_group {
	uint64_t address, source, latency, tsx;
};
struct register_group {
	uint64_t rflags, rip, rax, rcx, rdx, rbx, rsp, rbp, rsi, rdi, r8_15[8];
};

#define MOST_BYTES \
	(sizeof(struct basic_group) + sizeof(struct memory_group) + sizeof(struct register_group))

static PERCPU struct debug_store store __attribute__((aligned(64)));
static PERCPU uint8_t buffer[(PMU_PEBS_MOST + 1) * MOST_BYTES] __attribute__((aligned(64)));

/* The last values written. */
static PERCPU uint64_t enabled, data_cfg;

static uint32_t pebs_record_size(const struct pmu_pebs *pebs)
{
	static const uint32_t fixed[] = {
		[1] = offsetof(struct record_3, eventing_ip),
		[2] = offsetof(struct record_3, tsc),
		[3] = sizeof(struct record_3),
	};
	uint32_t size;

	if (!pebs->adaptive)
		return fixed[pebs->format];
	size = sizeof(struct basic_group);
	size += data_cfg & PEBS_DATA_MEMORY ? sizeof(struct memory_group) : 0;
	return size + (data_cfg & PEBS_DATA_GPRS ? sizeof(struct register_group) : 0);
}

/* --- Detection --- */

static const char *find_problem(const struct pmu_caps *caps)
{
	uint64_t misc;

	if (caps->vendor != CPU_VENDOR_INTEL)
		return "this CPU has no PEBS";
	if (!caps->ds || !caps->dtes64)
		return "CPUID shows no 64-bit debug store, which PEBS writes to";
	if (has_quirk(caps, QUIRK_PEBS_BROKEN))
		return "PEBS of this CPU has errata that only newer microcode mends, if any";
	if (!caps->pdcm_readable)
		return "without IA32_PERF_CAPABILITIES the format of PEBS records is not known";
	if (!rdmsr_safe(MSR_IA32_MISC_ENABLE, &misc) || misc & MISC_ENABLE_PEBS_UNAVAILABLE)
		return "IA32_MISC_ENABLE says that PEBS is not available";
	return NULL;
}

/* Later formats are adaptive, too: 5 is for hypervisors, 6 can have counters in a record. */
#define LEAST_FORMAT    1
#define ADAPTIVE_FORMAT 4
#define WIDE_FORMAT     5 /* with reset values for 32 general counters */
#define LAST_FORMAT     6

static unsigned general_resets(const struct pmu_pebs *pebs)
{
	return pebs->format < WIDE_FORMAT ? 8 : GENERAL_RESETS;
}

static const char *find_format(const struct pmu_caps *caps, uint64_t counters,
			       struct pmu_pebs *pebs)
{
	unsigned format = PERF_CAP_PEBS_FMT(caps->perf_capabilities);

	if (format < LEAST_FORMAT || format > LAST_FORMAT)
		return "PEBS records are of a format that is not known (known: 1 to 6)";
	pebs->adaptive = caps->perf_capabilities & PERF_CAP_PEBS_BASELINE;
	if (pebs->adaptive != (format >= ADAPTIVE_FORMAT))
		return "PEBS records of format 4 or later and adaptive PEBS come together only";
	if (!wrmsr_safe(MSR_IA32_PEBS_ENABLE, 0) || !wrmsr_safe(MSR_IA32_DS_AREA, 0) ||
	    (pebs->adaptive && !wrmsr_safe(MSR_PEBS_DATA_CFG, 0)))
		return "the registers of PEBS cannot be written";
	pebs->format = (uint8_t)format;
	pebs->counters = pebs->adaptive ? counters : counters & LOW_COUNTERS;
	pebs->counters &= bits_low(general_resets(pebs)) | bits_low(FIXED_RESETS)
								   << GLOBAL_FIXED_SHIFT;
	pebs->sources = pmu_modelled_sources();
	return NULL;
}

void pmu_pebs_probe(const struct pmu_caps *caps, uint64_t counters, struct pmu_pebs *pebs)
{
	*pebs = (struct pmu_pebs){.problem = find_problem(caps)};
	if (!pebs->problem)
		pebs->problem = find_format(caps, counters, pebs);
	if (pebs->problem && caps->kvm)
		pebs->problem = "KVM shows no PEBS to its guests";
	if (pebs->format)
		pmu_pebs_reset(pebs);
}

void pmu_pebs_reset(const struct pmu_pebs *pebs)
{
	memset(&store, 0, sizeof(store));
	enabled = data_cfg = 0;
	wrmsr(MSR_IA32_PEBS_ENABLE, 0);
	if (pebs->adaptive)
		wrmsr(MSR_PEBS_DATA_CFG, 0);
	pmu_pebs_set_threshold(pebs, 1);
	wrmsr(MSR_IA32_DS_AREA, (uintptr_t)&store);
}

/* --- Starting and stopping --- */

void pmu_pebs_set_reload(const struct pmu_pebs *pebs, unsigned index, uint64_t value)
{
	const unsigned general = general_resets(pebs), fixed = index - GLOBAL_FIXED_SHIFT;

	if (index < general)
		store.reset[index] = value;
	else if (fixed < FIXED_RESETS)
		store.reset[general + fixed] = value;
}

/* The index comes last, because the CPU compares it with the other two. */
void pmu_pebs_set_threshold(const struct pmu_pebs *pebs, unsigned records)
{
	uint32_t size = pebs_record_size(pebs);

	store.base = store.index = (uintptr_t)buffer;
	store.maximum = store.base + sizeof(buffer) / size * size;
	store.threshold = store.base + records * size;
}

static void set_enabled(uint64_t value)
{
	if (value != enabled)
		wrmsr(MSR_IA32_PEBS_ENABLE, value);
	enabled = value;
}

void pmu_pebs_start(const struct pmu_pebs *pebs, unsigned index, bool latency, uint64_t data)
{
	if (pebs->adaptive && (enabled ? data & ~data_cfg : data ^ data_cfg)) {
		data_cfg = enabled ? data_cfg | data : data;
		wrmsr(MSR_PEBS_DATA_CFG, data_cfg);
		pmu_pebs_set_threshold(pebs, 1);
	}
	set_enabled(enabled | 1ull << index |
		    (latency && !pebs->adaptive ? PEBS_ENABLE_LATENCY(index) : 0));
}

void pmu_pebs_stop(const struct pmu_pebs *pebs, unsigned index)
{
	const uint64_t latency = pebs->adaptive ? 0 : PEBS_ENABLE_LATENCY(index);

	set_enabled(enabled & ~(1ull << index | latency));
}

/* --- Records --- */

static uint64_t end_of_records(void)
{
	return *(volatile uint64_t *)&store.index - store.base;
}

static bool next_fixed(const struct pmu_pebs *pebs, uint32_t *at, struct pmu_pebs_record *r)
{
	uint32_t size = pebs_record_size(pebs);
	struct record_3 in = {.tsc = 0};

	if (*at + size > end_of_records())
		return false;
	memcpy(&in, buffer + *at, size);
	*at += size;
	*r = (struct pmu_pebs_record){
		.counters = in.counters,
		.ip = pebs->format == 1 ? in.rip : in.eventing_ip,
		.next_ip = in.rip,
		.has_regs = true,
		.rflags = in.rflags,
		.gprs = {in.rax, in.rcx, in.rdx, in.rbx, in.rsp, in.rbp, in.rsi, in.rdi},
		.has_memory = true,
		.address = in.address,
		.source = in.source,
		.latency = in.latency,
		.tsx = in.tsx,
		.tsc = in.tsc,
	};
	memcpy(r->gprs + 8, in.r8_15, sizeof(in.r8_15));
	return true;
}

static const uint8_t *take_memory(const uint8_t *from, struct pmu_pebs_record *r)
{
	struct memory_group in;

	memcpy(&in, from, sizeof(in));
	r->has_memory = true;
	r->address = in.address;
	r->source = in.source;
	r->latency = in.latency;
	r->tsx = in.tsx;
	return from + sizeof(in);
}

static const uint8_t *take_registers(const uint8_t *from, struct pmu_pebs_record *r)
{
	struct register_group in;

	memcpy(&in, from, sizeof(in));
	r->has_regs = true;
	r->next_ip = in.rip;
	r->rflags = in.rflags;
	/* RAX to RDI are in the order of their numbers in instructions. */
	memcpy(r->gprs, &in.rax, sizeof(r->gprs));
	return from + sizeof(in);
}
_Static_assert(sizeof(struct register_group) == (2 + PMU_PEBS_GPRS) * sizeof(uint64_t), "layout");

static bool next_adaptive(uint32_t *at, struct pmu_pebs_record *r)
{
	const uint8_t *from = buffer + *at;
	uint64_t room = end_of_records() - *at;
	struct basic_group in;

	if (room < sizeof(in))
		return false;
	memcpy(&in, from, sizeof(in));
	if (in.format >> 48 < sizeof(in) || in.format >> 48 > room)
		return false;
	*at += (uint32_t)(in.format >> 48);
	*r = (struct pmu_pebs_record){.counters = in.counters, .ip = in.ip, .tsc = in.tsc};
	from += sizeof(in);
	if (in.format & PEBS_DATA_MEMORY)
		from = take_memory(from, r);
	if (in.format & PEBS_DATA_GPRS)
		take_registers(from, r);
	return true;
}

bool pmu_pebs_next(const struct pmu_pebs *pebs, uint32_t *at, struct pmu_pebs_record *record)
{
	return pebs->adaptive ? next_adaptive(at, record) : next_fixed(pebs, at, record);
}

void pmu_pebs_empty(void)
{
	*(volatile uint64_t *)&store.index = store.base;
}
