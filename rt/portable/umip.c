// SPDX-License-Identifier: BSD-2-Clause
/* umip.c - see umip.h. SDM vol. 2, "Instruction Format" and the instructions' own pages. */
#include "rt/portable/umip.h"

#include "lib/string.h"

#define PREFIX_SIZE 0x66
#define REX_W       8
#define REX_R       4
#define REX_X       2
#define REX_B       1

/* Where the tables would be, and CR0 as ring 3 may know it: PE, MP, ET, NE, as Linux tells. */
#define DUMMY_GDT 0xfffffffffffe0000ull
#define DUMMY_IDT 0xffffffffffff0000ull
#define DUMMY_CR0 0x33ull

struct reader {
	const uint8_t *at, *end;
	bool cut; /* the bytes did not suffice */
};

static uint8_t next_byte(struct reader *r)
{
	if (r->at == r->end) {
		r->cut = true;
		return 0;
	}
	return *r->at++;
}

static int64_t read_displacement(struct reader *r, unsigned bytes)
{
	uint64_t value = 0;

	for (unsigned i = 0; i < bytes; i++)
		value |= (uint64_t)next_byte(r) << 8 * i;
	return bytes == 1 ? (int8_t)value : (int32_t)value;
}

static uint64_t *reg_of(struct trap_frame *f, unsigned n)
{
	uint64_t *const regs[] = {&f->rax, &f->rcx, &f->rdx, &f->rbx, &f->rsp, &f->rbp,
				  &f->rsi, &f->rdi, &f->r8,  &f->r9,  &f->r10, &f->r11,
				  &f->r12, &f->r13, &f->r14, &f->r15};

	return regs[n & 15];
}

struct operand {
	unsigned rex, mod, rm;
	bool relative; /* to the end of the instruction */
};

#define EXTEND(rex, bit) ((rex) & (bit) ? 8 : 0)

/* Base, index and displacement of an operand in memory. */
static uint64_t operand_address(struct reader *r, struct trap_frame *regs, struct operand *o)
{
	unsigned disp = o->mod == 1 ? 1 : o->mod == 2 ? 4 : 0;
	uint64_t address = 0;

	if (o->rm == 4) {
		const uint8_t sib = next_byte(r);
		const unsigned index = (sib >> 3 & 7) + EXTEND(o->rex, REX_X);

		if (index != 4)
			address += *reg_of(regs, index) << (sib >> 6);
		if ((sib & 7) == 5 && !o->mod)
			disp = 4;
		else
			address += *reg_of(regs, (sib & 7) + EXTEND(o->rex, REX_B));
	} else if (o->rm == 5 && !o->mod) {
		disp = 4;
		o->relative = true;
	} else {
		address += *reg_of(regs, o->rm + EXTEND(o->rex, REX_B));
	}
	return address + (disp ? (uint64_t)read_displacement(r, disp) : 0);
}

enum which { SLDT, STR, SGDT, SIDT, SMSW, NONE };

static enum which find_instruction(uint8_t opcode, unsigned reg, unsigned mod)
{
	if (opcode == 0x00)
		return reg == 0 ? SLDT : reg == 1 ? STR : NONE;
	if (opcode != 0x01)
		return NONE;
	if (reg == 4)
		return SMSW;
	return mod == 3 ? NONE : reg == 0 ? SGDT : reg == 1 ? SIDT : NONE;
}

/* A table's limit, 0, and its base; a selector, 0; the machine status word. */
static void set_value(struct umip_store *s, enum which which)
{
	const uint64_t base = which == SGDT ? DUMMY_GDT : DUMMY_IDT, word = DUMMY_CR0;

	memset(s->value, 0, sizeof(s->value));
	if (which == SGDT || which == SIDT)
		memcpy(s->value + 2, &base, sizeof(base));
	else if (which == SMSW)
		memcpy(s->value, &word, sizeof(word));
}

static unsigned operand_bytes(enum which which, const struct operand *o, bool small)
{
	if (which == SGDT || which == SIDT)
		return UMIP_MOST;
	if (o->mod != 3)
		return 2;
	return o->rex & REX_W ? 8 : small ? 2 : 4;
}

bool umip_decode(const uint8_t *code, size_t n, struct trap_frame *regs, struct umip_store *store)
{
	struct reader r = {code, code + n, false};
	struct operand o = {0};
	bool small = false;
	uint8_t byte = next_byte(&r), opcode;
	enum which which;

	for (; byte == PREFIX_SIZE; byte = next_byte(&r))
		small = true;
	if ((byte & 0xf0) == 0x40) {
		o.rex = byte & 0xf;
		byte = next_byte(&r);
	}
	if (byte != 0x0f)
		return false;
	opcode = next_byte(&r);
	byte = next_byte(&r);
	o.mod = byte >> 6;
	o.rm = byte & 7;
	which = r.cut ? NONE : find_instruction(opcode, byte >> 3 & 7, o.mod);
	if (which == NONE)
		return false;
	*store = (struct umip_store){.bytes = (uint8_t)operand_bytes(which, &o, small)};
	if (o.mod == 3)
		store->reg = reg_of(regs, o.rm + EXTEND(o.rex, REX_B));
	else
		store->address = operand_address(&r, regs, &o);
	store->length = (uint8_t)(r.at - code);
	if (o.relative)
		store->address += regs->rip + store->length;
	set_value(store, which);
	return !r.cut;
}
