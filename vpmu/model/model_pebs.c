// SPDX-License-Identifier: BSD-2-Clause
/*
 * model_pebs.c - precise events. The overflow of a counter arms PEBS; the next event is recorded in
 * the guest's DS buffer, and the counter starts again from its reset value there. SDM vol. 3,
 * "Processor Event Based Sampling (PEBS)", "PEBS Record Format" and "Adaptive PEBS".
 *
 * From overflow to record the counter's status bit is set; the record clears it. If the buffer is
 * full or not mapped, nothing is recorded, and the counter stays as it is. Events between the
 * recorded event and the record belong to the next period.
 */
#include "vpmu/model/model_priv.h"

#include "lib/string.h"

/* The PEBS half of the DS buffer management area, with 64-bit fields. */
#define DS_PEBS  0x20
#define DS_RESET 0x40

struct pebs_buffer {
	uint64_t base, index, maximum, threshold;
};

/* Formats 1 to 3: each extends the one before. */
struct pebs_record {
	uint64_t rflags, rip, rax, rbx, rcx, rdx, rsi, rdi, rbp, rsp;
	uint64_t r8, r9, r10, r11, r12, r13, r14, r15;
	uint64_t counters; /* formats 1, 2: IA32_PERF_GLOBAL_STATUS; 3: the counters that the record
			      is of */
	uint64_t address, source, latency;
	uint64_t eventing_ip, tsx;
	uint64_t tsc;
};
_Static_assert(offsetof(struct pebs_record, counters) == 0x90, "layout");
_Static_assert(offsetof(struct pebs_record, eventing_ip) == 0xb0, "layout");
_Static_assert(sizeof(struct pebs_record) == 0xc8, "layout");
static const uint8_t record_sizes[] = {[1] = 0xb0, [2] = 0xc0, [3] = sizeof(struct pebs_record)};

/* The groups of an adaptive record, in this order. */
struct pebs_basic {
	uint32_t groups;
	uint16_t reserved, size; /* bytes of the whole record */
	uint64_t eventing_ip, counters, tsc;
};
struct pebs_memory {
	uint64_t address, source, latency, tsx;
};
struct pebs_gprs {
	uint64_t rflags, rip, rax, rcx, rdx, rbx, rsp, rbp, rsi, rdi;
	uint64_t r8, r9, r10, r11, r12, r13, r14, r15;
};
struct pebs_xmms {
	uint64_t xmm[VPMU_XMMS][2];
};
struct pebs_branch {
	uint64_t from_to_info[3];
};
struct pebs_counters {
	uint32_t general, fixed, metrics,
		reserved; /* masks of the values that follow, 8 bytes each */
};
#define WITH_METRICS 3 /* the fixed counter of slots, and MSR_PERF_METRICS */
struct pebs_adaptive {
	struct pebs_basic basic;
	uint8_t groups[sizeof(struct pebs_memory) + sizeof(struct pebs_gprs) +
		       sizeof(struct pebs_xmms) + BRANCH_RECORDS * sizeof(struct pebs_branch) +
		       sizeof(struct pebs_counters) +
		       (VPMU_MAX_GP + VPMU_MAX_FIXED + 2) * sizeof(uint64_t)];
};
#define LBR_ENTRIES(groups) (((groups) >> 24) + 1)

/* SDM vol. 3, "Data Source Encoding for Load Latency Record", and the encodings of later cores. 0:
 * unknown source. */
#define FROM(l1, fill, l2, llc, memory)                                                        \
	{                                                                                      \
		[EVENTS_FROM_L1] = (l1), [EVENTS_FROM_FILL] = (fill), [EVENTS_FROM_L2] = (l2), \
		[EVENTS_FROM_LLC] = (llc), [EVENTS_FROM_MEMORY] = (memory),                    \
	}
static const struct source_codes {
	uint8_t from[EVENTS_FROM_MEMORY + 1];
	uint8_t hit, hitm; /* of the last level: another core had the line, or had modified it */
	uint16_t stlb_miss, locked;
} source_codes[] = {
	[VPMU_SOURCES_SKYLAKE] = {FROM(1, 2, 3, 4, 0xa), 6, 7, 1 << 4, 1 << 5},
	[VPMU_SOURCES_GRACEMONT] = {FROM(1, 2, 3, 4, 0xa), 5, 6, 1 << 5, 1 << 4},
	[VPMU_SOURCES_CRESTMONT] = {FROM(1, 2, 3, 4, 0xa), 6, 8, 1 << 6, 1 << 5},
	[VPMU_SOURCES_LION_COVE] = {FROM(1, 3, 5, 8, 0x11), 0xc, 0xd, 1 << 10, 1 << 11},
};
#undef FROM
#define SOURCE_DRAM_HASWELL 0xc /* exclusive; later cores use the code for something else */
/* Stores in "Layout of Data Linear Address Information in PEBS Record". */
#define STORE_HIT_L1 0x01u

struct memory_info {
	uint64_t address, source, latency;
};

/* Events of instructions that access memory: their records have the address. */
#define MEM_TRANS_RETIRED       0xcd
#define MEM_INST_RETIRED        0xd0
#define MEM_LOAD_RETIRED        0xd1
#define STORE_SAMPLE            0x02
#define MEM_LOAD_L3_HIT_RETIRED 0xd2
#define UMASK_STORES            0x02 /* MEM_INST_RETIRED: ALL_STORES, SPLIT_STORES, ... */
#define UMASK_LOADS             0x01

/* --- Which counters record --- */

static bool can_record(const struct vpmu_model *m, const struct vpmu_event *event)
{
	return m->uarch->pebs_extended || vpmu_table_is_precise(m->uarch->events, event);
}

bool vpmu_pebs_live(const struct vpmu_model *m, const struct vpmu_live *l)
{
	if (!(m->pebs.enable & l->bit))
		return false;
	if (l->fixed)
		return m->uarch->pebs_extended;
	return m->regs.event[l->number] && can_record(m, m->regs.event[l->number]);
}

static bool is_latency(const struct vpmu_event *event)
{
	return event->kinds == VPMU_KINDS_LD_LAT;
}

static bool is_memory(const struct vpmu_event *event)
{
	return event && (is_latency(event) || event->code == MEM_TRANS_RETIRED ||
			 event->code == MEM_INST_RETIRED || event->code == MEM_LOAD_RETIRED ||
			 event->code == MEM_LOAD_L3_HIT_RETIRED);
}

bool vpmu_pebs_tells_access(const struct vpmu_model *m, const struct vpmu_live *l)
{
	return !l->fixed && is_memory(m->regs.event[l->number]);
}

static uint64_t *after_register(struct vpmu_model *m, const struct vpmu_live *l)
{
	return l->fixed ? &m->pebs.fixed_after[l->number] : &m->pebs.gp_after[l->number];
}

static uint64_t to_overflow(const struct vpmu_model *m, const struct vpmu_counter *c)
{
	return (1ull << m->uarch->width) - c->value;
}

uint64_t vpmu_pebs_events(const struct vpmu_model *m, const struct vpmu_live *l,
			  const struct vpmu_counter *c)
{
	return m->pebs.armed & l->bit ? 1 : to_overflow(m, c) + 1;
}

void vpmu_pebs_count(struct vpmu_model *m, const struct vpmu_live *l, struct vpmu_counter *c,
		     uint64_t n)
{
	uint64_t room = to_overflow(m, c);

	m->pebs.now |= n ? l->bit : 0;
	if (m->pebs.due & l->bit) {
		*after_register(m, l) += n;
		return;
	}
	c->value = (c->value + n) & bits(m->uarch->width);
	if (!(m->pebs.armed & l->bit)) {
		if (n < room)
			return;
		m->pebs.armed |= l->bit;
		m->reload.due |= l->reloads ? l->bit : 0;
		m->regs.global_status |= l->bit;
		m->pmi.pending |= l->interrupts ? l->bit : 0;
		n -= room;
	}
	if (!n)
		return;
	m->pebs.due |= l->bit;
	*after_register(m, l) = n - 1;
}

/* --- What is recorded --- */

bool vpmu_model_due(const struct vpmu_model *m)
{
	return m->pebs.due;
}

bool vpmu_model_due_now(const struct vpmu_model *m)
{
	return m->pebs.due & m->pebs.now;
}

/*
 * The counters that the record is of. A counter that waits for another instruction keeps waiting.
 */
static uint64_t due_set(const struct vpmu_model *m)
{
	const uint64_t now = m->pebs.due & m->pebs.now;

	return now ? now : m->pebs.due;
}

/* The event of the lowest counter that is due; NULL: a fixed counter. */
static const struct vpmu_event *due_event(const struct vpmu_model *m)
{
	unsigned bit = (unsigned)__builtin_ctzll(due_set(m));

	return bit < VPMU_MAX_GP ? m->regs.event[bit] : NULL;
}

enum vpmu_access_kind vpmu_model_wants_access(const struct vpmu_model *m)
{
	const struct vpmu_event *event = m->pebs.due ? due_event(m) : NULL;

	if (!is_memory(event))
		return VPMU_ANY_ACCESS;
	if (event->code == MEM_TRANS_RETIRED && event->umask == STORE_SAMPLE)
		return VPMU_STORE;
	if (event->code != MEM_INST_RETIRED)
		return VPMU_LOAD;
	if (event->umask & UMASK_STORES)
		return event->umask & UMASK_LOADS ? VPMU_ANY_ACCESS : VPMU_STORE;
	return VPMU_LOAD;
}

bool vpmu_model_due_is_counted(const struct vpmu_model *m)
{
	const struct vpmu_event *event = m->pebs.due ? due_event(m) : NULL;

	return event && vpmu_event_is_counted(m, event);
}

static uint64_t load_source(const struct vpmu_model *m, const struct events_access *a)
{
	const struct source_codes *codes = &source_codes[m->uarch->sources];

	if (a->source == EVENTS_FROM_LLC && a->snoop == EVENTS_SNOOP_HITM)
		return codes->hitm;
	if (a->source == EVENTS_FROM_LLC && a->snoop == EVENTS_SNOOP_HIT)
		return codes->hit;
	if (a->source == EVENTS_FROM_MEMORY && m->uarch->has & VPMU_OLD_SOURCES)
		return SOURCE_DRAM_HASWELL;
	return codes->from[a->source];
}

static uint64_t access_status(const struct vpmu_model *m, const struct events_last *last,
			      const struct events_access *a)
{
	const struct source_codes *codes = &source_codes[m->uarch->sources];

	return (a->store ? a->source == EVENTS_FROM_L1 ? STORE_HIT_L1 : 0 : load_source(m, a)) |
	       (a->translation == EVENTS_WALK ? codes->stlb_miss : 0) |
	       (last->locked ? codes->locked : 0);
}

/* The access of the record: the store, if the event is of stores; otherwise the load, if there is
 * one. */
static const struct events_access *recorded_access(const struct vpmu_model *m,
						   const struct events_last *last)
{
	const bool store = vpmu_model_wants_access(m) == VPMU_STORE;
	const struct events_access *a = vpmu_access_of(last, store);

	return a ? a : vpmu_access_of(last, !store);
}

/* From Golden Cove on the cache's part is a field of its own. Here it equals the time from dispatch
 * to data. */
static uint64_t latency_field(const struct vpmu_model *m, uint64_t cycles)
{
	const uint64_t whole = cycles < UINT16_MAX ? cycles : UINT16_MAX;

	return m->uarch->latency_parts ? whole << 32 | whole : cycles;
}

/* Format 2 reports a load's source with its latency only. Without a model of a core both are
 * unknown, except that the load took at least the threshold. */
static struct memory_info memory_info(const struct vpmu_model *m, const struct vpmu_state *s)
{
	const struct vpmu_event *event = due_event(m);
	const struct events_access *a = recorded_access(m, &s->model);

	if (!is_memory(event))
		return (struct memory_info){0};
	if (!a)
		return (struct memory_info){
			.address = s->address,
			.latency = is_latency(event) ? latency_field(m, m->regs.ld_lat) : 0,
		};
	return (struct memory_info){
		.address = a->va,
		.source = a->store || is_latency(event) || pebs_format(m) > 2
				  ? access_status(m, &s->model, a)
				  : 0,
		.latency = is_latency(event) ? latency_field(m, a->latency) : 0,
	};
}

static size_t make_record(const struct vpmu_model *m, const struct vpmu_state *s,
			  struct pebs_record *r)
{
	const struct memory_info info = memory_info(m, s);
	const unsigned format = pebs_format(m);

	*r = (struct pebs_record){
		.rflags = s->rflags,
		.rip = s->rip,
		.rax = s->rax,
		.rbx = s->rbx,
		.rcx = s->rcx,
		.rdx = s->rdx,
		.rsi = s->rsi,
		.rdi = s->rdi,
		.rbp = s->rbp,
		.rsp = s->rsp,
		.r8 = s->r8,
		.r9 = s->r9,
		.r10 = s->r10,
		.r11 = s->r11,
		.r12 = s->r12,
		.r13 = s->r13,
		.r14 = s->r14,
		.r15 = s->r15,
		.counters = format <= 2 ? m->regs.global_status : due_set(m),
		.address = info.address,
		.source = info.source,
		.latency = info.latency,
		.eventing_ip = s->eventing_ip,
		.tsc = s->tsc,
	};
	return record_sizes[format];
}

/* A counter without Adaptive_Record gets the basic group only. */
static uint32_t wanted_groups(const struct vpmu_model *m)
{
	uint64_t fixed = due_set(m) >> GLOBAL_FIXED_SHIFT, adaptive = 0;

	for (unsigned i = 0; i < m->layout.ngp; i++)
		adaptive |= due_set(m) >> i & 1 ? m->regs.evtsel[i] & EVTSEL_ADAPTIVE : 0;
	for (unsigned i = 0; i < m->layout.nfixed; i++)
		adaptive |= fixed >> i & 1 ? m->regs.fixed_ctrl >> FIXED_CTRL_SHIFT(i) &
						     FIXED_CTRL_ADAPTIVE
					   : 0;
	return adaptive ? (uint32_t)m->pebs.data_cfg : 0;
}

bool vpmu_model_wants_xmms(const struct vpmu_model *m)
{
	return m->pebs.due && wanted_groups(m) & PEBS_DATA_XMMS;
}

/* Each function returns the end of its group. */
static uint8_t *put_memory(uint8_t *at, const struct memory_info *info)
{
	*(struct pebs_memory *)at = (struct pebs_memory){
		.address = info->address,
		.source = info->source,
		.latency = info->latency,
	};
	return at + sizeof(struct pebs_memory);
}

static uint8_t *put_gprs(uint8_t *at, const struct vpmu_state *s)
{
	*(struct pebs_gprs *)at = (struct pebs_gprs){
		.rflags = s->rflags,
		.rip = s->rip,
		.rax = s->rax,
		.rcx = s->rcx,
		.rdx = s->rdx,
		.rbx = s->rbx,
		.rsp = s->rsp,
		.rbp = s->rbp,
		.rsi = s->rsi,
		.rdi = s->rdi,
		.r8 = s->r8,
		.r9 = s->r9,
		.r10 = s->r10,
		.r11 = s->r11,
		.r12 = s->r12,
		.r13 = s->r13,
		.r14 = s->r14,
		.r15 = s->r15,
	};
	return at + sizeof(struct pebs_gprs);
}

static uint8_t *put_xmms(uint8_t *at, const struct vpmu_state *s)
{
	memcpy(at, s->xmm, sizeof(s->xmm));
	return at + sizeof(s->xmm);
}

static uint8_t *put_branches(uint8_t *at, const struct vpmu_model *m, uint32_t n)
{
	for (unsigned i = 0; i < n; i++) {
		vpmu_branches_show(m, i, ((struct pebs_branch *)at)->from_to_info);
		at += sizeof(struct pebs_branch);
	}
	return at;
}

static uint8_t *put_value(uint8_t *at, uint64_t value)
{
	memcpy(at, &value, sizeof(value));
	return at + sizeof(value);
}

/* The values at the time of the record, before the recorded counters start again. */
static uint8_t *put_counters(uint8_t *at, const struct vpmu_model *m, uint32_t groups)
{
	const bool counters = groups & PEBS_DATA_COUNTERS, metrics = groups & PEBS_DATA_METRICS;
	const struct pebs_counters head = {
		.general = counters ? m->pebs.data_cfg >> 32 & bits(VPMU_MAX_GP) : 0,
		.fixed = counters ? m->pebs.data_cfg >> 48 & bits(8) : 0,
		.metrics = metrics ? WITH_METRICS : 0,
	};

	memcpy(at, &head, sizeof(head));
	at += sizeof(head);
	for (unsigned i = 0; i < m->layout.ngp; i++)
		if (head.general >> i & 1)
			at = put_value(at, m->regs.gp[i].value);
	for (unsigned i = 0; i < m->layout.nfixed; i++)
		if (head.fixed >> i & 1)
			at = put_value(at, m->regs.fixed[i].value);
	if (!metrics)
		return at;
	at = put_value(at, m->regs.fixed[FIXED_SLOTS].value);
	return put_value(at, m->regs.perf_metrics);
}

static size_t make_adaptive(const struct vpmu_model *m, const struct vpmu_state *s,
			    struct pebs_adaptive *r)
{
	const struct memory_info info = memory_info(m, s);
	const uint32_t groups = wanted_groups(m);
	uint8_t *at = r->groups;

	r->basic = (struct pebs_basic){
		.groups = groups,
		.eventing_ip = s->eventing_ip,
		.counters = due_set(m),
		.tsc = s->tsc,
	};
	if (groups & PEBS_DATA_MEMORY)
		at = put_memory(at, &info);
	if (groups & PEBS_DATA_GPRS)
		at = put_gprs(at, s);
	if (groups & PEBS_DATA_XMMS)
		at = put_xmms(at, s);
	if (groups & PEBS_DATA_LBRS)
		at = put_branches(at, m, LBR_ENTRIES(groups));
	if (groups & (PEBS_DATA_COUNTERS | PEBS_DATA_METRICS))
		at = put_counters(at, m, groups);
	r->basic.size = (uint16_t)(at - (uint8_t *)r);
	return r->basic.size;
}

/* --- Into the buffer --- */

static uint64_t reset_address(const struct vpmu_model *m, unsigned bit)
{
	if (bit < VPMU_MAX_GP)
		return m->pebs.ds_area + DS_RESET + bit * 8;
	return m->pebs.ds_area + DS_RESET + (pebs_resets(m) + bit - GLOBAL_FIXED_SHIFT) * 8;
}

static const struct vpmu_live *find_live(const struct vpmu_model *m, uint64_t bit)
{
	for (unsigned i = 0; i < m->derived.nlive; i++)
		if (m->derived.live[i].bit == bit)
			return &m->derived.live[i];
	return NULL;
}

/* Events since the recorded one count from the reset value on. */
static void reload_counter(struct vpmu_model *m, unsigned bit, uint64_t value)
{
	const struct vpmu_live *l = find_live(m, 1ull << bit);
	struct vpmu_counter *c =
		bit < VPMU_MAX_GP ? &m->regs.gp[bit] : &m->regs.fixed[bit - GLOBAL_FIXED_SHIFT];

	m->pebs.armed &= ~(1ull << bit);
	m->pebs.due &= ~(1ull << bit);
	m->regs.global_status &= ~(1ull << bit);
	c->value = value & bits(m->uarch->width);
	if (l && *after_register(m, l))
		vpmu_pebs_count(m, l, c, *after_register(m, l));
}

static void reload_all(struct vpmu_model *m, const struct vpmu_memory *memory)
{
	for (uint64_t left = due_set(m); left; left &= left - 1) {
		unsigned bit = (unsigned)__builtin_ctzll(left);
		uint64_t value = 0;

		memory->read(reset_address(m, bit), &value, sizeof(value));
		reload_counter(m, bit, value);
	}
}

static bool append_pebs_record(const struct vpmu_model *m, const struct vpmu_memory *memory,
			       const void *record, size_t size, bool *full)
{
	uint64_t at = m->pebs.ds_area + DS_PEBS;
	struct pebs_buffer b;

	if (!memory->read(at, &b, sizeof(b)) || b.index < b.base || b.index + size > b.maximum ||
	    !memory->write(b.index, record, size))
		return false;
	b.index += size;
	*full = b.index >= b.threshold;
	return memory->write(at + offsetof(struct pebs_buffer, index), &b.index, sizeof(b.index));
}

void vpmu_model_record(struct vpmu_model *m, const struct vpmu_state *s,
		       const struct vpmu_memory *memory)
{
	union {
		struct pebs_record fixed;
		struct pebs_adaptive adaptive;
	} record;
	size_t size = is_adaptive(m) ? make_adaptive(m, s, &record.adaptive)
				     : make_record(m, s, &record.fixed);
	bool full = false;

	if (!append_pebs_record(m, memory, &record, size, &full)) {
		const uint64_t set = due_set(m);

		m->pebs.armed &= ~set;
		m->pebs.due &= ~set;
		return;
	}
	reload_all(m, memory);
	if (m->reload.due)
		vpmu_reload_counters(m);
	if (!full)
		return;
	m->regs.global_status |= GLOBAL_STATUS_OVF_BUF;
	m->pmi.pending |= GLOBAL_STATUS_OVF_BUF;
}
