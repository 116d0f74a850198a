// SPDX-License-Identifier: BSD-2-Clause
/*
 * sample_parts.c - see sample_parts.h. A row is a field, in the order of <linux/perf_event.h>,
 * PERF_RECORD_SAMPLE. record_sample.c writes the one-word fields up to PERIOD, which precede these.
 */
#include "pmu/record/sample_parts.h"

#include "arch/x86/cpu/trap_frame.h"
#include "lib/string.h"
#include "lib/bits.h"
#include "pmu/record/output.h"
#include "pmu/state/hold.h"
#include "pmu/state/read.h"

#include <asm/perf_regs.h>
#include <stddef.h>

#define CHUNK 256 /* bytes of a stack that are copied at once */

/* --- READ --- */

static void measure_read(struct pmu_sample *s)
{
	s->size += pmu_read_size(s->e);
}

static void put_read(struct rb_writer *w, struct pmu_sample *s)
{
	pmu_put_read(w, s->e);
}

/* --- CALLCHAIN --- */

static void measure_chain(struct pmu_sample *s)
{
	s->nchain = pmu_callchain(s->e, s->at, s->was, s->chain);
	s->size += PMU_WORD * (1 + s->nchain);
}

static void put_chain(struct rb_writer *w, struct pmu_sample *s)
{
	rb_put(w, s->nchain);
	rb_put_words(w, s->chain, s->nchain);
}

/* --- RAW: a size word of 32 bits, and bytes up to the next whole word, which count as data. --- */

static const struct pmu_raw *raw_of(const struct pmu_sample *s)
{
	static const struct pmu_raw none = {.data = ""};

	return s->data->fields & PERF_SAMPLE_RAW ? s->data->raw : &none;
}

static size_t raw_bytes(const struct pmu_sample *s)
{
	return pmu_padded(sizeof(uint32_t) + raw_of(s)->size);
}

static void measure_raw(struct pmu_sample *s)
{
	s->size += raw_bytes(s);
}

static void put_raw(struct rb_writer *w, struct pmu_sample *s)
{
	const struct pmu_raw *raw = raw_of(s);
	const uint8_t *bytes = raw->data;
	uint32_t first = raw->size < sizeof(uint32_t) ? raw->size : sizeof(uint32_t), head = 0;

	memcpy(&head, bytes, first);
	rb_put(w, pmu_pair((uint32_t)(raw_bytes(s) - sizeof(uint32_t)), head));
	rb_put_bytes(w, bytes + first, raw->size - first);
}

/* --- BRANCH_STACK --- */

static const struct pmu_branches *branches_of(const struct pmu_sample *s)
{
	static const struct pmu_branches none = {.hw_idx = UINT64_MAX};

	return s->data->fields & PERF_SAMPLE_BRANCH_STACK ? s->data->branches : &none;
}

static bool has_index(const struct pmu_sample *s)
{
	return s->e->attr.branch_sample_type & PERF_SAMPLE_BRANCH_HW_INDEX;
}

static void measure_branches(struct pmu_sample *s)
{
	s->size += PMU_WORD * (1 + has_index(s)) +
		   branches_of(s)->n * sizeof(struct perf_branch_entry);
}

static void put_branches(struct rb_writer *w, struct pmu_sample *s)
{
	const struct pmu_branches *b = branches_of(s);

	rb_put(w, b->n);
	if (has_index(s))
		rb_put(w, b->hw_idx);
	rb_put_bytes(w, b->entry, b->n * sizeof(*b->entry));
}

/* --- REGS_USER, REGS_INTR: the ABI, then the registers of the mask, from bit 0 on. --- */

static const uint8_t offsets[PERF_REG_X86_64_MAX] = {
#define AT(name, member) [PERF_REG_X86_##name] = offsetof(struct trap_frame, member)
	AT(AX, rax),  AT(BX, rbx),  AT(CX, rcx),       AT(DX, rdx),  AT(SI, rsi),
	AT(DI, rdi),  AT(BP, rbp),  AT(SP, rsp),       AT(IP, rip),  AT(CS, cs),
	AT(SS, ss),   AT(R8, r8),   AT(FLAGS, rflags), AT(R9, r9),   AT(R10, r10),
	AT(R11, r11), AT(R12, r12), AT(R13, r13),      AT(R14, r14), AT(R15, r15),
#undef AT
};

static size_t registers_bytes(const struct trap_frame *frame, uint64_t mask)
{
	return PMU_WORD * (1 + (frame ? bits_count(mask) : 0));
}

static void put_registers(struct rb_writer *w, const struct trap_frame *frame, uint64_t mask)
{
	rb_put(w, frame ? PERF_SAMPLE_REGS_ABI_64 : PERF_SAMPLE_REGS_ABI_NONE);
	for (; frame && mask; mask &= mask - 1) {
		uint64_t value;

		memcpy(&value, (const uint8_t *)frame + offsets[bits_first(mask)], sizeof(value));
		rb_put(w, value);
	}
}

/* The registers of ring 3 if it was interrupted: a system call does not save all of them. */
static const struct trap_frame *user_frame(const struct pmu_sample *s)
{
	return s->was->user ? s->was->frame : NULL;
}

static void measure_user_registers(struct pmu_sample *s)
{
	s->size += registers_bytes(user_frame(s), s->e->attr.sample_regs_user);
}

static void put_user_registers(struct rb_writer *w, struct pmu_sample *s)
{
	put_registers(w, user_frame(s), s->e->attr.sample_regs_user);
}

static void measure_interrupted_registers(struct pmu_sample *s)
{
	s->size += registers_bytes(s->was->frame, s->e->attr.sample_regs_intr);
}

static void put_interrupted_registers(struct rb_writer *w, struct pmu_sample *s)
{
	put_registers(w, s->was->frame, s->e->attr.sample_regs_intr);
}

/* --- STACK_USER: its size, the bytes from the stack pointer on, the number of valid bytes --- */

/* The other fields take precedence: the stack is cut to the room left in the record. */
static void measure_stack(struct pmu_sample *s)
{
	const uint64_t fixed = s->size + 2 * PMU_WORD;
	const uint64_t room = fixed < RB_MAX_RECORD ? RB_MAX_RECORD - fixed : 0;

	s->stack = user_frame(s) ? s->e->attr.sample_stack_user : 0;
	if (s->stack > room)
		s->stack = (uint32_t)room;
	s->size += PMU_WORD + (s->stack ? s->stack + PMU_WORD : 0);
}

static void put_stack(struct rb_writer *w, struct pmu_sample *s)
{
	uint8_t chunk[CHUNK];
	uint32_t copied = 0;
	bool mapped = true;
	uint64_t held;

	rb_put(w, s->stack);
	if (!s->stack)
		return;
	held = pmu_breakpoints_hold();
	for (uint32_t done = 0, n; done < s->stack; done += n) {
		size_t got = 0;

		n = s->stack - done < CHUNK ? s->stack - done : CHUNK;
		if (mapped)
			got = pmu.host->read_user(chunk, user_frame(s)->rsp + done, n);
		mapped = got == n;
		memset(chunk + got, 0, n - got);
		rb_put_bytes(w, chunk, n);
		copied += (uint32_t)got;
	}
	pmu_breakpoints_release(held);
	rb_put(w, copied);
}

/* --- Fields of the event's kind --- */

static void measure_word(struct pmu_sample *s)
{
	s->size += PMU_WORD;
}

static void put_weight(struct rb_writer *w, struct pmu_sample *s)
{
	rb_put(w, pmu_given(s->data, PERF_SAMPLE_WEIGHT_TYPE, s->data->weight.full));
}

/* The value of <linux/perf_event.h> for "not available", part by part. */
#define NO_DATA_SRC                                                                                \
	(PERF_MEM_S(OP, NA) | PERF_MEM_S(LVL, NA) | PERF_MEM_S(SNOOP, NA) | PERF_MEM_S(LOCK, NA) | \
	 PERF_MEM_S(TLB, NA))

static void put_data_src(struct rb_writer *w, struct pmu_sample *s)
{
	rb_put(w, s->data->fields & PERF_SAMPLE_DATA_SRC ? s->data->data_src.val : NO_DATA_SRC);
}

static void put_transaction(struct rb_writer *w, struct pmu_sample *s)
{
	rb_put(w, pmu_given(s->data, PERF_SAMPLE_TRANSACTION, s->data->transaction));
}

/* --- Facts of page tables; 0 for unmapped addresses --- */

static bool translate_address(uint64_t address, uint64_t *physical, uint64_t *page_size)
{
	return pmu.host->translate && pmu.host->translate(address, physical, page_size);
}

static void put_physical(struct rb_writer *w, struct pmu_sample *s)
{
	uint64_t address = pmu_given(s->data, PERF_SAMPLE_ADDR, s->data->addr), physical = 0, size;

	if (s->data->fields & PERF_SAMPLE_PHYS_ADDR)
		physical = s->data->phys_addr;
	else if (!address || !translate_address(address, &physical, &size))
		physical = 0;
	rb_put(w, physical);
}

static void put_page_size(struct rb_writer *w, uint64_t address)
{
	uint64_t physical, size;

	rb_put(w, address && translate_address(address, &physical, &size) ? size : 0);
}

static void put_data_page_size(struct rb_writer *w, struct pmu_sample *s)
{
	put_page_size(w, pmu_given(s->data, PERF_SAMPLE_ADDR, s->data->addr));
}

static void put_code_page_size(struct rb_writer *w, struct pmu_sample *s)
{
	put_page_size(w, s->at->ip);
}

/* --- AUX: a size of 0, because no event's AUX area is sampled --- */

static void put_aux(struct rb_writer *w, struct pmu_sample *s)
{
	(void)s;
	rb_put(w, 0);
}

static const struct part {
	uint64_t field;
	void (*measure)(struct pmu_sample *s);
	void (*put)(struct rb_writer *w, struct pmu_sample *s);
} parts_table[] = {
	{PERF_SAMPLE_READ, measure_read, put_read},
	{PERF_SAMPLE_CALLCHAIN, measure_chain, put_chain},
	{PERF_SAMPLE_RAW, measure_raw, put_raw},
	{PERF_SAMPLE_BRANCH_STACK, measure_branches, put_branches},
	{PERF_SAMPLE_REGS_USER, measure_user_registers, put_user_registers},
	{PERF_SAMPLE_STACK_USER, measure_stack, put_stack},
	{PERF_SAMPLE_WEIGHT_TYPE, measure_word, put_weight},
	{PERF_SAMPLE_DATA_SRC, measure_word, put_data_src},
	{PERF_SAMPLE_TRANSACTION, measure_word, put_transaction},
	{PERF_SAMPLE_REGS_INTR, measure_interrupted_registers, put_interrupted_registers},
	{PERF_SAMPLE_PHYS_ADDR, measure_word, put_physical},
	{PERF_SAMPLE_DATA_PAGE_SIZE, measure_word, put_data_page_size},
	{PERF_SAMPLE_CODE_PAGE_SIZE, measure_word, put_code_page_size},
	{PERF_SAMPLE_AUX, measure_word, put_aux},
};

#define NPARTS (sizeof(parts_table) / sizeof(parts_table[0]))

uint32_t pmu_parts_of(const struct perf_event_attr *attr)
{
	uint32_t parts = 0;

	if (!attr->sample_type)
		return 0;
	for (unsigned i = 0; i < NPARTS; i++)
		if (attr->sample_type & parts_table[i].field)
			parts |= 1u << i;
	return parts;
}

uint64_t pmu_parts_most(const struct perf_event_attr *attr, uint32_t parts)
{
	const uint64_t type = attr->sample_type;
	uint64_t words = bits_count(parts);

	if (type & PERF_SAMPLE_CALLCHAIN)
		words += PMU_MAX_CHAIN;
	if (type & PERF_SAMPLE_BRANCH_STACK)
		words += 1 + PMU_BRANCHES_MOST * sizeof(struct perf_branch_entry) / PMU_WORD;
	if (type & PERF_SAMPLE_REGS_USER)
		words += bits_count(attr->sample_regs_user);
	if (type & PERF_SAMPLE_REGS_INTR)
		words += bits_count(attr->sample_regs_intr);
	if (type & PERF_SAMPLE_STACK_USER)
		words += 1 + attr->sample_stack_user / PMU_WORD;
	return words * PMU_WORD;
}

/* The stack comes last, because it can be cut. */
void pmu_parts_measure(struct pmu_sample *s, uint32_t parts)
{
	bool stack = false;

	for (; parts; parts &= parts - 1) {
		const struct part *p = &parts_table[bits_first(parts)];

		if (p->field == PERF_SAMPLE_STACK_USER)
			stack = true;
		else
			p->measure(s);
	}
	if (stack)
		measure_stack(s);
}

void pmu_parts_put(struct rb_writer *w, struct pmu_sample *s, uint32_t parts)
{
	for (; parts; parts &= parts - 1)
		parts_table[bits_first(parts)].put(w, s);
}
