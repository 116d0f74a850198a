// SPDX-License-Identifier: BSD-2-Clause
/* ptrace_registers.c - the registers of a stopped task, one row for each word of struct
 * user_regs_struct of <sys/user.h>. */
#include "linux/task/ptrace_parts.h"

#include "arch/x86/cpu/user.h"

#include <linux/errno.h>

/* Selectors of Linux: debuggers recognize 64-bit programs by them. */
#define LINUX_CS 0x33
#define LINUX_SS 0x2b

/* RFLAGS that a tracer may set: as Linux's ptrace, CF, PF, AF, ZF, SF, TF, DF, OF, NT, RF, AC. */
#define RFLAGS_TRACERS 0x54dd5u

enum word_kind {
	WORD_PLAIN,
	WORD_NUMBER, /* number of the system call; -1: none */
	WORD_FLAGS,
	WORD_BASE,     /* an address of ring 3 */
	WORD_SELECTOR, /* always `value` */
};

static const struct word {
	enum word_kind kind;
	size_t offset; /* in struct user_state */
	uint64_t value;
} words[PTRACE_WORDS] = {
#define REG(name) .offset = offsetof(struct user_state, name)
	{REG(regs.r15)},
	{REG(regs.r14)},
	{REG(regs.r13)},
	{REG(regs.r12)},
	{REG(regs.rbp)},
	{REG(regs.rbx)},
	{REG(regs.r11)},
	{REG(regs.r10)},
	{REG(regs.r9)},
	{REG(regs.r8)},
	{REG(regs.rax)},
	{REG(regs.rcx)},
	{REG(regs.rdx)},
	{REG(regs.rsi)},
	{REG(regs.rdi)},
	{.kind = WORD_NUMBER},
	{REG(regs.rip)},
	{.kind = WORD_SELECTOR, .value = LINUX_CS},
	{.kind = WORD_FLAGS, REG(regs.rflags)},
	{REG(regs.rsp)},
	{.kind = WORD_SELECTOR, .value = LINUX_SS},
	{.kind = WORD_BASE, REG(fs_base)},
	{.kind = WORD_BASE, REG(gs_base)},
	{.kind = WORD_SELECTOR},
	{.kind = WORD_SELECTOR},
	{.kind = WORD_SELECTOR},
	{.kind = WORD_SELECTOR},
#undef REG
};

static uint64_t *saved_word_of(const struct task *t, const struct word *w)
{
	return (uint64_t *)((uint8_t *)(uintptr_t)&t->user + w->offset);
}

/* As in Linux, only the lower 32 bits say whether there is a call. An interrupted call is repeated
 * with the number that was written here. */
static void set_call_number(struct task *t, uint64_t value)
{
	const long number = (int32_t)value;

	t->trace.number = number;
	t->interrupted = number < 0 ? -1 : number;
}

uint64_t ptrace_read_word(const struct task *t, unsigned i)
{
	const struct word *w = &words[i];

	if (w->kind == WORD_SELECTOR)
		return w->value;
	return w->kind == WORD_NUMBER ? (uint64_t)t->trace.number : *saved_word_of(t, w);
}

int ptrace_write_word(struct task *t, unsigned i, uint64_t value)
{
	const struct word *w = &words[i];
	uint64_t *at = saved_word_of(t, w);

	switch (w->kind) {
	case WORD_SELECTOR:
		return value == w->value ? 0 : -EIO;
	case WORD_NUMBER:
		set_call_number(t, value);
		return 0;
	case WORD_BASE:
		if (value >= RING3_LIMIT)
			return -EIO;
		break;
	case WORD_FLAGS:
		value = (*at & ~(uint64_t)RFLAGS_TRACERS) | (value & RFLAGS_TRACERS);
		break;
	case WORD_PLAIN:
		break;
	}
	*at = value;
	return 0;
}
