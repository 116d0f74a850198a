// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_pt_decoded.c - the modelled Processor Trace traces random programs, and libipt, Intel's
 * decoder, decodes the traces: each executed instruction, in order.
 */
#include "tests/unit/vpmu/modelled_pmu.h"

#include "vpmu/model/model_trace.h"

#include <intel-pt.h>
#include <stdlib.h>

#define CODE    0x401000ull
#define HANDLER 0xffffffff81000000ull /* of interrupts and system calls: NOP, IRETQ */
#define IRETQ   (HANDLER + 1)
#define BLOCKS  64
#define SLOT    32 /* bytes of a block; what is not used of it is NOPs */
#define STEPS   20000
#define OUTPUT  0x100000ull
#define BYTES   (1u << 20)

enum terminator { JCC, JUMP, CALL, CALL_RAX, JUMP_RAX, RETURN, SYSTEM_CALL, TERMINATORS };

static const struct {
	uint8_t bytes, code[2];
	enum branch_kind kind;
	bool direct;
} forms[TERMINATORS] = {
	[JCC] = {6, {0x0f, 0x84}, BRANCH_KIND_JCC, true},
	[JUMP] = {5, {0xe9}, BRANCH_KIND_REL_JUMP, true},
	[CALL] = {5, {0xe8}, BRANCH_KIND_REL_CALL, true},
	[CALL_RAX] = {2, {0xff, 0xd0}, BRANCH_KIND_IND_CALL, false},
	[JUMP_RAX] = {2, {0xff, 0xe0}, BRANCH_KIND_IND_JUMP, false},
	[RETURN] = {1, {0xc3}, BRANCH_KIND_RETURN, false},
	[SYSTEM_CALL] = {2, {0x0f, 0x05}, BRANCH_KIND_FAR, false},
};

static struct {
	enum terminator kind;
	uint64_t at, target;
} blocks[BLOCKS];
static uint8_t code[BLOCKS * SLOT];
static const uint8_t handler[] = {0x90, 0x48, 0xcf};

/* --- The machine --- */

static uint8_t memory[BYTES];

static bool read_physical(uint64_t pa, void *buf, size_t n)
{
	memcpy(buf, memory + (pa - OUTPUT), n);
	return true;
}

static bool write_physical(uint64_t pa, const void *buf, size_t n)
{
	memcpy(memory + (pa - OUTPUT), buf, n);
	return true;
}

static const struct vpmu_memory physical = {read_physical, write_physical};
static const struct vpmu_memories memories = {&physical, &physical};

static struct {
	struct vpmu_model m;
	bool traces_handler;
	uint64_t ip, now;
	unsigned depth;
	uint64_t returns[256];
	unsigned n;
	uint64_t executed[4 * STEPS];
} run;

static struct vpmu_at here(uint64_t ip)
{
	return (struct vpmu_at){
		.ring = ip >> 63 ? VPMU_OS : VPMU_USR,
		.mode = VPMU_CODE64,
		.ip = ip,
		.cr3 = 0x5000,
		.tsc = run.now++,
	};
}

static void note_executed(uint64_t ip)
{
	if (ip >> 63 && !run.traces_handler)
		return;
	run.executed[run.n++] = ip;
}

static void lead(enum branch_kind kind, uint64_t flags, uint64_t length, uint64_t to)
{
	const struct branch_logged b = {
		.from = (run.ip & ((1ull << LOGGED_KIND_SHIFT) - 1)) |
			(uint64_t)kind << LOGGED_KIND_SHIFT | length << LOGGED_LENGTH_SHIFT | flags,
		.to = to,
	};
	const struct vpmu_at there = here(to);

	vpmu_model_trace(&run.m, &b, flags & LOGGED_DELIVERED, &there, &memories);
	run.ip = to;
}

static void handle(uint64_t flags, uint64_t length, uint64_t back)
{
	lead(BRANCH_KIND_FAR, flags, length, HANDLER);
	note_executed(HANDLER);
	note_executed(IRETQ);
	run.ip = IRETQ;
	lead(BRANCH_KIND_FAR, LOGGED_TAKEN, 2, back);
}

static uint64_t random_block(void)
{
	return CODE + (uint64_t)(rand() % BLOCKS) * SLOT;
}

static uint64_t return_address(void)
{
	return run.depth && rand() % 8 ? run.returns[--run.depth] : random_block();
}

static void remember(uint64_t back)
{
	if (run.depth < sizeof(run.returns) / sizeof(*run.returns))
		run.returns[run.depth++] = back;
}

static void end_block(unsigned i)
{
	const enum terminator kind = blocks[i].kind;
	const uint64_t length = forms[kind].bytes, next = run.ip + length;
	const bool taken = kind != JCC || rand() % 3;
	uint64_t to = forms[kind].direct ? blocks[i].target : random_block();

	note_executed(run.ip);
	if (kind == SYSTEM_CALL) {
		handle(LOGGED_TAKEN, length, next);
		return;
	}
	if (kind == RETURN)
		to = return_address();
	if (kind == CALL || kind == CALL_RAX)
		remember(next);
	lead(forms[kind].kind, taken ? LOGGED_TAKEN : 0, length, taken ? to : next);
}

static void run_next_slot(void)
{
	const unsigned i = (unsigned)(run.ip - CODE) / SLOT;

	if (!(rand() % 100))
		handle(LOGGED_TAKEN | LOGGED_DELIVERED, 0, run.ip);
	if (run.ip == blocks[i].at) {
		end_block(i);
		return;
	}
	note_executed(run.ip);
	run.ip++;
}

/* A cycle of jumps without packets would not show the number of its turns. */
static uint64_t random_target(unsigned i, enum terminator kind)
{
	if (kind == JCC)
		return random_block();
	return CODE + (uint64_t)(i + 1 + (unsigned)rand() % (BLOCKS - 1 - i)) * SLOT;
}

static void make_block(unsigned i)
{
	const enum terminator kind = i + 1 < BLOCKS ? rand() % TERMINATORS : JUMP_RAX;
	uint8_t *at = code + i * SLOT + rand() % 4;
	int32_t distance;

	blocks[i].kind = kind;
	blocks[i].at = CODE + (uint64_t)(at - code);
	blocks[i].target = forms[kind].direct ? random_target(i, kind) : 0;
	memcpy(at, forms[kind].code, sizeof(forms[kind].code));
	if (forms[kind].bytes == 1)
		at[1] = 0x90;
	distance = (int32_t)(blocks[i].target - blocks[i].at - forms[kind].bytes);
	if (forms[kind].direct)
		memcpy(at + forms[kind].bytes - 4, &distance, sizeof(distance));
}

static void trace_program(unsigned seed, uint64_t ctl)
{
	struct vpmu_at at;

	srand(seed);
	memset(code, 0x90, sizeof(code));
	for (unsigned i = 0; i < BLOCKS; i++)
		make_block(i);
	memset(&run, 0, sizeof(run));
	memset(memory, 0, sizeof(memory));
	run.m = model_of("icl", false);
	run.now = 1000;
	run.traces_handler = ctl & RTIT_OS;
	vpmu_model_counts(&run.m, EVENTS_LEVEL_MODEL);
	vpmu_model_stops(&run.m, true);
	write_msr(&run.m, MSR_IA32_RTIT_OUTPUT_BASE, OUTPUT);
	write_msr(&run.m, MSR_IA32_RTIT_OUTPUT_MASK_PTRS, BYTES - 1);
	write_msr(&run.m, MSR_IA32_RTIT_CTL, ctl | RTIT_TRACE_EN | RTIT_USER | RTIT_BRANCH_EN);
	at = here(CODE);
	vpmu_model_trace_control(&run.m, &at, &memories);
	vpmu_model_trace_begin(&run.m, &at, &memories);
	run.ip = CODE;
	for (unsigned i = 0; i < STEPS; i++)
		run_next_slot();
	write_msr(&run.m, MSR_IA32_RTIT_CTL, 0);
	at = here(run.ip);
	vpmu_model_trace_control(&run.m, &at, &memories);
}

/* --- Decoding by libipt --- */

static int supply_code(uint8_t *to, size_t n, const struct pt_asid *asid, uint64_t ip,
		       void *context)
{
	const bool high = ip >> 63;
	const uint8_t *from = high ? handler : code;
	const uint64_t base = high ? HANDLER : CODE, size = high ? sizeof(handler) : sizeof(code);

	(void)asid;
	(void)context;
	if (ip < base || ip >= base + size)
		return -pte_nomap;
	if (n > base + size - ip)
		n = base + size - ip;
	memcpy(to, from + (ip - base), n);
	return (int)n;
}

static int take_events(struct pt_insn_decoder *decoder, int status)
{
	struct pt_event event;

	while (status >= 0 && status & pts_event_pending) {
		status = pt_insn_event(decoder, &event, sizeof(event));
		if (status >= 0)
			assert_int_not_equal(event.type, ptev_overflow);
	}
	return status;
}

static void assert_decoded(void)
{
	struct pt_insn_decoder *decoder;
	struct pt_config config;
	struct pt_insn insn;
	unsigned n = 0;
	int status;

	pt_config_init(&config);
	config.begin = memory;
	config.end = memory + (read_msr(&run.m, MSR_IA32_RTIT_OUTPUT_MASK_PTRS) >> 32);
	decoder = pt_insn_alloc_decoder(&config);
	assert_non_null(decoder);
	pt_image_set_callback(pt_insn_get_image(decoder), supply_code, NULL);
	status = pt_insn_sync_forward(decoder);
	for (;;) {
		status = take_events(decoder, status);
		assert_true(status >= 0);
		if (status & pts_eos)
			break;
		memset(&insn, 0, sizeof(insn));
		status = pt_insn_next(decoder, &insn, sizeof(insn));
		if (status < 0 && !insn.ip)
			break;
		assert_true(n < run.n);
		assert_int_equal(insn.ip, run.executed[n]);
		n++;
	}
	assert_int_equal(n, run.n);
	pt_insn_free_decoder(decoder);
}

TEST(test_decoded)
{
	static const uint64_t ways[] = {0, RTIT_DIS_RETC, RTIT_OS, RTIT_OS | RTIT_TSC_EN,
					RTIT_TSC_EN};

	for (unsigned way = 0; way < sizeof(ways) / sizeof(*ways); way++)
		for (unsigned seed = 0; seed < 8; seed++) {
			trace_program(seed, ways[way]);
			assert_decoded();
		}
}
