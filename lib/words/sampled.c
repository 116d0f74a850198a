// SPDX-License-Identifier: BSD-2-Clause
/* sampled.c - see sampled.h. */
#include "lib/words/sampled.h"

#include "lib/string.h"
#include "lib/words/number.h"

#include <asm/perf_regs.h>
#include <linux/errno.h>
#include <linux/perf_event.h>
#include <linux/time.h>
#include <stddef.h>

#define STACK_DEFAULT 8192
#define STACK_MOST    65528

static const char *const registers[PERF_REG_X86_64_MAX] = {
	[PERF_REG_X86_AX] = "AX",   [PERF_REG_X86_BX] = "BX",   [PERF_REG_X86_CX] = "CX",
	[PERF_REG_X86_DX] = "DX",   [PERF_REG_X86_SI] = "SI",   [PERF_REG_X86_DI] = "DI",
	[PERF_REG_X86_BP] = "BP",   [PERF_REG_X86_SP] = "SP",   [PERF_REG_X86_IP] = "IP",
	[PERF_REG_X86_CS] = "CS",   [PERF_REG_X86_SS] = "SS",   [PERF_REG_X86_FLAGS] = "FLAGS",
	[PERF_REG_X86_R8] = "R8",   [PERF_REG_X86_R9] = "R9",   [PERF_REG_X86_R10] = "R10",
	[PERF_REG_X86_R11] = "R11", [PERF_REG_X86_R12] = "R12", [PERF_REG_X86_R13] = "R13",
	[PERF_REG_X86_R14] = "R14", [PERF_REG_X86_R15] = "R15",
};

static char upper(char c)
{
	return c >= 'a' && c <= 'z' ? (char)(c - 'a' + 'A') : c;
}

/* The bit of the register with the name of `n` characters, in either case; 0: there is none. */
static uint64_t register_bit(const char *name, size_t n)
{
	for (unsigned i = 0; i < PERF_REG_X86_64_MAX; i++) {
		size_t k = 0;

		if (!registers[i])
			continue;
		while (k < n && upper(name[k]) == registers[i][k])
			k++;
		if (n && k == n && !registers[i][n])
			return 1ull << i;
	}
	return 0;
}

uint64_t registers_all(void)
{
	uint64_t mask = 0;

	for (unsigned i = 0; i < PERF_REG_X86_64_MAX; i++)
		mask |= registers[i] ? 1ull << i : 0;
	return mask;
}

int registers_read(const char *list, uint64_t *mask, struct reason *why)
{
	const char *at = list;

	*mask = *list ? 0 : registers_all();
	while (*at) {
		size_t n = 0;
		uint64_t bit;

		while (at[n] && at[n] != ',')
			n++;
		bit = register_bit(at, n);
		if (!bit || (at[n] && !at[n + 1]))
			return refuse(why, EINVAL,
				      "column %zu of '%s': AX, BX, CX, DX, SI, DI, BP, SP, IP, "
				      "FLAGS, CS, SS and R8 to R15 are registers",
				      (size_t)(at - list) + 1 + (bit ? n : 0), list);
		*mask |= bit;
		at += n + !!at[n];
	}
	return 0;
}

/* The names are those of perf record -j. */
static const struct {
	const char *name;
	uint64_t bit;
} branches[] = {
	{"u", PERF_SAMPLE_BRANCH_USER},
	{"k", PERF_SAMPLE_BRANCH_KERNEL},
	{"hv", PERF_SAMPLE_BRANCH_HV},
	{"any", PERF_SAMPLE_BRANCH_ANY},
	{"any_call", PERF_SAMPLE_BRANCH_ANY_CALL},
	{"any_ret", PERF_SAMPLE_BRANCH_ANY_RETURN},
	{"ind_call", PERF_SAMPLE_BRANCH_IND_CALL},
	{"abort_tx", PERF_SAMPLE_BRANCH_ABORT_TX},
	{"in_tx", PERF_SAMPLE_BRANCH_IN_TX},
	{"no_tx", PERF_SAMPLE_BRANCH_NO_TX},
	{"cond", PERF_SAMPLE_BRANCH_COND},
	{"ind_jmp", PERF_SAMPLE_BRANCH_IND_JUMP},
	{"call", PERF_SAMPLE_BRANCH_CALL},
	{"no_flags", PERF_SAMPLE_BRANCH_NO_FLAGS},
	{"no_cycles", PERF_SAMPLE_BRANCH_NO_CYCLES},
	{"save_type", PERF_SAMPLE_BRANCH_TYPE_SAVE},
	{"stack", PERF_SAMPLE_BRANCH_CALL_STACK},
	{"hw_index", PERF_SAMPLE_BRANCH_HW_INDEX},
	{"priv", PERF_SAMPLE_BRANCH_PRIV_SAVE},
};

/* A filter needs at least one of these bits. */
#define BRANCH_CHOICES                                                                          \
	(PERF_SAMPLE_BRANCH_ANY | PERF_SAMPLE_BRANCH_ANY_CALL | PERF_SAMPLE_BRANCH_ANY_RETURN | \
	 PERF_SAMPLE_BRANCH_IND_CALL | PERF_SAMPLE_BRANCH_ABORT_TX | PERF_SAMPLE_BRANCH_COND |  \
	 PERF_SAMPLE_BRANCH_IND_JUMP | PERF_SAMPLE_BRANCH_CALL | PERF_SAMPLE_BRANCH_CALL_STACK)

static uint64_t branch_bit(const char *name, size_t n)
{
	for (size_t i = 0; i < sizeof(branches) / sizeof(branches[0]); i++)
		if (!strncmp(name, branches[i].name, n) && !branches[i].name[n])
			return branches[i].bit;
	return 0;
}

int branch_filter_read(const char *list, uint64_t *mask, struct reason *why)
{
	const char *at = list;

	*mask = 0;
	do {
		size_t n = 0;
		uint64_t bit;

		while (at[n] && at[n] != ',')
			n++;
		bit = n ? branch_bit(at, n) : 0;
		if (!bit)
			return refuse(
				why, EINVAL,
				"column %zu of '%s': any, any_call, any_ret, ind_call, ind_jmp, "
				"call, cond, abort_tx, in_tx, no_tx, u, k, hv, save_type, priv, "
				"hw_index, no_flags, no_cycles and stack are there",
				(size_t)(at - list) + 1, list);
		*mask |= bit;
		at += n;
	} while (*at++ == ',');
	if (!(*mask & BRANCH_CHOICES))
		*mask |= PERF_SAMPLE_BRANCH_ANY;
	return 0;
}

static bool is_same_word(const char *a, const char *b)
{
	for (; *a && upper(*a) == upper(*b); a++, b++)
		;
	return upper(*a) == upper(*b);
}

int clock_read(const char *name, int *clockid, struct reason *why)
{
	static const struct {
		const char *name, *full;
		int id;
	} clocks[] = {
		{"monotonic", "CLOCK_MONOTONIC", CLOCK_MONOTONIC},
		{"monotonic_raw", "CLOCK_MONOTONIC_RAW", CLOCK_MONOTONIC_RAW},
		{"realtime", "CLOCK_REALTIME", CLOCK_REALTIME},
		{"boottime", "CLOCK_BOOTTIME", CLOCK_BOOTTIME},
		{"tai", "CLOCK_TAI", CLOCK_TAI},
		{"mono", "CLOCK_MONO", CLOCK_MONOTONIC},
		{"raw", "CLOCK_RAW", CLOCK_MONOTONIC_RAW},
		{"real", "CLOCK_REAL", CLOCK_REALTIME},
		{"boot", "CLOCK_BOOT", CLOCK_BOOTTIME},
	};
	uint64_t number;

	if (number_parse(name, &number))
		number = UINT64_MAX;
	for (size_t i = 0; i < sizeof(clocks) / sizeof(clocks[0]); i++)
		if (is_same_word(name, clocks[i].name) || is_same_word(name, clocks[i].full) ||
		    number == (uint64_t)clocks[i].id) {
			*clockid = clocks[i].id;
			return 0;
		}
	return refuse(
		why, EINVAL,
		"'%s' is none of monotonic, monotonic_raw, realtime, boottime, tai, and mono, "
		"raw, real, boot",
		name);
}

static int stack_read(const char *text, uint32_t *stack, struct reason *why)
{
	uint64_t bytes;

	if (number_parse(text, &bytes) || !bytes || bytes > STACK_MOST)
		return refuse(why, EINVAL, "'%s' is not a number of bytes from 1 to %d", text,
			      STACK_MOST);
	*stack = (uint32_t)(bytes + 7) & ~7u;
	return 0;
}

int call_graph_read(const char *how, struct call_graph *graph, struct reason *why)
{
	static const char dwarf[] = "dwarf";
	const char *behind = how + sizeof(dwarf) - 1;

	*graph = (struct call_graph){.frames = !strcmp(how, "fp"), .calls = !strcmp(how, "lbr")};
	if (graph->frames || graph->calls || !strcmp(how, "none"))
		return 0;
	if (strncmp(how, dwarf, sizeof(dwarf) - 1) || (*behind && *behind != ','))
		return refuse(why, EINVAL, "'%s' is none of fp, dwarf, dwarf,BYTES, lbr and none",
			      how);
	graph->stack = STACK_DEFAULT;
	return *behind ? stack_read(behind + 1, &graph->stack, why) : 0;
}
