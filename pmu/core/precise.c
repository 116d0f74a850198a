// SPDX-License-Identifier: BSD-2-Clause
/*
 * precise.c - precise events of Intel's core PMU: which events can be precise, the setting of their
 * counters, and the conversion of PEBS records to samples.
 *
 * The counter of a precise event raises no PMI and needs no serving: the CPU reloads it with each
 * record. Its status bit is ignored (it is set from the overflow to the record). The count advances
 * by the distance between two records, each of which is itself one event. The buffer is emptied
 * whenever counting pauses, and on every PMI that it raises.
 */
#include "pmu/state/state.h"

#include "arch/x86/insn.h"
#include "arch/x86/msr.h"
#include "arch/x86/cpu/trap_frame.h"
#include "lib/bits.h"
#include "lib/reason.h"
#include "pmu/driver/datasrc.h"
#include "pmu/core/branches.h"
#include "pmu/core/counter.h"
#include "pmu/core/overflow.h"
#include "pmu/core/precise.h"
#include "pmu/core/rate.h"

#include <linux/errno.h>

/* The shortest period: the counter overflows after one event, and PEBS records the second one. */
#define LEAST_PERIOD 2

/* precise_ip: 2 requests no skid, 3 also no shadow effect; all are available here, as in Linux. */
#define NO_SKID 2

/* From this format on a record has the counters that it is of. */
#define FORMAT_OF_COUNTERS 3

/* Fields from the memory and transaction part of a record. */
#define FROM_MEMORY                                                          \
	(PERF_SAMPLE_ADDR | PERF_SAMPLE_WEIGHT_TYPE | PERF_SAMPLE_DATA_SRC | \
	 PERF_SAMPLE_TRANSACTION)

/* Fields of FROM_MEMORY that only silicon, or a machine that models caches, can provide. */
#define OF_SOURCES (PERF_SAMPLE_WEIGHT_TYPE | PERF_SAMPLE_DATA_SRC)

/* Sample fields that need only the record: nothing has to be read when the event occurs. */
#define FROM_RECORD                                                                   \
	(PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_ID | \
	 PERF_SAMPLE_STREAM_ID | PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD | FROM_MEMORY)

/* Samples with only these fields need no registers. The code of an XABORT is in RAX. */
#define WITHOUT_GPRS ((FROM_RECORD | PERF_SAMPLE_TIME) & ~(uint64_t)PERF_SAMPLE_TRANSACTION)

/* --- Which events can be precise --- */

int pmu_precise_init(struct pmu_event *e, uint64_t *select, struct reason *why)
{
	const struct pmu_pebs *pebs = &pmu.hw.pebs;
	const uint64_t asked = *select;

	if (!pebs->format)
		return refuse(why, EOPNOTSUPP, "precise_ip (modifier p): %s", pebs->problem);
	if (!e->attr.sample_period)
		return refuse(why, EINVAL,
			      "precise_ip (modifier p) is for sampling: give a period");
	if (!e->attr.freq && e->attr.sample_period < LEAST_PERIOD)
		return refuse(why, EINVAL, "the shortest period of a precise event is %d",
			      LEAST_PERIOD);
	if (e->attr.precise_ip > pmu.info.max_precise)
		return refuse(why, EOPNOTSUPP,
			      "precise_ip is %d at most (modifier p): records of this CPU have the "
			      "address behind the instruction",
			      pmu.info.max_precise);
	if (pebs->adaptive)
		return 0;
	if (!UARCH_WITH(pmu.uarch, precise)->precise)
		return refuse(why, EOPNOTSUPP,
			      "precise_ip (modifier p): which events this CPU (%s) can record "
			      "is not known",
			      pmu.uarch->name);
	if (!uarch_precise(pmu.uarch, select))
		return refuse(why, EINVAL, "this CPU (%s) has no precise form of event 0x%llx",
			      pmu.uarch->name, (unsigned long long)asked);
	return 0;
}

static bool is_latency(const struct pmu_event *e)
{
	return e->tick.extra.registers >> UARCH_LOAD_LATENCY & 1;
}

/* Codes with an address in the record: MEM_TRANS_RETIRED, and memory instructions that retired. */
#define MEM_TRANS_RETIRED 0xcd
#define MEM_INST_RETIRED  0xd0
#define MEM_LAST          0xd3
#define ALL_LOADS         0x01 /* a bit in the umasks STLB_MISS_LOADS, SPLIT_LOADS, ALL_LOADS, ... */
#define ALL_STORES        0x02
/* HLE_RETIRED.ABORTED, RTM_RETIRED.ABORTED. */
#define HLE_ABORTED UARCH_SELECT(0xc8, 0x04)
#define RTM_ABORTED UARCH_SELECT(0xc9, 0x04)

static uint64_t memory_op(const struct pmu_event *e)
{
	uint64_t code = e->config & UARCH_CODE, umask = e->config >> 8;

	if (code != MEM_TRANS_RETIRED && (code < MEM_INST_RETIRED || code > MEM_LAST))
		return 0;
	if (code != MEM_INST_RETIRED)
		return PERF_MEM_OP_LOAD;
	return (umask & ALL_LOADS ? PERF_MEM_OP_LOAD : 0) |
	       (umask & ALL_STORES ? PERF_MEM_OP_STORE : 0);
}

static uint64_t fields_of(const struct pmu_event *e)
{
	uint64_t select = e->config & UARCH_EXACT, fields = PERF_SAMPLE_TRANSACTION;

	if (memory_op(e))
		fields |= PERF_SAMPLE_ADDR | PERF_SAMPLE_DATA_SRC;
	if (!pmu.hw.pebs.sources)
		return fields & ~PERF_SAMPLE_DATA_SRC;
	if (is_latency(e) || select == HLE_ABORTED || select == RTM_ABORTED)
		fields |= PERF_SAMPLE_WEIGHT_TYPE;
	return fields;
}

void pmu_precise_finish(struct pmu_event *e)
{
	e->pebs = true;
	e->out.fields = fields_of(e);
	e->config &= ~EVTSEL_INT;
	e->config |= pmu.hw.pebs.adaptive ? EVTSEL_ADAPTIVE : 0;
}

/* Linux's auxiliary event has no register. It must be the leader, or precede `e` in the group. */
int pmu_precise_check_group(const struct pmu_event *e, const struct pmu_event *leader,
			    struct reason *why)
{
	const uint64_t aux = uarch_latency_aux(pmu.uarch);

	if (!aux || !e->pebs || !is_latency(e) || !(e->attr.sample_type & PERF_SAMPLE_DATA_SRC))
		return 0;
	pmu_for_each (m, (struct pmu_event *)leader)
		if (m->uarch && (m->config & UARCH_EXACT) == aux)
			return 0;
	return refuse(why, ENODATA,
		      "a load's latency and source need event 0x%llx (mem-loads-aux) before it in "
		      "its group on this CPU (%s): {cpu/mem-loads-aux/,cpu/mem-loads/P}",
		      (unsigned long long)aux, pmu.uarch->name);
}

/* --- On a counter --- */

/* The groups of an adaptive record that the event's samples need. */
static uint64_t needed_groups(const struct pmu_event *e)
{
	return (e->attr.sample_type & FROM_MEMORY ? PEBS_DATA_MEMORY : 0) |
	       (e->attr.sample_type & ~WITHOUT_GPRS ? PEBS_DATA_GPRS : 0);
}

static uint64_t clamp_period(uint64_t period)
{
	return period < LEAST_PERIOD        ? LEAST_PERIOD
	       : period > pmu.hw.max_period ? pmu.hw.max_period
					    : period;
}

/*
 * The counter is set to one event less than the period: PEBS records the event after the overflow,
 * which is the last one of the period.
 */
static uint64_t counter_setting(const struct pmu_event *e, uint64_t period)
{
	return -pmu_fit_reload(e, clamp_period(period) - 1) & pmu.counter_mask;
}

void pmu_precise_load(struct pmu_event *e)
{
	e->prev = counter_setting(e, (uint64_t)e->left);
	e->reload = counter_setting(e, e->period);
	pmu_pebs_set_reload(&pmu.hw.pebs, e->place->index, e->reload);
	wrmsr(e->place->counter, e->prev);
}

void pmu_precise_start(struct pmu_event *e)
{
	pmu_pebs_start(&pmu.hw.pebs, e->place->index, is_latency(e), needed_groups(e));
	pmu.counters.precise |= 1ull << e->place->index;
}

void pmu_precise_stop(const struct pmu_event *e)
{
	pmu_pebs_stop(&pmu.hw.pebs, e->place->index);
	pmu.counters.precise &= ~(1ull << e->place->index);
}

/*
 * True where samples of `e` may be made later than their records. They must need only the record,
 * and no frequency, limit, handler or reader of the ring may need each one at once.
 */
static bool can_wait(const struct pmu_event *e)
{
	uint64_t fields = FROM_RECORD;

	if (pmu.hw.pebs.format >= FORMAT_OF_COUNTERS && pmu.host->tsc_ns)
		fields |= PERF_SAMPLE_TIME;
	return !(e->attr.sample_type & ~fields) && !e->attr.freq && !e->limit &&
	       !e->out.on_overflow && (e->attr.watermark || !e->attr.wakeup_events);
}

/* Records of format 2 do not distinguish two counters with certainty. */
void pmu_precise_arrange(void)
{
	bool wait = pmu.hw.pebs.format >= FORMAT_OF_COUNTERS ||
		    !(pmu.counters.precise & (pmu.counters.precise - 1));

	for (uint64_t left = pmu.counters.precise & pmu.counters.used; left && wait;
	     left &= left - 1)
		wait = can_wait(pmu.counters.on[bits_first(left)]);
	pmu_pebs_set_threshold(&pmu.hw.pebs, wait ? PMU_PEBS_MOST : 1);
}

/*
 * The number of events from this value of the counter to the next record, including the recorded
 * event.
 */
static uint64_t to_record(uint64_t counter)
{
	return (1 - counter) & pmu.counter_mask;
}

/* Each record in the buffer stands for one reload of the counter. */
uint64_t pmu_precise_since(const struct pmu_event *e, uint64_t prev, uint64_t now)
{
	struct pmu_pebs_record r;
	uint64_t since = 0;
	uint32_t at = 0;

	while (pmu_pebs_next(&pmu.hw.pebs, &at, &r)) {
		if (!(r.counters >> e->place->index & 1))
			continue;
		since += to_record(prev);
		prev = e->reload;
	}
	return since + ((now - prev) & pmu.counter_mask);
}

/* --- From records to samples --- */

/*
 * SDM vol. 3, "Intel TSX: Performance Monitoring Support": the cycles of an aborted transaction,
 * and its cause in bits 39:32. An abort by XABORT leaves its code in the upper byte of EAX.
 */
#define CACHE_CYCLES(latency) ((latency) >> 32 & 0xffff)
#define TSX_CYCLES(tuning)    ((tuning)&0xffffffff)
#define TSX_CAUSE(tuning)     ((tuning) >> 32 & 0xff)
#define XABORTED              1u
#define XABORT_CODE(eax)      ((eax) >> 24 & 0xff)

static uint64_t transaction_of(const struct pmu_pebs_record *r)
{
	uint64_t cause = TSX_CAUSE(r->tsx), code = 0;

	if (cause & PERF_TXN_TRANSACTION && r->gprs[0] & XABORTED)
		code = XABORT_CODE(r->gprs[0]);
	return cause | code << PERF_TXN_ABORT_SHIFT;
}

/* The latencies of a load: the cache latency, and the latency from its dispatch. */
static union perf_sample_weight latency_of(const struct pmu_event *e,
					   const struct pmu_pebs_record *r)
{
	union perf_sample_weight weight = {.full = CACHE_CYCLES(r->latency)};

	if (!uarch_has_latency_parts(pmu.uarch))
		return (union perf_sample_weight){.full = r->latency};
	if (e->attr.sample_type & PERF_SAMPLE_WEIGHT_STRUCT)
		weight.var2_w = (uint16_t)r->latency;
	return weight;
}

/* The latency of a sampled load, else the cycles of a transaction. */
static union perf_sample_weight weight_of(const struct pmu_event *e,
					  const struct pmu_pebs_record *r)
{
	if (is_latency(e))
		return latency_of(e, r);
	return (union perf_sample_weight){.full = TSX_CYCLES(r->tsx)};
}

static union perf_mem_data_src record_data_source(const struct pmu_event *e,
						  const struct pmu_pebs_record *r)
{
	if (is_latency(e))
		return pmu_data_source_load(uarch_sources(pmu.uarch), r->source);
	return pmu_data_source_access(r->source, memory_op(e));
}

static struct pmu_sample_data data_of(const struct pmu_event *e, const struct pmu_pebs_record *r)
{
	const uint64_t unknown = pmu.hw.pebs.sources ? 0 : OF_SOURCES;
	struct pmu_sample_data data = {
		.fields = r->has_memory ? FROM_MEMORY & ~unknown : 0,
		.exact_ip = e->attr.precise_ip >= NO_SKID || pmu.hw.pebs.adaptive,
		.addr = r->address,
		.weight = weight_of(e, r),
		.data_src = record_data_source(e, r),
		.transaction = transaction_of(r),
	};

	if (e->branches)
		pmu_branches_add(e, &data);
	if (r->tsc && pmu.host->tsc_ns) {
		data.fields |= PERF_SAMPLE_TIME;
		data.time = pmu.host->tsc_ns(r->tsc);
	}
	return data;
}

/* Fills in the registers after the instruction, but with the instruction's own IP. */
static void fill_frame(struct trap_frame *frame, const struct pmu_pebs_record *r, uint64_t ip)
{
	const uint64_t *g = r->gprs;

	*frame = (struct trap_frame){
		.rax = g[0],
		.rcx = g[1],
		.rdx = g[2],
		.rbx = g[3],
		.rsp = g[4],
		.rbp = g[5],
		.rsi = g[6],
		.rdi = g[7],
		.r8 = g[8],
		.r9 = g[9],
		.r10 = g[10],
		.r11 = g[11],
		.r12 = g[12],
		.r13 = g[13],
		.r14 = g[14],
		.r15 = g[15],
		.rip = ip,
		.rflags = r->rflags,
	};
}

/* precise_ip 1 uses the address after the instruction: a skid as without PEBS, but constant. */
static struct pmu_regs record_regs(const struct pmu_event *e, const struct pmu_pebs_record *r,
				   const struct pmu_regs *now, struct trap_frame *frame)
{
	struct pmu_regs regs = {.ip = r->ip, .user = now->user};

	if (e->attr.precise_ip < NO_SKID && !pmu.hw.pebs.adaptive)
		regs.ip = r->next_ip;
	if (pmu.host->is_user)
		regs.user = pmu.host->is_user(regs.ip);
	if (!r->has_regs)
		return regs;
	fill_frame(frame, r, regs.ip);
	if (now->frame && regs.user == now->user) {
		frame->cs = now->frame->cs;
		frame->ss = now->frame->ss;
	}
	regs.frame = frame;
	return regs;
}

static void serve_one(struct pmu_event *e, const struct pmu_pebs_record *r,
		      const struct pmu_regs *now)
{
	const uint64_t delta = to_record(e->prev);
	struct pmu_sample_data data;
	struct trap_frame frame;
	struct pmu_regs regs;

	e->prev = e->reload;
	e->left -= (int64_t)delta;
	local_store(&e->count, e->count + delta);
	if (e->left > 0)
		return;
	pmu_next_period(e);
	data = data_of(e, r);
	regs = record_regs(e, r, now, &frame);
	pmu_overflow(e, &regs, &data);
}

/* The counters that overflowed and were not reloaded yet: their value is little more than 0. */
static uint64_t still_armed(uint64_t counters)
{
	uint64_t found = 0;

	for (; counters; counters &= counters - 1) {
		const struct pmu_place *place = pmu.counters.on[bits_first(counters)]->place;

		if (!(rdpmc(place->rdpmc) & place->sign))
			found |= counters & -counters;
	}
	return found;
}

/* The counters named in the records from `at` on. */
static uint64_t named_from(uint32_t at)
{
	struct pmu_pebs_record r;
	uint64_t counters = 0;

	while (pmu_pebs_next(&pmu.hw.pebs, &at, &r))
		counters |= r.counters;
	return counters;
}

/*
 * A record of format 2 names all counters that had overflowed when it was written. It belongs to
 * some of them; the others waited for their own next event. These others either still wait
 * (still_armed()), or a later record belongs to them (named_from()). If the status was cleared
 * before the record was written, it names no counter. Then it belongs to the only precise counter,
 * if there is just one.
 */
static uint64_t record_counters(const struct pmu_pebs_record *r, uint32_t next)
{
	const uint64_t active = pmu.counters.precise & pmu.counters.used;
	uint64_t counters = r->counters & active;

	if (pmu.hw.pebs.format != 2)
		return counters;
	if (!counters)
		return active & (active - 1) ? 0 : active;
	if (!(counters & (counters - 1)))
		return counters;
	return counters & ~still_armed(counters) & ~named_from(next);
}

/*
 * The CPU has reloaded each counter with its set period. If the event needs another value now, the
 * counter is set again.
 */
static void correct_reloads(uint64_t counters)
{
	for (counters &= pmu.counters.used; counters; counters &= counters - 1) {
		struct pmu_event *e = pmu.counters.on[bits_first(counters)];

		if (e->prev == counter_setting(e, (uint64_t)e->left) &&
		    e->reload == counter_setting(e, e->period))
			continue;
		pmu_hardware_update(e);
		pmu_precise_load(e);
	}
}

uint64_t pmu_precise_serve(uint64_t status, const struct pmu_regs *now)
{
	struct pmu_pebs_record r;
	uint64_t served = 0;
	uint32_t at = 0;

	while (pmu_pebs_next(&pmu.hw.pebs, &at, &r)) {
		uint64_t counters = record_counters(&r, at);

		served |= counters;
		for (; counters; counters &= counters - 1)
			serve_one(pmu.counters.on[bits_first(counters)], &r, now);
	}
	if (at)
		pmu_pebs_empty();
	correct_reloads(served);
	return status & ~(pmu.counters.precise | GLOBAL_STATUS_OVF_BUF);
}
