// SPDX-License-Identifier: BSD-2-Clause
/*
 * task_crash.c - the report on a program that a signal ends. A report is stored in one piece of
 * memory in the form in which it is sent: payloads of frames, each preceded by its length.
 */
#include "linux/task/task_fault.h"

#include "arch/x86/cpu/user.h"
#include "arch/x86/insn.h"
#include "lib/lock.h"
#include "lib/string.h"
#include "rt/base/heap.h"
#include "linux/task/task_parts.h"
#include "linux/program/workload.h"
#include "rt/wire/wire.h"

#include <linux/mman.h>

#define CRASHES_MOST 4
#define STACK_BYTES  (48 * 1024) /* bytes from the stack pointer on */
#define CRASH_BYTES  (STACK_BYTES + 32 * 1024)
#define PIECE_BYTES  2048 /* bytes of the stack in one frame */

struct crash {
	size_t size;
	uint8_t bytes[CRASH_BYTES];
};

static struct {
	struct lock lock;
	unsigned n;
	struct crash *crash[CRASHES_MOST];
} kept;

static bool has_core(int number)
{
	static const uint64_t cores = 1ull << SIGQUIT | 1ull << SIGILL | 1ull << SIGTRAP |
				      1ull << SIGABRT | 1ull << SIGBUS | 1ull << SIGFPE |
				      1ull << SIGSEGV | 1ull << SIGXCPU | 1ull << SIGXFSZ |
				      1ull << SIGSYS;

	return number < 64 && cores >> number & 1;
}

/* --- Content of the report --- */

static bool begin_payload(struct crash *c, const struct wire_crash *head, size_t more)
{
	const uint16_t n = (uint16_t)(sizeof(*head) + more);

	if (sizeof(c->bytes) - c->size < sizeof(n) + n)
		return false;
	memcpy(c->bytes + c->size, &n, sizeof(n));
	memcpy(c->bytes + c->size + sizeof(n), head, sizeof(*head));
	c->size += sizeof(n) + sizeof(*head);
	return true;
}

static void add_bytes(struct crash *c, const void *bytes, size_t n)
{
	memcpy(c->bytes + c->size, bytes, n);
	c->size += n;
}

static void tell_begin(struct crash *c, struct wire_crash *head, const struct task *t,
		       const char *why)
{
	const struct trap_frame *r = &t->user.regs;
	const uint64_t regs[WIRE_CRASH_REGS] = {
		r->rax, r->rdx, r->rcx, r->rbx, r->rsi, r->rdi, r->rbp, r->rsp, r->r8,
		r->r9,  r->r10, r->r11, r->r12, r->r13, r->r14, r->r15, r->rip,
	};
	const char *path = t->process->path;
	const size_t name = strlen(path) + 1, sentence = strlen(why) + 1;

	head->part = WIRE_CRASH_BEGIN;
	if (!begin_payload(c, head, sizeof(regs) + name + sentence))
		return;
	add_bytes(c, regs, sizeof(regs));
	add_bytes(c, path, name);
	add_bytes(c, why, sentence);
}

static void tell_map(struct crash *c, struct wire_crash *head, const struct area *a)
{
	const char *path = a->from && a->from->path ? a->from->path : "";
	const size_t n = strlen(path) + 1;

	if (!*path || !(a->prot & PROT_EXEC))
		return;
	head->part = WIRE_CRASH_MAP;
	head->start = a->start;
	head->end = a->end;
	head->offset = a->offset;
	if (begin_payload(c, head, n))
		add_bytes(c, path, n);
}

struct stack {
	uint64_t from, end;
};

/* Writes the maps and returns the stack area. The stack pointer of a program that ran out of
 * stack points below the area; then the stack begins at the start of the area. */
static struct stack tell_maps(struct crash *c, struct wire_crash *head, const struct task *t)
{
	struct mm *mm = t->process->mm;
	struct stack s = {t->user.regs.rsp, t->user.regs.rsp};
	unsigned i;

	lock_take(&mm->lock);
	for (i = 0; i < mm->areas.n; i++)
		tell_map(c, head, &mm->areas.area[i]);
	i = areas_after(&mm->areas, s.from);
	if (i < mm->areas.n) {
		s.end = mm->areas.area[i].end;
		if (mm->areas.area[i].start > s.from)
			s.from = mm->areas.area[i].start;
	}
	lock_release(&mm->lock);
	return s;
}

static void tell_stack(struct crash *c, struct wire_crash *head, struct stack s)
{
	uint8_t piece[PIECE_BYTES];
	uint64_t at = s.from;
	size_t n;

	if (s.end - s.from > STACK_BYTES)
		s.end = s.from + STACK_BYTES;
	head->part = WIRE_CRASH_MEMORY;
	head->offset = 0;
	for (; at < s.end; at += n) {
		n = s.end - at < sizeof(piece) ? s.end - at : sizeof(piece);
		if (copy_from_user(piece, at, n))
			return;
		head->start = at;
		head->end = at + n;
		if (begin_payload(c, head, n))
			add_bytes(c, piece, n);
	}
}

static bool keep_crash(struct crash *c)
{
	const uint64_t flags = irq_save();
	bool fits;

	lock_take(&kept.lock);
	fits = kept.n < CRASHES_MOST;
	if (fits)
		kept.crash[kept.n++] = c;
	lock_release(&kept.lock);
	irq_restore(flags);
	return fits;
}

void crash_note(const struct task *t, const siginfo_t *info, const char *why)
{
	struct wire_crash head = {.signal = (uint16_t)info->si_signo, .pid = t->pid, .tid = t->tid};
	const struct workload_call *call = t->process->call;
	struct crash *c;

	if (!has_core(info->si_signo) || (call && call->workload))
		return;
	c = heap_alloc(sizeof(*c));
	if (!c)
		return;
	tell_begin(c, &head, t, why);
	tell_stack(c, &head, tell_maps(c, &head, t));
	head.part = WIRE_CRASH_END;
	head.start = head.end = 0;
	begin_payload(c, &head, 0);
	if (!keep_crash(c))
		heap_free(c);
}

static void send_crash(const struct crash *c)
{
	uint16_t n;

	for (size_t at = 0; at < c->size; at += n) {
		memcpy(&n, c->bytes + at, sizeof(n));
		at += sizeof(n);
		wire_crash(c->bytes + at, n);
	}
}

void crash_send(void)
{
	for (unsigned i = 0; i < kept.n; i++) {
		send_crash(kept.crash[i]);
		heap_free(kept.crash[i]);
	}
	kept.n = 0;
}
