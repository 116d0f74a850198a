// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_step.c - single steps through ring 3 report every instruction once, in order, whatever comes
 * in between. Ring 3 does not notice them.
 */
#include "arch/x86/dev/apic.h"
#include "arch/x86/insn.h"
#include "arch/x86/cpu/step.h"
#include "arch/x86/dev/tsc.h"
#include "rt/base/image_test.h"
#include "rt/base/vectors.h"
#include "tests/image/fixture.h"
#include "tests/image/user_code.h"

#include <asm/unistd_64.h>

#define NS_PER_US 1000u

static const uint64_t no_args[6];

static struct {
	uint64_t executed, interrupted;
	uint64_t next; /* where the next step has to begin */
	uint64_t gaps; /* steps that did not */
	struct step last;
} seen;

static void on_step(const struct step *step)
{
	seen.gaps += step->from != seen.next;
	seen.executed += step->executed;
	seen.interrupted += !step->executed;
	seen.next = step->to;
	seen.last = *step;
}

/* The code is still mapped here: the stepper looks at it once more. */
static long exit_or_time(long nr, struct trap_frame *frame)
{
	if (nr != __NR_exit_group)
		return 0;
	step_end();
	user_leave((long)frame->rdi);
}

static void end_with_vector(struct trap_frame *frame)
{
	step_end();
	user_leave(FIXTURE_FAULT + (long)frame->vector);
}

static struct user_state at_piece;

static long run_stepped(const uint8_t *piece, trap_handler *on_fault)
{
	const uint64_t flags = irq_save();
	long code;

	seen.executed = seen.interrupted = seen.gaps = 0;
	seen.next = fixture_code(piece);
	at_piece.regs.rip = seen.next;
	user_prepare(&at_piece);
	step_begin(on_step);
	code = fixture_run(piece, no_args, on_fault, exit_or_time);
	irq_restore(flags);
	return code;
}

static const char *test_steps_are_whole(void)
{
	if (run_stepped(user_step_flags, end_with_vector))
		return "ring 3 saw TF";
	if (seen.executed != STEP_FLAGS_INSTRUCTIONS || seen.interrupted || seen.gaps)
		return "not each instruction was told once";
	if (seen.last.insn.kind != INSN_ENTER || seen.last.to)
		return "the last one was not the system call that ended it";
	return NULL;
}
IMAGE_TEST(test_steps_are_whole);

static const char *test_nobody_steps_afterwards(void)
{
	const uint64_t executed = seen.executed;

	if (fixture_run(user_step_flags, no_args, NULL, NULL))
		return "TF was left behind";
	return seen.executed == executed ? NULL : "a step was told after the end";
}
IMAGE_TEST(test_nobody_steps_afterwards);

static uint64_t trapped_at, flags_at_trap, pushed;

static void leave_at_trap(struct trap_frame *frame)
{
	trapped_at = frame->rip;
	flags_at_trap = frame->rflags;
	copy_from_user(&pushed, frame->rsp, sizeof(pushed));
	if (user_running())
		step_end();
	user_leave(FIXTURE_FAULT + (long)frame->vector);
}

static const char *test_ring_3_has_a_tf_of_its_own(void)
{
	if (run_stepped(user_step_own, leave_at_trap) != FIXTURE_FAULT + VEC_DB)
		return "ring 3 did not get its #DB";
	if (trapped_at != fixture_code(user_step_own_trapped))
		return "it came elsewhere";
	if (!(flags_at_trap & RFLAGS_TF) || !(pushed & RFLAGS_TF))
		return "ring 3's own TF was hidden from it";
	return seen.executed == 4 && !seen.gaps ? NULL : "not each instruction was told once";
}
IMAGE_TEST(test_ring_3_has_a_tf_of_its_own);

static void go_on_elsewhere(struct trap_frame *frame)
{
	frame->rip = fixture_code(user_called);
}

static const char *mended(const char *fault, uint64_t executed, uint64_t interrupted)
{
	if (run_stepped(fixture_fault(fault), go_on_elsewhere))
		return "ring 3 did not go on";
	if (seen.executed != executed || seen.interrupted != interrupted || seen.gaps)
		return fault;
	return NULL;
}

/* user_called is three instructions; INT3 is executed, an instruction that faults is not. */
static const char *test_mended_exceptions_are_followed(void)
{
	const char *wrong = mended("ud2", 3, 1);

	return wrong ? wrong : mended("int3", 4, 0);
}
IMAGE_TEST(test_mended_exceptions_are_followed);

static unsigned timer_hits;

static void hit_and_arm(struct trap_frame *frame)
{
	(void)frame;
	apic_eoi();
	if (++timer_hits < 3) {
		fixture_arm_timer(500 * NS_PER_US);
		return;
	}
	step_end();
	user_leave(0);
}

static const char *test_interrupts_are_told(void)
{
	trap_handler *old = trap_set_irq(VECTOR_TIMER, hit_and_arm);
	long code;

	timer_hits = 0;
	fixture_arm_timer(500 * NS_PER_US);
	code = run_stepped(user_spin, end_with_vector);
	apic_timer_stop();
	trap_set_irq(VECTOR_TIMER, old);
	if (code || timer_hits != 3)
		return "the timer did not end it";
	if (seen.interrupted != 2 || seen.gaps || !seen.executed)
		return "not two interrupts that ring 3 came back from";
	return seen.last.from == fixture_code(user_spin) ? NULL : "it was elsewhere in the end";
}
IMAGE_TEST(test_interrupts_are_told);
