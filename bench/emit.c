// SPDX-License-Identifier: BSD-2-Clause
/* emit.c - see emit.h. Encodings: SDM vol. 2, chapters 3 to 5. All memory is addressed relative to
 * RIP, so that no register is needed for it. */
#include "bench/emit.h"

#define DRAINING_NOPS 128 /* of 15 bytes: more than any front end holds */
#define ALIGNMENT     64
#define LOOP_BYTES    6    /* in front of a loop */
#define AROUND_BYTES  4096 /* all but the code and the draining NOPs; more than 16 counters take */

struct emit {
	uint8_t *start, *at, *end;
	struct emit_places places;
	bool is_full;
	const struct emit_context *context;
	const struct emit_shape *shape;
};

static void put(struct emit *e, const void *bytes, size_t n)
{
	const uint8_t *from = bytes;

	if ((size_t)(e->end - e->at) < n) {
		e->is_full = true;
		return;
	}
	for (size_t i = 0; i < n; i++)
		*e->at++ = from[i];
}

#define PUT(e, ...) put((e), (const uint8_t[]){__VA_ARGS__}, sizeof((const uint8_t[]){__VA_ARGS__}))

static void put_u32(struct emit *e, uint32_t value)
{
	put(e, &value, sizeof(value));
}

/* The displacement that ends an instruction, and leads to `where`. */
static void put_relative(struct emit *e, const void *where)
{
	put_u32(e, (uint32_t)((uintptr_t)where - ((uintptr_t)e->at + sizeof(uint32_t))));
}

static void put_bytes(struct emit *e, const struct emit_bytes *bytes)
{
	put(e, bytes->bytes, bytes->n);
}

/* --- Registers --- */

enum { RAX, RCX, RDX, RBX, RSP, RBP, RSI, RDI, R8 };

/* MOV between a 64-bit register and memory: REX.W, R for R8 to R15. */
static void put_mov(struct emit *e, unsigned opcode, unsigned reg, const uint64_t *where)
{
	PUT(e, (uint8_t)(reg >= R8 ? 0x4c : 0x48), (uint8_t)opcode,
	    (uint8_t)(0x05 | (reg & 7) << 3));
	put_relative(e, where);
}

static void put_store(struct emit *e, unsigned reg, const uint64_t *where)
{
	put_mov(e, 0x89, reg, where);
}

static void put_load(struct emit *e, unsigned reg, const uint64_t *where)
{
	put_mov(e, 0x8b, reg, where);
}

/* MOV of a 32-bit register to memory. */
static void put_store_low(struct emit *e, unsigned reg, const void *where)
{
	PUT(e, 0x89, (uint8_t)(0x05 | reg << 3));
	put_relative(e, where);
}

static void put_lfence(struct emit *e)
{
	PUT(e, 0x0f, 0xae, 0xe8);
}

static void put_rdpmc(struct emit *e, uint32_t counter)
{
	PUT(e, 0xb9); /* MOV ECX */
	put_u32(e, counter);
	PUT(e, 0x0f, 0x33);
}

/* --- Counters --- */

/* MOV and LFENCE leave the flags alone. */
static void put_reading(struct emit *e, const uint64_t *to)
{
	const struct emit_context *c = e->context;

	put_store(e, RAX, &c->rax);
	put_store(e, RCX, &c->rcx);
	put_store(e, RDX, &c->rdx);
	put_lfence(e);
	for (unsigned i = 0; i < e->shape->ncounters; i++) {
		put_rdpmc(e, e->shape->counter[i]);
		put_store_low(e, RAX, &to[i]);
		put_store_low(e, RDX, (const uint8_t *)&to[i] + sizeof(uint32_t));
	}
	put_lfence(e);
	put_load(e, RAX, &c->rax);
	put_load(e, RCX, &c->rcx);
	put_load(e, RDX, &c->rdx);
}

/* ADD or SUB of the value of RDPMC, to R8 and up. */
static void put_registers(struct emit *e, uint8_t opcode)
{
	put_lfence(e);
	for (unsigned i = 0; i < e->shape->ncounters; i++) {
		put_rdpmc(e, e->shape->counter[i]);
		PUT(e, 0x48, 0xc1, 0xe2, 0x20);            /* SHL RDX, 32 */
		PUT(e, 0x48, 0x09, 0xd0);                  /* OR RAX, RDX */
		PUT(e, 0x49, opcode, (uint8_t)(0xc0 | i)); /* R8 + i, RAX */
	}
	put_lfence(e);
}

#define ADD 0x01
#define SUB 0x29

static void put_start(struct emit *e)
{
	if (!e->shape->no_mem) {
		put_reading(e, e->context->before);
		return;
	}
	for (unsigned i = 0; i < e->shape->ncounters; i++)
		PUT(e, 0x4d, 0x31, (uint8_t)(0xc0 | i << 3 | i)); /* XOR */
	put_registers(e, SUB);
}

static void put_stop(struct emit *e)
{
	if (!e->shape->no_mem) {
		put_reading(e, e->context->after);
		return;
	}
	put_registers(e, ADD);
	for (unsigned i = 0; i < e->shape->ncounters; i++)
		put_store(e, R8 + i, &e->context->after[i]);
}

/* --- The code --- */

static bool is_magic(const struct emit_bytes *code, size_t at, uint64_t magic)
{
	for (unsigned i = 0; i < sizeof(magic); i++)
		if (at + i >= code->n || code->bytes[at + i] != (uint8_t)(magic >> 8 * i))
			return false;
	return true;
}

bool emit_switches(const struct emit_bytes *code)
{
	for (size_t i = 0; i < code->n; i++)
		if (is_magic(code, i, EMIT_STOP) || is_magic(code, i, EMIT_RESTART))
			return true;
	return false;
}

static void put_copy(struct emit *e)
{
	const struct emit_bytes *code = &e->shape->code;
	size_t from = 0;

	for (size_t i = 0; e->shape->no_mem && !e->shape->traces && i < code->n; i++) {
		const bool stops = is_magic(code, i, EMIT_STOP);

		if (!stops && !is_magic(code, i, EMIT_RESTART))
			continue;
		put(e, code->bytes + from, i - from);
		put_registers(e, stops ? ADD : SUB);
		from = i + sizeof(uint64_t);
		i = from - 1;
	}
	put(e, code->bytes + from, code->n - from);
}

/* Fifteen bytes: NOP with as many prefixes as an instruction can have. */
static void put_drain(struct emit *e)
{
	for (unsigned i = 0; e->shape->drains && i < DRAINING_NOPS; i++)
		PUT(e, 0x66, 0x66, 0x66, 0x66, 0x66, 0x66, 0x2e, 0x0f, 0x1f, 0x84, 0, 0, 0, 0, 0);
}

/* One-byte NOPs: they run before the code, which begins `ahead` bytes later. */
static void put_alignment(struct emit *e, size_t ahead)
{
	while (!e->is_full && ((uintptr_t)e->at + ahead - e->shape->offset) % ALIGNMENT)
		PUT(e, 0x90);
}

static void put_loop(struct emit *e)
{
	const uint8_t *again;

	if (e->shape->turns) {
		PUT(e, 0x41, 0xbf); /* MOV R15D */
		put_u32(e, (uint32_t)e->shape->turns);
	}
	if (!e->shape->traces)
		put_alignment(e, 0);
	again = e->places.copies = e->at;
	for (uint64_t i = 0; i < e->shape->copies && !e->is_full; i++)
		put_copy(e);
	if (e->shape->turns) {
		PUT(e, 0x49, 0xff, 0xcf); /* DEC R15 */
		PUT(e, 0x0f, 0x85);       /* JNZ */
		put_relative(e, again);
	}
}

/* --- Traces --- */

static void put_ud2(struct emit *e)
{
	PUT(e, 0x0f, 0x0b);
}

static void put_move(struct emit *e, unsigned reg, uint32_t value)
{
	PUT(e, (uint8_t)(0xb8 + reg)); /* MOV of 32 bits */
	put_u32(e, value);
}

static void put_moves(struct emit *e, uint64_t value)
{
	put_move(e, RCX, e->shape->master);
	put_move(e, RAX, (uint32_t)value);
	put_move(e, RDX, (uint32_t)(value >> 32));
}

static void put_wrmsr(struct emit *e)
{
	PUT(e, 0x0f, 0x30);
}

/* Counting begins with the WRMSR. The three registers' values are saved before, and restored after
 * it. */
static void put_master_on(struct emit *e)
{
	const struct emit_context *c = e->context;

	if (!e->shape->no_mem) {
		put_store(e, RAX, &c->rax);
		put_store(e, RCX, &c->rcx);
		put_store(e, RDX, &c->rdx);
	}
	put_moves(e, e->shape->master_on);
	e->places.start = e->at;
	put_wrmsr(e);
	for (unsigned i = 0; !e->shape->no_mem && i < 1u + e->shape->restores_twice; i++) {
		put_load(e, RAX, &c->rax);
		put_load(e, RCX, &c->rcx);
		put_load(e, RDX, &c->rdx);
	}
}

static void put_trace_start(struct emit *e)
{
	if (e->shape->master) {
		put_master_on(e);
	} else {
		e->places.start = e->at;
		put_ud2(e);
	}
	put_bytes(e, &e->shape->late_init);
	put_drain(e);
}

/* Emitted twice, because the first time shows its length: the copies are aligned by the code before
 * them. */
static void put_aligned_trace_start(struct emit *e)
{
	uint8_t *const from = e->at;
	const size_t loop = e->shape->turns ? LOOP_BYTES : 0;
	size_t bytes;

	put_trace_start(e);
	bytes = (size_t)(e->at - from) + loop;
	if (e->is_full)
		return;
	e->at = from;
	put_alignment(e, bytes);
	put_trace_start(e);
}

static void put_trace_stop(struct emit *e)
{
	if (e->shape->master)
		put_moves(e, e->shape->master_off);
	e->places.stop = e->at;
	if (e->shape->master)
		put_wrmsr(e);
	else
		put_ud2(e);
}

/* --- The function --- */

static void put_prologue(struct emit *e)
{
	const struct emit_context *c = e->context;

	PUT(e, 0x53, 0x55);                                     /* PUSH RBX, RBP */
	PUT(e, 0x41, 0x54, 0x41, 0x55, 0x41, 0x56, 0x41, 0x57); /* R12 to R15 */
	PUT(e, 0x9c);                                           /* PUSHFQ */
	put_store(e, RSP, &c->rsp);
	put_load(e, R8 + 6, &c->areas[0]);
	put_load(e, RDI, &c->areas[1]);
	put_load(e, RSI, &c->areas[2]);
	put_load(e, RBP, &c->areas[3]);
	put_load(e, RSP, &c->areas[4]);
}

static void put_exit(struct emit *e)
{
	put_load(e, RSP, &e->context->rsp);
	PUT(e, 0x9d);
	PUT(e, 0x41, 0x5f, 0x41, 0x5e, 0x41, 0x5d, 0x41, 0x5c);
	PUT(e, 0x5d, 0x5b, 0xc3);
}

size_t emit_room(const struct emit_shape *shape)
{
	return (shape->code.n + (shape->no_mem ? AROUND_BYTES : 0)) * shape->copies +
	       shape->init.n + shape->late_init.n + AROUND_BYTES +
	       (shape->drains ? DRAINING_NOPS * 15 : 0) + shape->offset + ALIGNMENT;
}

size_t emit_function(uint8_t *at, size_t room, const struct emit_context *context,
		     const struct emit_shape *shape, struct emit_places *places)
{
	struct emit e = {
		.start = at, .at = at, .end = at + room, .context = context, .shape = shape};

	if (shape->no_mem && !shape->traces && shape->ncounters > EMIT_REGISTERS)
		return 0;
	put_prologue(&e);
	put_bytes(&e, &shape->init);
	if (shape->traces) {
		put_aligned_trace_start(&e);
	} else {
		put_start(&e);
		put_bytes(&e, &shape->late_init);
		put_drain(&e);
	}
	put_loop(&e);
	if (shape->traces)
		put_trace_stop(&e);
	else
		put_stop(&e);
	put_exit(&e);
	if (places)
		*places = e.places;
	return e.is_full ? 0 : (size_t)(e.at - e.start);
}
