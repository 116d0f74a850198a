// SPDX-License-Identifier: BSD-2-Clause
/*
 * silicon: the core cycles that this CPU needs for pieces of machine code.
 *
 *	silicon [--loop] < pieces		prints "hex,cycles" or "hex,-,reason" a line
 *	silicon --clock				prints the core cycles of a nanosecond
 *
 * A piece is one line: its bytes in hex, then anything after a blank or comma, which is ignored.
 * Without --loop the piece runs as straight-line code, repeated to some 2000 and some 6000 bytes;
 *with
 * --loop it ends with its own branch back on r15 and runs 100 and 400 times. The difference of
 * both times is what the piece itself costs in a steady state.
 *
 * There is no PMU: times are TSC ticks, divided by the ticks of a chain of dependent additions,
 * which take one cycle each. Both are the least of many runs, taken in turn.
 *
 * State at the start of each pass: general register i (in the encoding's order, RSP too) holds
 * REGISTERS + 256 * i, so two registers never name one line; each lane of XMM 0-7 and ZMM 16-23
 * holds the float 1.0, of XMM 8-15 and ZMM 24-31 the double 1.0; mask registers hold all ones. A
 * CPU without AVX-512 has XMM 0-15 alone. The upper parts of registers 0-15 are clean, as in
 *programs without AVX. A page that a piece touches is mapped when it faults, and each of its
 *quadwords holds REGISTERS. At most MOST_PAGES are mapped, so that data stay in L1. MXCSR has FTZ
 *and DAZ set, because a pointer read as a double is denormal.
 */
#define _GNU_SOURCE
#include <ctype.h>
#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <x86intrin.h>

#define PAGE          4096ul
#define REGISTERS     0x12345000ul
#define FRAME         0x10000000ul  /* below 2 GiB: absolute addresses of 32 bits */
#define CODE          0x100000000ul /* RIP-relative operands reach 2 GiB to either side */
#define CODE_STRIDE   0x100000ul
#define MOST_PAGES    8
#define MOST_BYTES    2048
#define ROUNDS        60
#define CYCLES_A_RUN  40000
#define MXCSR_FTZ_DAZ 0x9fc0u

/* Read by the generated code at absolute addresses. */
struct frame {
	uint64_t registers[16];
	uint64_t floats[8], doubles[8];
	uint64_t rsp, passes, iterations;
	uint32_t mxcsr, mxcsr_before;
};

enum outcome { MEASURED, FAULT, PAGES, CODE_WRITE, NULL_PAGE, ILLEGAL, DIVIDE, TIMEOUT, UNSTEADY };

static const char *const outcomes[] = {
	[MEASURED] = "",
	[FAULT] = "faults at an address that cannot be mapped",
	[PAGES] = "touches too many pages",
	[CODE_WRITE] = "writes its own code",
	[NULL_PAGE] = "touches the lowest 64 KiB",
	[ILLEGAL] = "has an instruction that this CPU lacks",
	[DIVIDE] = "has a division that overflows",
	[TIMEOUT] = "does not end in time",
	[UNSTEADY] = "takes no time or a different time each run",
};

/* Shared with the child that runs the piece. */
struct result {
	enum outcome outcome;
	double cycles;
};

static struct result *result;
static struct frame *const frame = (struct frame *)FRAME;
static int mapped;

struct piece {
	uint8_t bytes[MOST_BYTES];
	size_t length;
};

/* Machine code under construction. */
struct emitter {
	uint8_t *at;
};

static void refuse_piece(enum outcome outcome)
{
	result->outcome = outcome;
	_exit(1);
}

static void *map_private_at(uintptr_t address, size_t size)
{
	void *p = mmap((void *)address, size, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE | MAP_POPULATE, -1, 0);
	if (p != (void *)address)
		refuse_piece(FAULT);
	return p;
}

static void map_faulting_page(int signal, siginfo_t *info, void *context)
{
	(void)signal;
	(void)context;
	uintptr_t page = (uintptr_t)info->si_addr & -PAGE;
	if (info->si_code != SEGV_MAPERR)
		refuse_piece(info->si_code == SEGV_ACCERR ? CODE_WRITE : FAULT);
	if (page < 0x10000)
		refuse_piece(NULL_PAGE);
	if (mapped++ == MOST_PAGES)
		refuse_piece(PAGES);
	uint64_t *words = map_private_at(page, PAGE);
	for (size_t i = 0; i < PAGE / sizeof(*words); i++)
		words[i] = REGISTERS;
}

static void stopped(int signal)
{
	refuse_piece(signal == SIGILL ? ILLEGAL : signal == SIGFPE ? DIVIDE : TIMEOUT);
}

/* The piece owns RSP: handlers run on a stack of their own. */
static void catch_signals(void)
{
	static uint8_t stack[1 << 16];
	stack_t alternate = {.ss_sp = stack, .ss_size = sizeof(stack)};
	sigaltstack(&alternate, NULL);
	struct sigaction fault = {.sa_sigaction = map_faulting_page,
				  .sa_flags = SA_SIGINFO | SA_ONSTACK};
	sigaction(SIGSEGV, &fault, NULL);
	static const int others[] = {SIGILL, SIGFPE, SIGBUS, SIGTRAP, SIGALRM};
	struct sigaction stop = {.sa_handler = stopped, .sa_flags = SA_ONSTACK};
	for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++)
		sigaction(others[i], &stop, NULL);
}

static void emit(struct emitter *e, const void *bytes, size_t length)
{
	memcpy(e->at, bytes, length);
	e->at += length;
}

#define EMIT(e, ...) emit(e, (const uint8_t[]){__VA_ARGS__}, sizeof((const uint8_t[]){__VA_ARGS__}))

/* An opcode with the absolute address of a field as its memory operand. */
#define EMIT_FIELD(e, offset, ...)                         \
	do {                                               \
		EMIT(e, __VA_ARGS__, 0x25);                \
		emit_u32(e, (uint32_t)(FRAME + (offset))); \
	} while (0)

static void emit_u32(struct emitter *e, uint32_t value)
{
	emit(e, &value, sizeof(value));
}

static bool has_avx512(void)
{
	return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw");
}

/* vmovups ymm<n>, [FRAME + offset] for a CPU without AVX-512. */
static void emit_half_load(struct emitter *e, unsigned n, size_t offset)
{
	EMIT(e, 0xc4, n & 8 ? 0x61 : 0xe1, 0x7c, 0x10, (uint8_t)(0x04 | (n & 7) << 3), 0x25);
	emit_u32(e, (uint32_t)(FRAME + offset));
}

/* vmovups zmm<n>, [FRAME + offset]: EVEX with its register bits inverted. */
static void emit_vector_load(struct emitter *e, unsigned n, size_t offset)
{
	uint8_t registers = (uint8_t)(0x61 | (~n & 8) << 4 | (~n & 16));
	EMIT(e, 0x62, registers, 0x7c, 0x48, 0x10, (uint8_t)(0x04 | (n & 7) << 3), 0x25);
	emit_u32(e, (uint32_t)(FRAME + offset));
}

static void emit_mask_ones(struct emitter *e, unsigned n)
{
	uint8_t modrm = (uint8_t)(0xc0 | n << 3 | n);
	EMIT(e, 0xc4, 0xe1, (uint8_t)(0x84 | (~n & 15) << 3), 0x46, modrm); /* kxnorq */
}

static void emit_register_load(struct emitter *e, unsigned n)
{
	EMIT(e, (uint8_t)(0x48 | (n & 8) >> 1), 0x8b, (uint8_t)(0x04 | (n & 7) << 3), 0x25);
	emit_u32(e, (uint32_t)(FRAME + offsetof(struct frame, registers) + 8 * n));
}

static void emit_vectors(struct emitter *e)
{
	const bool all = has_avx512();

	for (unsigned n = 0; n < (all ? 32 : 16); n++)
		(all ? emit_vector_load : emit_half_load)(e, n,
							  n & 8 ? offsetof(struct frame, doubles)
								: offsetof(struct frame, floats));
	for (unsigned n = 0; all && n < 8; n++)
		emit_mask_ones(e, n);
}

static void emit_state(struct emitter *e)
{
	emit_vectors(e);
	for (unsigned n = 0; n < 16; n++)
		emit_register_load(e, n);
	EMIT(e, 0xc5, 0xf8, 0x77); /* vzeroupper: or SSE would merge with what lies above */
}

static void emit_entry(struct emitter *e)
{
	EMIT(e, 0x53, 0x55, 0x41, 0x54, 0x41, 0x55, 0x41, 0x56, 0x41, 0x57); /* push rbx ... r15 */
	EMIT_FIELD(e, offsetof(struct frame, mxcsr_before), 0x0f, 0xae, 0x1c);
	EMIT_FIELD(e, offsetof(struct frame, mxcsr), 0x0f, 0xae, 0x14);
	EMIT_FIELD(e, offsetof(struct frame, rsp), 0x48, 0x89, 0x24);
}

static void emit_exit(struct emitter *e)
{
	EMIT_FIELD(e, offsetof(struct frame, rsp), 0x48, 0x8b, 0x24);
	EMIT_FIELD(e, offsetof(struct frame, mxcsr_before), 0x0f, 0xae, 0x14);
	EMIT(e, 0xfc, 0xc5, 0xf8, 0x77);                                     /* cld; vzeroupper */
	EMIT(e, 0x41, 0x5f, 0x41, 0x5e, 0x41, 0x5d, 0x41, 0x5c, 0x5d, 0x5b); /* pop r15 ... rbx */
	EMIT(e, 0xc3);
}

/*
 * A function: `passes` times, set all registers, wait until they are there, and run the piece
 * `copies` times. LFENCE keeps passes apart, or the tail of one would hide behind the next.
 */
static void *build_passes(int slot, const struct piece *piece, unsigned copies, bool loop)
{
	size_t size = (2 * PAGE + copies * piece->length) & -PAGE;
	uint8_t *code = map_private_at(CODE + (size_t)slot * CODE_STRIDE, size);
	struct emitter e = {code};
	emit_entry(&e);
	const uint8_t *pass = e.at;
	emit_state(&e);
	if (loop)
		EMIT_FIELD(&e, offsetof(struct frame, iterations), 0x4c, 0x8b, 0x3c); /* mov r15 */
	EMIT(&e, 0x0f, 0xae, 0xe8);                                                   /* lfence */
	while ((uintptr_t)e.at % 64)
		EMIT(&e, 0x90);
	for (unsigned i = 0; i < copies; i++)
		emit(&e, piece->bytes, piece->length);
	EMIT(&e, 0x0f, 0xae, 0xe8);
	EMIT_FIELD(&e, offsetof(struct frame, passes), 0x48, 0xff, 0x0c); /* dec */
	EMIT(&e, 0x0f, 0x85);                                             /* jnz */
	emit_u32(&e, (uint32_t)(pass - (e.at + 4)));
	emit_exit(&e);
	mprotect(code, size, PROT_READ | PROT_EXEC);
	return code;
}

/* Ticks of one run. */
static uint64_t ticks(void *code, uint64_t passes, uint64_t iterations)
{
	unsigned aux;
	frame->passes = passes;
	frame->iterations = iterations;
	_mm_lfence();
	uint64_t start = __rdtscp(&aux);
	_mm_lfence();
	((void (*)(void))code)();
	_mm_lfence();
	return __rdtscp(&aux) - start;
}

/* A measurement: one piece at two lengths. */
struct pair {
	void *code[2];
	uint64_t iterations[2]; /* of the piece's own loop */
	double units;           /* executions of the piece by which the lengths differ */
	uint64_t passes;
	uint64_t least[2];
};

static void pair_run(struct pair *p)
{
	for (int i = 0; i < 2; i++) {
		uint64_t t = ticks(p->code[i], p->passes, p->iterations[i]);
		if (t < p->least[i])
			p->least[i] = t;
	}
}

/* Warms everything up, maps the data, and finds how many passes fill a run. */
static void pair_prepare(struct pair *p)
{
	p->passes = 1;
	p->least[0] = p->least[1] = UINT64_MAX;
	for (int i = 0; i < 5; i++)
		pair_run(p);
	p->passes = 1 + CYCLES_A_RUN / (1 + p->least[1]);
	p->least[0] = p->least[1] = UINT64_MAX;
}

/* Ticks of the piece once. */
static double pair_ticks(const struct pair *p)
{
	return ((double)p->least[1] - (double)p->least[0]) / (double)p->passes / p->units;
}

static struct pair straight(int slot, const struct piece *piece)
{
	unsigned few = (unsigned)(2000 / piece->length) + 1;
	unsigned many = 3 * few;
	struct pair p = {.code = {build_passes(slot, piece, few, false),
				  build_passes(slot + 1, piece, many, false)},
			 .units = many - few};
	return p;
}

static struct pair looped(int slot, const struct piece *piece)
{
	void *code = build_passes(slot, piece, 1, true);
	struct pair p = {.code = {code, code}, .iterations = {100, 400}, .units = 300};
	return p;
}

static void set_pass_state(void)
{
	map_private_at(FRAME, PAGE);
	for (unsigned i = 0; i < 16; i++)
		frame->registers[i] = REGISTERS + 256 * i;
	for (unsigned i = 0; i < 8; i++) {
		frame->floats[i] = 0x3f8000003f800000;
		frame->doubles[i] = 0x3ff0000000000000;
	}
	frame->mxcsr = MXCSR_FTZ_DAZ;
}

static const struct piece addition = {.bytes = {0x48, 0x01, 0xc0}, .length = 3};

static uint64_t nanoseconds(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

/* Core cycles of a nanosecond: the chain of additions counts cycles by the TSC, and the TSC
 * nanoseconds. */
static double cycles_of_nanosecond(void)
{
	set_pass_state();
	struct pair chain = straight(0, &addition);
	pair_prepare(&chain);
	uint64_t start = nanoseconds(), tsc = __rdtsc();
	while (nanoseconds() - start < 50000000)
		pair_run(&chain);
	double rate = (double)(__rdtsc() - tsc) / (double)(nanoseconds() - start);
	return rate / pair_ticks(&chain);
}

/* Runs in the child. */
static void measure(const struct piece *piece, bool loop)
{
	catch_signals();
	alarm(5);
	set_pass_state();
	struct pair chain = straight(0, &addition);
	struct pair p = loop ? looped(2, piece) : straight(2, piece);
	pair_prepare(&chain);
	pair_prepare(&p);
	for (int i = 0; i < ROUNDS; i++) {
		pair_run(&chain);
		pair_run(&p);
		pair_run(&chain);
	}
	result->cycles = pair_ticks(&p) / pair_ticks(&chain);
	result->outcome = result->cycles > 0.05 ? MEASURED : UNSTEADY;
}

/* A child of its own for each piece: its pages and crashes are gone with it. */
static void measure_apart(const struct piece *piece, bool loop)
{
	result->outcome = FAULT;
	pid_t child = fork();
	if (!child) {
		measure(piece, loop);
		_exit(0);
	}
	if (child < 0 || waitpid(child, NULL, 0) != child)
		result->outcome = FAULT;
}

static bool parse_piece(const char *line, struct piece *piece)
{
	piece->length = 0;
	for (; isxdigit(line[0]) && isxdigit(line[1]) && piece->length < MOST_BYTES; line += 2) {
		char digits[] = {line[0], line[1], 0};
		piece->bytes[piece->length++] = (uint8_t)strtoul(digits, NULL, 16);
	}
	return piece->length && !isxdigit(*line);
}

static void print_piece(const struct piece *piece)
{
	for (size_t i = 0; i < piece->length; i++)
		printf("%02x", piece->bytes[i]);
	if (result->outcome == MEASURED)
		printf(",%.3f\n", result->cycles);
	else
		printf(",-,%s\n", outcomes[result->outcome]);
}

int main(int argc, char **argv)
{
	bool loop = argc == 2 && !strcmp(argv[1], "--loop");
	bool clock = argc == 2 && !strcmp(argv[1], "--clock");
	if (argc > 1 + loop + clock) {
		fprintf(stderr, "usage: silicon [--loop | --clock] < pieces\n");
		return 2;
	}
	result = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (result == MAP_FAILED)
		return 1;
	if (clock) {
		printf("%.4f\n", cycles_of_nanosecond());
		return 0;
	}
	static char line[2 * MOST_BYTES + 256];
	while (fgets(line, sizeof(line), stdin)) {
		struct piece piece;
		if (!parse_piece(line, &piece))
			continue;
		measure_apart(&piece, loop);
		print_piece(&piece);
		fflush(stdout);
	}
	return 0;
}
