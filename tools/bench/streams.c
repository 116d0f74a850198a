// SPDX-License-Identifier: BSD-2-Clause
/*
 * streams.c - see streams.h.
 *
 * R14 points to memory. R15, R13, R12, and the last three registers of the other files, are only
 * read. R11, R10, R9 keep the initial values of RAX, RDX, RCX, for instructions that use these
 * implicitly. The other registers are written in turn.
 */
#include "tools/bench/streams.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/util/memory.h"

#define MOST_IN_TURN 12
#define FEW_IN_TURN  4 /* copies, if other instructions stand between them */
#define LINE         64
#define LINES        12

enum { RAX, RCX, RDX, RBX, RSP, RBP, RSI, RDI, R8, R9, R10, R11, R12, R13, R14, R15 };

static const unsigned general_pool[] = {RBX, RDI, RBP, R8, RSI, R9, R10, R11, RAX, RCX, RDX};
static const unsigned general_kept[] = {R15, R13, R12};

/* Returns the register that keeps the initial value of RAX, RCX or RDX. */
static unsigned keeper(unsigned number)
{
	return number == RAX ? R11 : number == RDX ? R10 : R9;
}

/* --- Registers --- */

struct pool {
	unsigned reg[FORM_FILES][16], n[FORM_FILES];
};

static bool is_fixed(const struct shape *s, unsigned number)
{
	for (unsigned i = 0; i < s->nfixed; i++)
		if (s->fixed[i].number == number)
			return true;
	return false;
}

/* RSI is reserved for the addresses of chains. */
static struct pool make_pool(const struct shape *s)
{
	struct pool p = {.n = {[FILE_VECTOR] = 12, [FILE_MMX] = 5, [FILE_MASK] = 4}};

	for (unsigned i = 0; i < sizeof(general_pool) / sizeof(general_pool[0]); i++) {
		const unsigned r = general_pool[i];

		if (is_fixed(s, r) || (s->nfixed && r >= R9 && r <= R11))
			continue;
		p.reg[FILE_GENERAL][p.n[FILE_GENERAL]++] = r;
	}
	for (unsigned i = 0; i < 12; i++)
		for (unsigned f = FILE_VECTOR; f < FORM_FILES; f++)
			p.reg[f][i] = i + (f != FILE_MMX);
	return p;
}

/* Returns the register number `i` among those of a file that are only read. */
static unsigned kept_register(enum form_file file, unsigned i)
{
	if (file == FILE_GENERAL)
		return general_kept[i % 3];
	return (file == FILE_VECTOR ? 15 : 7) - i % 3;
}

static bool is_written(const struct form *f, const struct shape *s, unsigned i)
{
	return f->operand[i].what == FORM_REGISTER && (!s->is_known || s->operand[i].writes);
}

/* Written operands take the pool's registers from `*next` on; each register file has its own. */
static struct form_use make_use(const struct form *f, const struct shape *s, const struct pool *p,
				unsigned next[FORM_FILES], unsigned line)
{
	unsigned kept[FORM_FILES] = {0};
	struct form_use use = {0};

	for (unsigned i = 0; i < f->n; i++) {
		const struct form_operand *o = &f->operand[i];

		if (o->what != FORM_REGISTER)
			continue;
		if (is_written(f, s, i))
			use.reg[i] = p->reg[o->file][next[o->file]++ % p->n[o->file]];
		else
			use.reg[i] = kept_register(o->file, kept[o->file]++);
	}
	if (line)
		snprintf(use.address, sizeof(use.address), "r14+%u", line * LINE);
	else
		snprintf(use.address, sizeof(use.address), "r14");
	return use;
}

static struct form_use plain_use(const struct form *f, const struct shape *s)
{
	const struct pool p = make_pool(s);
	unsigned next[FORM_FILES] = {0};

	return make_use(f, s, &p, next, 0);
}

void streams_template(struct buf *to, const struct form *form)
{
	/* the fixed registers are not known yet; RAX, RCX and RDX come last in the pool */
	const struct shape unknown = {0};
	const struct form_use use = plain_use(form, &unknown);

	form_print(to, form, &use);
}

/* Returns how many copies in a row can have registers of their own. */
static unsigned turn_length(const struct form *f, const struct shape *s, const struct pool *p)
{
	unsigned n = MOST_IN_TURN, written[FORM_FILES] = {0};

	for (unsigned i = 0; i < f->n; i++)
		written[f->operand[i].file] += is_written(f, s, i);
	for (unsigned k = 0; k < FORM_FILES; k++)
		if (written[k] && p->n[k] / written[k] < n)
			n = p->n[k] / written[k];
	return n;
}

/* --- Values --- */

/*
 * A dividend and a divisor whose quotient and remainder are the dividend's halves again:
 *   r * 2^b + q = q * d + r, and so q = r * (2^b - 1) / (d - 1), where d - 1 divides 2^b - 1.
 * So all divisions of a chain have the same operands, and the quotient is long.
 */
struct division {
	uint64_t high, low, divisor;
};

static struct division division_of(unsigned bits)
{
	switch (bits) {
	case 8: /* the dividend is AX */
		return (struct division){0, 8 << 8 | 120, 18};
	case 16:
		return (struct division){1 << 7, (1 << 15) - (1 << 7), 258};
	case 32:
		return (struct division){1 << 15, (1u << 31) - (1 << 15), 65538};
	default:
		return (struct division){1ull << 31, (1ull << 63) - (1ull << 31), (1ull << 32) + 2};
	}
}

static unsigned real_bits(const struct form *f, const struct shape *s)
{
	for (unsigned i = 0; i < f->n; i++)
		if (s->operand[i].real_bits)
			return s->operand[i].real_bits;
	return 0;
}

/*
 * Returns the value of each 64 bits of memory and vectors: 1.0 for floating point, a divisor for
 * divisions, and otherwise 0.
 */
static uint64_t initial_value(const struct form *f, const struct shape *s)
{
	const unsigned bits = real_bits(f, s);

	if (s->divides)
		return division_of(f->n ? f->operand[0].bits : 64).divisor;
	return bits == 32 ? 0x3f8000003f800000 : bits == 64 ? 0x3ff0000000000000 : 0;
}

static bool has_file(const struct form *f, enum form_file file)
{
	for (unsigned i = 0; i < f->n; i++)
		if (f->operand[i].what == FORM_REGISTER && f->operand[i].file == file)
			return true;
	return false;
}

static void set_vectors(struct buf *to, const struct form *f, const struct shape *s)
{
	unsigned bits = 128;

	for (unsigned i = 0; i < f->n; i++)
		if (f->operand[i].file == FILE_VECTOR && f->operand[i].bits > bits)
			bits = f->operand[i].bits;
	for (unsigned i = 0; i < 16; i++) {
		buf_printf(to, "%smovups ", s->is_vex ? "v" : "");
		form_register(to, FILE_VECTOR, bits, i);
		buf_printf(to, ", [r14]\n");
	}
}

void streams_init(struct buf *to, const struct form *form, const struct shape *shape)
{
	buf_printf(to, "cld\nmov rdi, r14\nmov ecx, 128\nmovabs rax, %#llx\nrep stosq\n",
		   (unsigned long long)initial_value(form, shape));
	for (unsigned i = 0; i < 16; i++)
		if (i != RSP && i != R14) {
			buf_printf(to, "mov ");
			form_register(to, FILE_GENERAL, 32, i);
			buf_printf(to, ", %u\n", i != RSI);
		}
	if (has_file(form, FILE_VECTOR) || shape->vector_fixed)
		set_vectors(to, form, shape);
	for (unsigned i = 0; has_file(form, FILE_MMX) && i < 8; i++)
		buf_printf(to, "movq mm%u, [r14]\n", i);
	if (shape->divides) {
		const struct division d = division_of(form->n ? form->operand[0].bits : 64);

		buf_printf(to, "movabs rdx, %#llx\nmovabs rax, %#llx\nmovabs r15, %#llx\n",
			   (unsigned long long)d.high, (unsigned long long)d.low,
			   (unsigned long long)d.divisor);
	}
	buf_printf(to, "mov r11, rax\nmov r10, rdx\nmov r9, rcx\n");
}

/* --- Pieces --- */

struct maker {
	struct piece *pieces;
	size_t n;
	const struct form *form;
	const struct shape *shape;
	struct pool pool;
};

static struct piece *add_piece(struct maker *m, enum bench_role role, unsigned each)
{
	m->pieces = memory_grow(m->pieces, m->n, sizeof(*m->pieces));
	m->pieces[m->n] = (struct piece){.role = role, .each = each};
	return &m->pieces[m->n++];
}

void piece_free(struct piece *piece)
{
	buf_free(&piece->detail);
	buf_free(&piece->init);
	buf_free(&piece->code);
}

static void add_instruction(struct piece *p, const struct maker *m, const struct form_use *use)
{
	form_print(&p->code, m->form, use);
	buf_printf(&p->code, "\n");
}

/* Ends the dependency on flags of an instruction that reads and writes them. */
static void break_flags(struct piece *p, const struct maker *m)
{
	if (m->shape->reads_flags && m->shape->writes_flags)
		buf_printf(&p->code, "test r12, r12\n");
}

static void add_register(struct buf *to, const struct maker *m, unsigned i, unsigned reg)
{
	form_register(to, m->form->operand[i].file, m->form->operand[i].bits, reg);
}

/* --- Streams --- */

static void fill_stream(struct piece *p, const struct maker *m)
{
	unsigned next[FORM_FILES] = {0};

	for (unsigned i = 0; i < p->each; i++) {
		const struct form_use use = make_use(m->form, m->shape, &m->pool, next, i % LINES);

		add_instruction(p, m, &use);
	}
}

static bool has_cycle(const struct shape *s)
{
	for (unsigned i = 0; i < s->nfixed; i++)
		if (s->fixed[i].reads && s->fixed[i].writes && s->fixed[i].number <= RDX)
			return true;
	return s->reads_flags && s->writes_flags;
}

/* Adds a stream in which each copy gets new values in its implicit operands. */
static void add_broken_stream(struct maker *m)
{
	struct piece *p = add_piece(m, BENCH_STREAM_WITH, FEW_IN_TURN);
	unsigned next[FORM_FILES] = {0};

	for (unsigned i = 0; i < p->each; i++) {
		const struct form_use use = make_use(m->form, m->shape, &m->pool, next, i % LINES);

		for (unsigned k = 0; k < m->shape->nfixed; k++) {
			const struct shape_fixed *fixed = &m->shape->fixed[k];

			if (!fixed->writes || fixed->number > RDX)
				continue;
			buf_printf(&p->code, "mov ");
			form_register(&p->code, FILE_GENERAL, 64, fixed->number);
			buf_printf(&p->code, ", ");
			form_register(&p->code, FILE_GENERAL, 64, keeper(fixed->number));
			buf_printf(&p->code, "\n");
		}
		break_flags(p, m);
		add_instruction(p, m, &use);
	}
}

static void add_streams(struct maker *m)
{
	struct piece *p = add_piece(m, BENCH_STREAM, turn_length(m->form, m->shape, &m->pool));

	fill_stream(p, m);
	if (has_cycle(m->shape))
		add_broken_stream(m);
}

/* --- Chains --- */

static bool is_register(const struct maker *m, unsigned i, enum form_file file)
{
	return m->form->operand[i].what == FORM_REGISTER && m->form->operand[i].file == file;
}

static bool is_memory(const struct maker *m, unsigned i)
{
	return m->form->operand[i].what == FORM_MEMORY;
}

/* Returns operands of a chain: results beside the chain go to registers of their own. */
static struct form_use chain_use(const struct maker *m)
{
	unsigned next[FORM_FILES] = {2, 2, 2, 2};

	return make_use(m->form, m->shape, &m->pool, next, 0);
}

static void add_itself_chain(struct maker *m, unsigned i)
{
	struct piece *p = add_piece(m, BENCH_CHAIN, 1);
	struct form_use use = chain_use(m);

	buf_printf(&p->detail, "%u;%u", i + 1, i + 1);
	if (!is_memory(m, i))
		use.reg[i] = m->pool.reg[m->form->operand[i].file][0];
	add_instruction(p, m, &use);
	break_flags(p, m);
}

/* Alternates two copies: each reads the register that the other one writes. */
static void add_turning_chain(struct maker *m, unsigned from, unsigned to)
{
	struct piece *p = add_piece(m, BENCH_CHAIN, 2);
	const unsigned *reg = m->pool.reg[m->form->operand[from].file];

	buf_printf(&p->detail, "%u;%u", from + 1, to + 1);
	for (unsigned i = 0; i < 2; i++) {
		struct form_use use = chain_use(m);

		use.reg[to] = reg[i];
		use.reg[from] = reg[!i];
		add_instruction(p, m, &use);
		break_flags(p, m);
	}
}

static void print_move(struct buf *to, const struct maker *m, unsigned bits)
{
	buf_printf(to, "%smov%c ", m->shape->is_vex ? "v" : "", bits == 64 ? 'q' : 'd');
}

/* Chains a general register and a vector; MOVD or MOVQ moves the value back. */
static void add_crossing_chain(struct maker *m, unsigned from, unsigned to)
{
	const bool to_vector = is_register(m, to, FILE_VECTOR);
	const unsigned general = to_vector ? from : to;
	const unsigned bits = m->form->operand[general].bits == 64 ? 64 : 32;
	struct piece *p = add_piece(m, BENCH_CHAIN_WITH, 1);
	struct form_use use = chain_use(m);

	buf_printf(&p->detail, "%u;%u", from + 1, to + 1);
	use.reg[general] = RBX;
	use.reg[to_vector ? to : from] = 1;
	add_instruction(p, m, &use);
	print_move(&p->code, m, bits);
	form_register(&p->code, to_vector ? FILE_GENERAL : FILE_VECTOR, to_vector ? bits : 128,
		      to_vector ? RBX : 1);
	buf_printf(&p->code, ", ");
	form_register(&p->code, to_vector ? FILE_VECTOR : FILE_GENERAL, to_vector ? 128 : bits,
		      to_vector ? 1 : RBX);
	buf_printf(&p->code, "\n");
}

static bool is_mnemonic(const struct maker *m, const char *word)
{
	return !strcasecmp(m->form->mnemonic, word);
}

/*
 * Chains MOV or LEA of 64 bits: the loaded value is the next address, with no instruction between.
 */
static void add_pointer_chain(struct maker *m, unsigned from, unsigned to)
{
	struct piece *p = add_piece(m, BENCH_CHAIN, 1);
	struct form_use use = chain_use(m);

	buf_printf(&p->detail, "%ua;%u", from + 1, to + 1);
	buf_printf(&p->init, "mov rbx, r14\nmov [r14], r14\n");
	use.reg[to] = RBX;
	snprintf(use.address, sizeof(use.address), "rbx");
	add_instruction(p, m, &use);
}

/* Chains through an address: R14 plus a zero that is computed from the result. */
static void add_address_chain(struct maker *m, unsigned from, unsigned to)
{
	const bool is_vector = is_register(m, to, FILE_VECTOR);
	struct piece *p;
	struct form_use use;

	if (is_register(m, to, FILE_GENERAL) && m->form->operand[to].bits == 64 &&
	    (is_mnemonic(m, "mov") || is_mnemonic(m, "lea"))) {
		add_pointer_chain(m, from, to);
		return;
	}
	p = add_piece(m, BENCH_CHAIN_WITH, 1);
	use = chain_use(m);
	buf_printf(&p->detail, "%ua;%u", from + 1, to + 1);
	use.reg[to] = is_vector ? 1 : RBX;
	snprintf(use.address, sizeof(use.address), "r14+rsi");
	add_instruction(p, m, &use);
	if (is_vector) {
		print_move(&p->code, m, 32);
		buf_printf(&p->code, "esi, xmm1\n");
	} else {
		buf_printf(&p->code, "mov esi, ebx\n");
	}
	buf_printf(&p->code, "and esi, 0\n");
}

/* Chains a store with a load of the same size. */
static void add_store_chain(struct maker *m, unsigned from, unsigned to)
{
	const struct form_operand *o = &m->form->operand[from];
	struct piece *p = add_piece(m, BENCH_CHAIN_WITH, 1);
	struct form_use use = chain_use(m);

	buf_printf(&p->detail, "%u;%u", from + 1, to + 1);
	use.reg[from] = o->file == FILE_VECTOR ? 1 : RBX;
	add_instruction(p, m, &use);
	buf_printf(&p->code, "%s ",
		   o->file == FILE_GENERAL ? "mov"
		   : m->shape->is_vex      ? "vmovups"
					   : "movups");
	form_register(&p->code, o->file, o->bits, use.reg[from]);
	buf_printf(&p->code, ", [r14]\n");
}

static void add_pair(struct maker *m, unsigned from, unsigned to)
{
	const struct form_operand *f = &m->form->operand[from], *t = &m->form->operand[to];
	const bool both = f->what == FORM_REGISTER && t->what == FORM_REGISTER;

	if (from == to && (f->what == FORM_REGISTER || f->what == FORM_MEMORY))
		add_itself_chain(m, from);
	else if (both && f->file == t->file)
		add_turning_chain(m, from, to);
	else if (both && f->file + t->file == FILE_GENERAL + FILE_VECTOR)
		add_crossing_chain(m, from, to);
	else if (f->what == FORM_MEMORY && t->what == FORM_REGISTER &&
		 (t->file == FILE_GENERAL || t->file == FILE_VECTOR))
		add_address_chain(m, from, to);
	else if (f->what == FORM_REGISTER && t->what == FORM_MEMORY &&
		 (f->file == FILE_GENERAL || f->file == FILE_VECTOR))
		add_store_chain(m, from, to);
}

static void add_pairs(struct maker *m)
{
	const struct shape *s = m->shape;

	for (unsigned to = 0; to < m->form->n; to++)
		for (unsigned from = 0; from < m->form->n; from++)
			if (s->operand[to].writes &&
			    (s->operand[from].reads || s->operand[from].is_address))
				add_pair(m, from, to);
}

/* --- Chains through implicit operands --- */

static void name_fixed(struct buf *to, unsigned number)
{
	static const char *const names[] = {"RAX", "RCX", "RDX", "RBX", "RSP", "RBP", "RSI", "RDI"};

	if (number < 8)
		buf_printf(to, "%s", names[number]);
	else
		buf_printf(to, "R%u", number);
}

/* Chains all implicit operands at once. */
static void add_fixed_cycle(struct maker *m)
{
	struct piece *p = NULL;

	for (unsigned i = 0; i < m->shape->nfixed; i++) {
		const struct shape_fixed *f = &m->shape->fixed[i];

		if (!f->reads || !f->writes || f->number == RSP)
			continue;
		if (!p) {
			const struct form_use use = plain_use(m->form, m->shape);

			p = add_piece(m, BENCH_CHAIN, 1);
			add_instruction(p, m, &use);
			break_flags(p, m);
		}
		buf_printf(&p->detail, "%s", p->detail.size ? "," : "");
		name_fixed(&p->detail, f->number);
	}
}

/* Chains an operand with an implicit register, in either direction; MOV closes the circle. */
static void add_fixed_pair(struct maker *m, unsigned i, const struct shape_fixed *f, bool to_fixed)
{
	struct piece *p = add_piece(m, BENCH_CHAIN_WITH, 1);
	struct form_use use = chain_use(m);

	if (to_fixed)
		buf_printf(&p->detail, "%u;", i + 1);
	name_fixed(&p->detail, f->number);
	if (!to_fixed)
		buf_printf(&p->detail, ";%u", i + 1);
	use.reg[i] = RBX;
	add_instruction(p, m, &use);
	buf_printf(&p->code, "mov ");
	form_register(&p->code, FILE_GENERAL, 64, to_fixed ? RBX : f->number);
	buf_printf(&p->code, ", ");
	form_register(&p->code, FILE_GENERAL, 64, to_fixed ? f->number : RBX);
	buf_printf(&p->code, "\n");
	break_flags(p, m);
}

static void add_fixed_pairs(struct maker *m)
{
	const struct shape *s = m->shape;

	for (unsigned k = 0; k < s->nfixed; k++)
		for (unsigned i = 0; i < m->form->n; i++) {
			const struct shape_fixed *f = &s->fixed[k];

			if (!is_register(m, i, FILE_GENERAL) || f->number > RDX)
				continue;
			if (s->operand[i].reads && f->writes)
				add_fixed_pair(m, i, f, true);
			if (s->operand[i].writes && f->reads)
				add_fixed_pair(m, i, f, false);
		}
}

/* --- Chains through the flags --- */

static void add_flags_cycle(struct maker *m)
{
	struct piece *p = add_piece(m, BENCH_CHAIN, turn_length(m->form, m->shape, &m->pool));

	buf_printf(&p->detail, "flags;flags");
	fill_stream(p, m);
}

/* Chains a result with the flags; TEST sets the flags from the result. */
static void add_from_flags(struct maker *m, unsigned i)
{
	struct piece *p = add_piece(m, BENCH_CHAIN_WITH, 1);
	struct form_use use = chain_use(m);

	buf_printf(&p->detail, "flags;%u", i + 1);
	use.reg[i] = RBX;
	add_instruction(p, m, &use);
	buf_printf(&p->code, "test ");
	add_register(&p->code, m, i, RBX);
	buf_printf(&p->code, ", ");
	add_register(&p->code, m, i, RBX);
	buf_printf(&p->code, "\n");
}

/* Chains the flags with an operand; CMOV reads the flags. */
static void add_to_flags(struct maker *m, unsigned i)
{
	struct piece *p = add_piece(m, BENCH_CHAIN_WITH, 1);
	struct form_use use = chain_use(m);

	buf_printf(&p->detail, "%u;flags", i + 1);
	use.reg[i] = RBX;
	add_instruction(p, m, &use);
	buf_printf(&p->code, "cmovc rbx, r13\n");
}

static void add_flags(struct maker *m)
{
	const struct shape *s = m->shape;
	bool any = false;

	if (s->reads_flags && s->writes_flags)
		add_flags_cycle(m);
	for (unsigned i = 0; i < m->form->n; i++)
		any |= s->operand[i].writes;
	for (unsigned k = 0; k < s->nfixed; k++)
		any |= s->fixed[k].writes;
	for (unsigned i = 0; i < m->form->n; i++) {
		if (!is_register(m, i, FILE_GENERAL))
			continue;
		if (s->reads_flags && !s->writes_flags && s->operand[i].writes)
			add_from_flags(m, i);
		if (s->writes_flags && !any && s->operand[i].reads)
			add_to_flags(m, i);
	}
}

struct piece *streams_make(struct piece *pieces, size_t *n, const struct form *form,
			   const struct shape *shape)
{
	struct maker m = {
		.pieces = pieces, .n = *n, .form = form, .shape = shape, .pool = make_pool(shape)};

	if (shape->is_known)
		add_pairs(&m);
	add_fixed_cycle(&m);
	/* a division needs its own divisor: any other value might be 0 */
	if (shape->is_known && !shape->divides)
		add_fixed_pairs(&m);
	if (shape->is_known)
		add_flags(&m);
	add_streams(&m);
	*n = m.n;
	return m.pieces;
}
