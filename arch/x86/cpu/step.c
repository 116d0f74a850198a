// SPDX-License-Identifier: BSD-2-Clause
/*
 * step.c - see step.h.
 *
 * A #DB reports where ring 3 is now, not where it was: `at` keeps that address. It is valid only if
 * every exit from ring 3 and every return is followed:
 *
 * 	#DB                  itself
 * 	IRQ, NMI             come back to where they interrupted: told afterwards, by their number
 * 	exception            step_mended()
 * 	SYSCALL, SYSRET      step_syscall(), step_sysret(). TF counts before SFMASK clears it
 * 			     only, and again right after SYSRET has loaded it: the #DB comes at
 * 			     the end of the pair, before the next instruction, and belongs to
 * 			     the SYSCALL
 * 	another task         step_left(), step_prepared(); or user_prepare() before
 * 			     step_begin()
 *
 * Ring 3 cannot write its code, so an instruction is decoded once and cached until another task
 * runs.
 */
#include "arch/x86/cpu/step.h"

#include "arch/x86/insn.h"
#include "arch/x86/msr.h"
#include "arch/x86/cpu/trap.h"
#include "arch/x86/cpu/user.h"
#include "lib/insn_decode.h"
#include "lib/percpu.h"
#include "lib/string.h"

#include <stddef.h>

#define CACHE_SIZE 512 /* a power of two */

struct decoded {
	uint64_t ip; /* 0: none */
	struct insn_flow insn;
};

static PERCPU struct {
	step_handler *fn; /* NULL: ring 3 is not stepped */
	uint64_t at;      /* the next instruction of ring 3, or the one that entered ring 0 */
	uint64_t interrupts;
	bool own_tf; /* of ring 3 */
	bool sysret; /* the next #DB belongs to SYSRET */
	bool left;   /* after step_left(): TF is ring 3's own */
	struct decoded cache[CACHE_SIZE];
} steps;

PERCPU bool step_on;

/* Reads as many bytes as are mapped: the code may end with its page. */
static size_t fetch_code(uint8_t *code, uint64_t ip)
{
	size_t n = INSN_MAX_BYTES;

	while (n && copy_from_user(code, ip, n))
		n--;
	return n;
}

static struct insn_flow insn_at(uint64_t ip)
{
	struct decoded *d = &steps.cache[ip % CACHE_SIZE];
	uint8_t code[INSN_MAX_BYTES];

	if (d->ip != ip)
		*d = (struct decoded){ip, insn_classify(code, fetch_code(code, ip))};
	return d->insn;
}

/* Interrupts since the last step interrupted ring 3, because they are off in ring 0. */
static uint64_t interrupts_so_far(void)
{
	return trap_counts()->irqs + trap_counts()->nmis;
}

static void tell_executed(const struct insn_flow *insn, uint64_t from, uint64_t to)
{
	steps.fn(&(struct step){.executed = true, .from = from, .to = to, .insn = *insn});
}

static void tell_interrupted(uint64_t from, uint64_t to)
{
	steps.fn(&(struct step){.from = from, .to = to});
}

static void tell_step_interrupts(void)
{
	if (steps.interrupts != interrupts_so_far())
		tell_interrupted(steps.at, steps.at);
}

void step_begin(step_handler *fn)
{
	memset(steps.cache, 0, sizeof(steps.cache));
	steps.fn = fn;
	step_on = true;
	steps.at = user_ip();
	steps.own_tf = user_set_tf(true);
	steps.left = false;
	steps.sysret = false;
	steps.interrupts = interrupts_so_far();
}

/* Ring 3's RIP is behind an INSN_ENTER instruction only if that instruction has entered ring 0. */
static bool is_behind_entry(const struct insn_flow *insn, uint64_t ip)
{
	return insn->kind == INSN_ENTER && ip == steps.at + insn->length;
}

void step_end(void)
{
	const struct insn_flow insn = insn_at(steps.at);

	if (is_behind_entry(&insn, user_ip()))
		tell_executed(&insn, steps.at, 0);
	user_set_tf(steps.own_tf);
	steps.fn = NULL;
	step_on = false;
}

bool step_trapped(const struct trap_frame *frame)
{
	uint64_t dr6;

	if (!steps.fn || !trap_from_user(frame))
		return false;
	dr6 = read_dr6();
	if (!(dr6 & DR6_STEP))
		return false;
	write_dr6(dr6 & ~DR6_STEP);
	return true;
}

/* PUSHF's image of RFLAGS lies on top of the stack; TF is in its second byte. */
static void hide_pushed(const struct trap_frame *frame, size_t size)
{
	uint64_t flags = 0;

	if (copy_from_user(&flags, frame->rsp, size))
		return;
	flags &= ~(uint64_t)RFLAGS_TF;
	copy_to_user(frame->rsp, &flags, size);
}

/* Separates ring 3's own TF from the stepper's in the flags after the instruction. */
static void follow_flags(const struct trap_frame *frame, const struct insn_flow *insn)
{
	if (insn->saves_flags && !steps.own_tf)
		hide_pushed(frame, insn->flags_size);
	if (insn->loads_flags)
		steps.own_tf = frame->rflags & RFLAGS_TF;
}

static void follow_executed(const struct trap_frame *frame, uint64_t from)
{
	const struct insn_flow insn = insn_at(from);
	const uint64_t behind = from + insn.length;

	if (insn.holds_traps && frame->rip != behind) {
		tell_executed(&insn, from, behind);
		follow_executed(frame, behind);
		return;
	}
	follow_flags(frame, &insn);
	tell_executed(&insn, from, frame->rip);
}

/* Handles SYSRET's #DB. If stepping began within the system call, no instruction has executed
 * yet. */
static void follow_sysret(struct trap_frame *frame)
{
	const struct insn_flow insn = insn_at(steps.at);

	if (!steps.own_tf)
		frame->r11 &= ~(uint64_t)RFLAGS_TF;
	if (is_behind_entry(&insn, frame->rip))
		tell_executed(&insn, steps.at, frame->rip);
}

bool step_take(struct trap_frame *frame)
{
	const bool own_tf = steps.own_tf;

	if (steps.sysret) {
		follow_sysret(frame);
	} else {
		tell_step_interrupts();
		follow_executed(frame, steps.at);
	}
	steps.sysret = false;
	steps.at = frame->rip;
	steps.interrupts = interrupts_so_far();
	frame->rflags |= RFLAGS_TF;
	return !own_tf;
}

void step_prepared(uint64_t rip)
{
	struct insn_flow insn;

	if (!steps.fn)
		return;
	insn = insn_at(steps.at);
	if (is_behind_entry(&insn, user_ip()))
		tell_executed(&insn, steps.at, 0);
	else if (steps.at != rip)
		tell_interrupted(steps.at, rip);
	memset(steps.cache, 0,
	       sizeof(steps.cache)); /* the next task may have other code at these addresses */
	steps.at = rip;
	steps.sysret = false;
	steps.interrupts = interrupts_so_far();
	steps.own_tf = user_set_tf(true);
	steps.left = false;
}

bool step_was_left(void)
{
	return steps.fn && steps.left;
}

bool step_is_prepared(void)
{
	return steps.fn && !steps.left;
}

bool step_set_own_tf(bool on)
{
	const bool was = steps.own_tf;

	steps.own_tf = on;
	return was;
}

void step_left(struct trap_frame *frame)
{
	if (!steps.fn)
		return;
	steps.left = true;
	frame->rflags &= ~(uint64_t)RFLAGS_TF;
	frame->rflags |= steps.own_tf ? RFLAGS_TF : 0;
}

/* Decodes SYSCALL now: when stepping ends, the memory may belong to another task. */
void step_syscall(void)
{
	insn_at(steps.at);
	tell_step_interrupts();
}

void step_sysret(void)
{
	steps.sysret = true;
}

void step_mended(struct trap_frame *frame, uint64_t rip)
{
	struct insn_flow insn;

	if (!steps.fn)
		return;
	tell_step_interrupts();
	insn = insn_at(steps.at);
	if (is_behind_entry(&insn, rip))
		tell_executed(&insn, steps.at, frame->rip);
	else
		tell_interrupted(steps.at, frame->rip);
	steps.at = frame->rip;
	steps.interrupts = interrupts_so_far();
	frame->rflags |= RFLAGS_TF;
}
