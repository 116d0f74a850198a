// SPDX-License-Identifier: BSD-2-Clause
/*
 * model_pebs.c - precise events: the overflow of a counter arms PEBS, the event behind it is
 * recorded in the guest's DS buffer, and the counter starts again from its reset value there. SDM
 * vol. 3, "Processor Event Based Sampling (PEBS)", "PEBS Record Format" and "Adaptive PEBS".
 *
 * From overflow to record the counter's status bit is set; the record clears it. Where the buffer
 * has no room, or is not mapped, nothing is recorded and the counter is left as it is. What else
 * happens until the record is written belongs to the next period.
 *
 * Where loads come from is a story, like what events count (uarch.c): of each 100 that miss L1 80
 * hit L2, 16 the last level, and 4 go to memory.
 */
#include "vpmu/model/model_priv.h"

/* The DS buffer management area, with 64-bit fields: where its PEBS half begins. */
#define DS_PEBS          0x20
#define DS_RESET         0x40
#define DS_RESET_FIXED_8 0x80 /* behind those of eight general counters */

struct pebs_buffer {
	uint64_t base, index, maximum, threshold;
};

/* Formats 2 and 3; the last field is of format 3 only. */
struct pebs_record {
	uint64_t rflags, rip, rax, rbx, rcx, rdx, rsi, rdi, rbp, rsp;
	uint64_t r8, r9, r10, r11, r12, r13, r14, r15;
	uint64_t counters; /* 2: IA32_PERF_GLOBAL_STATUS; 3: those that the record is of */
	uint64_t address, source, latency, eventing_ip, tsx;
	uint64_t tsc;
};
_Static_assert(offsetof(struct pebs_record, counters) == 0x90, "layout");
_Static_assert(offsetof(struct pebs_record, eventing_ip) == 0xb0, "layout");
_Static_assert(sizeof(struct pebs_record) == 0xc8, "layout");
#define FORMAT_2_SIZE 0xc0

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
struct pebs_adaptive {
	struct pebs_basic basic;
	uint8_t groups[sizeof(struct pebs_memory) + sizeof(struct pebs_gprs)];
};

/* SDM vol. 3, "Data Source Encoding for Load Latency Record". */
enum data_source { SOURCE_L1 = 1, SOURCE_L2 = 3, SOURCE_L3 = 4, SOURCE_DRAM = 0xc };

struct memory_info {
	uint64_t address, source, latency;
};

/* Events of instructions that access memory: their records have its address. */
#define MEM_TRANS_RETIRED 0xcd
#define MEM_INST_RETIRED  0xd0
#define MEM_LOAD_RETIRED  0xd1
#define LOAD_LATENCY      0x01
#define UMASK_STORES      0x02 /* of MEM_INST_RETIRED: ALL_STORES, SPLIT_STORES, ... */
#define UMASK_LOADS       0x01

/* --- Which counters record --- */

static bool can_record(const struct vpmu_model *m, const struct vpmu_event *event)
{
	if (!m->uarch->precise)
		return true;
	for (size_t i = 0; i < m->uarch->nprecise; i++)
		if (m->uarch->precise[i] == (event->umask << 8 | event->code))
			return true;
	return false;
}

bool vpmu_pebs_live(const struct vpmu_model *m, const struct vpmu_live *l)
{
	if (!(m->pebs_enable & l->bit))
		return false;
	if (l->fixed)
		return is_adaptive(m);
	return m->event[l->number] && can_record(m, m->event[l->number]);
}

static uint64_t *after_register(struct vpmu_model *m, const struct vpmu_live *l)
{
	return l->fixed ? &m->fixed_after[l->number] : &m->gp_after[l->number];
}

static uint64_t to_overflow(const struct vpmu_model *m, const struct vpmu_counter *c)
{
	return (1ull << m->uarch->width) - c->value;
}

uint64_t vpmu_pebs_events(const struct vpmu_model *m, const struct vpmu_live *l,
			  const struct vpmu_counter *c)
{
	return m->pebs_armed & l->bit ? 1 : to_overflow(m, c) + 1;
}

void vpmu_pebs_count(struct vpmu_model *m, const struct vpmu_live *l, struct vpmu_counter *c,
		     uint64_t n)
{
	uint64_t room = to_overflow(m, c);

	if (m->pebs_due & l->bit) {
		*after_register(m, l) += n;
		return;
	}
	c->value = (c->value + n) & bits(m->uarch->width);
	if (!(m->pebs_armed & l->bit)) {
		if (n < room)
			return;
		m->pebs_armed |= l->bit;
		m->global_status |= l->bit;
		m->pmi_pending |= l->interrupts ? l->bit : 0;
		n -= room;
	}
	if (!n)
		return;
	m->pebs_due |= l->bit;
	*after_register(m, l) = n - 1;
}

/* --- What is recorded --- */

bool vpmu_model_due(const struct vpmu_model *m)
{
	return m->pebs_due;
}

/* The event that the lowest of the counters that are due counts; NULL: a fixed one. */
static const struct vpmu_event *due_event(const struct vpmu_model *m)
{
	unsigned bit = (unsigned)__builtin_ctzll(m->pebs_due);

	return bit < VPMU_MAX_GP ? m->event[bit] : NULL;
}

static bool is_memory(const struct vpmu_event *event)
{
	return event && (event->code == MEM_TRANS_RETIRED || event->code == MEM_INST_RETIRED ||
			 event->code == MEM_LOAD_RETIRED);
}

enum vpmu_access_kind vpmu_model_wants_access(const struct vpmu_model *m)
{
	const struct vpmu_event *event = m->pebs_due ? due_event(m) : NULL;

	if (!is_memory(event))
		return VPMU_ANY_ACCESS;
	if (event->code != MEM_INST_RETIRED)
		return VPMU_LOAD;
	if (event->umask & UMASK_STORES)
		return event->umask & UMASK_LOADS ? VPMU_ANY_ACCESS : VPMU_STORE;
	return VPMU_LOAD;
}

/* Where the next of the loads that miss L1 finds its data. */
static enum data_source beyond_l1(uint64_t record)
{
	switch (record % 25) {
	case 4:
	case 10:
	case 16:
	case 22:
		return SOURCE_L3;
	case 24:
		return SOURCE_DRAM;
	}
	return SOURCE_L2;
}

static enum data_source precise_data_source(const struct vpmu_event *event, uint64_t record)
{
	if (event->code == MEM_INST_RETIRED)
		return record % 20 ? SOURCE_L1 : beyond_l1(record / 20);
	if (event->code == MEM_TRANS_RETIRED)
		return beyond_l1(record);
	switch (event->umask) {
	case 0x01:
		return SOURCE_L1;
	case 0x02:
		return SOURCE_L2;
	case 0x04:
		return SOURCE_L3;
	case 0x10:
		return record % 5 ? SOURCE_L3 : SOURCE_DRAM;
	case 0x20:
		return SOURCE_DRAM;
	}
	return beyond_l1(record);
}

/* Cycles; a load that is recorded for its latency had as long a one as was asked for. */
static uint64_t latency_of(const struct vpmu_model *m, enum data_source source)
{
	uint64_t cycles = source == SOURCE_L2 ? 14 : source == SOURCE_L3 ? 50 : 200;

	return cycles > m->ld_lat ? cycles : m->ld_lat;
}

/* Format 2 tells the source with the latency only; of a store, whether it hit L1: it did. */
static struct memory_info memory_info(const struct vpmu_model *m, const struct vpmu_state *s)
{
	const struct vpmu_event *event = due_event(m);
	struct memory_info info = {0};
	bool latency;

	if (!is_memory(event))
		return info;
	latency = event->code == MEM_TRANS_RETIRED && event->umask == LOAD_LATENCY;
	info.address = s->address;
	if (latency || (pebs_format(m) > 2 && vpmu_model_wants_access(m) == VPMU_LOAD))
		info.source = precise_data_source(event, m->pebs_records);
	else if (vpmu_model_wants_access(m) == VPMU_STORE)
		info.source = 1;
	if (latency)
		info.latency = latency_of(m, (enum data_source)info.source);
	return info;
}

static size_t make_record(const struct vpmu_model *m, const struct vpmu_state *s,
			  struct pebs_record *r)
{
	const struct memory_info info = memory_info(m, s);
	bool format_2 = pebs_format(m) == 2;

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
		.counters = format_2 ? m->global_status : m->pebs_due,
		.address = info.address,
		.source = info.source,
		.latency = info.latency,
		.eventing_ip = s->eventing_ip,
		.tsc = s->tsc,
	};
	return format_2 ? FORMAT_2_SIZE : sizeof(*r);
}

/* Only the basic group for a counter without Adaptive_Record. */
static uint32_t wanted_groups(const struct vpmu_model *m)
{
	uint64_t fixed = m->pebs_due >> GLOBAL_FIXED_SHIFT, adaptive = 0;

	for (unsigned i = 0; i < m->ngp; i++)
		adaptive |= m->pebs_due >> i & 1 ? m->evtsel[i] & EVTSEL_ADAPTIVE : 0;
	for (unsigned i = 0; i < m->nfixed; i++)
		adaptive |= fixed >> i & 1
				    ? m->fixed_ctrl >> FIXED_CTRL_SHIFT(i) & FIXED_CTRL_ADAPTIVE
				    : 0;
	return adaptive ? (uint32_t)m->pebs_data_cfg : 0;
}

static size_t make_adaptive(const struct vpmu_model *m, const struct vpmu_state *s,
			    struct pebs_adaptive *r)
{
	const struct memory_info info = memory_info(m, s);
	uint8_t *at = r->groups;

	r->basic = (struct pebs_basic){
		.groups = wanted_groups(m),
		.eventing_ip = s->eventing_ip,
		.counters = m->pebs_due,
		.tsc = s->tsc,
	};
	if (r->basic.groups & PEBS_DATA_MEMORY) {
		*(struct pebs_memory *)at = (struct pebs_memory){
			.address = info.address,
			.source = info.source,
			.latency = info.latency,
		};
		at += sizeof(struct pebs_memory);
	}
	if (r->basic.groups & PEBS_DATA_GPRS) {
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
		at += sizeof(struct pebs_gprs);
	}
	r->basic.size = (uint16_t)(at - (uint8_t *)r);
	return r->basic.size;
}

/* --- Into the buffer --- */

static uint64_t reset_address(const struct vpmu_model *m, unsigned bit)
{
	if (bit < VPMU_MAX_GP)
		return m->ds_area + DS_RESET + bit * 8;
	return m->ds_area + DS_RESET_FIXED_8 + (bit - GLOBAL_FIXED_SHIFT) * 8;
}

static const struct vpmu_live *find_live(const struct vpmu_model *m, uint64_t bit)
{
	for (unsigned i = 0; i < m->nlive; i++)
		if (m->live[i].bit == bit)
			return &m->live[i];
	return NULL;
}

/* What happened since its event counts from the reset value on. */
static void reload_counter(struct vpmu_model *m, unsigned bit, uint64_t value)
{
	const struct vpmu_live *l = find_live(m, 1ull << bit);
	struct vpmu_counter *c =
		bit < VPMU_MAX_GP ? &m->gp[bit] : &m->fixed[bit - GLOBAL_FIXED_SHIFT];

	m->pebs_armed &= ~(1ull << bit);
	m->pebs_due &= ~(1ull << bit);
	m->global_status &= ~(1ull << bit);
	c->value = value & bits(m->uarch->width);
	if (l && *after_register(m, l))
		vpmu_pebs_count(m, l, c, *after_register(m, l));
}

static void reload_all(struct vpmu_model *m, const struct vpmu_memory *memory)
{
	for (uint64_t left = m->pebs_due; left; left &= left - 1) {
		unsigned bit = (unsigned)__builtin_ctzll(left);
		uint64_t value = 0;

		memory->read(reset_address(m, bit), &value, sizeof(value));
		reload_counter(m, bit, value);
	}
}

static bool append_pebs_record(const struct vpmu_model *m, const struct vpmu_memory *memory,
			       const void *record, size_t size, bool *full)
{
	uint64_t at = m->ds_area + DS_PEBS;
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
		m->pebs_armed &= ~m->pebs_due;
		m->pebs_due = 0;
		return;
	}
	m->pebs_records++;
	reload_all(m, memory);
	if (!full)
		return;
	m->global_status |= GLOBAL_STATUS_OVF_BUF;
	m->pmi_pending |= GLOBAL_STATUS_OVF_BUF;
}
