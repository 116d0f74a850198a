// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_hrtimer.c - timers go off in the order of their times and never early, with restarts,
 * cancellations, and callbacks that do not return. The test does not check how late they are.
 */
#include "arch/x86/insn.h"
#include "arch/x86/dev/tsc.h"
#include "arch/x86/cpu/user.h"
#include "lib/time.h"
#include "rt/clock/hrtimer.h"
#include "rt/base/image_test.h"
#include "tests/image/fixture.h"
#include "tests/image/user_code.h"

#include <stddef.h>

#define N        8
#define TURNS    5
#define LEFT     77
#define WAIT_NS  (5 * NSEC_PER_SEC)
#define STEP_NS  (NSEC_PER_MS / 2)
#define FIRST_NS (2 * NSEC_PER_MS)

static struct shot {
	struct hrtimer timer;
	uint64_t due; /* clock_ns() */
} shots[N];

static volatile unsigned fired, wrong;
static unsigned order[N];

static void note(struct hrtimer *timer, struct trap_frame *frame)
{
	unsigned i = (unsigned)((struct shot *)timer - shots);

	(void)frame;
	wrong += clock_ns() < shots[i].due || hrtimer_armed(timer);
	order[fired++ % N] = i;
}

static void shoot(unsigned i, uint64_t ns)
{
	shots[i].timer.fn = note;
	shots[i].due = clock_ns() + ns;
	hrtimer_start(&shots[i].timer, ns);
}

static void wait_for(unsigned n)
{
	uint64_t start = clock_ns();

	irq_enable();
	while (fired < n && clock_ns() - start < WAIT_NS)
		cpu_pause();
	irq_disable();
}

/* Started from both ends towards the middle; one restarted, one cancelled, one cancelled late. */
static const char *test_timers_go_off_in_order(void)
{
	fired = wrong = 0;
	for (unsigned i = 0; i < N; i++)
		shoot(i, FIRST_NS + STEP_NS * (i % 2 ? N - i : i));
	shoot(0, FIRST_NS + STEP_NS * N);
	if (!hrtimer_cancel(&shots[3].timer) || hrtimer_cancel(&shots[3].timer))
		return "cancelling does not say what was armed";
	wait_for(N - 1);
	if (fired != N - 1 || wrong)
		return "a timer was early, or did not come";
	for (unsigned i = 0; i < N - 1; i++) {
		static const unsigned wanted[N - 1] = {7, 2, 5, 4, 6, 1, 0};

		if (order[i] != wanted[i])
			return "they came in another order";
	}
	return hrtimer_cancel(&shots[0].timer) ? "one that went off is still armed" : NULL;
}
IMAGE_TEST(test_timers_go_off_in_order);

static unsigned turns; /* the other timer may come in between, where an emulator was held up */

static void again(struct hrtimer *timer, struct trap_frame *frame)
{
	(void)frame;
	wrong += clock_ns() < shots[0].due;
	shots[0].due = clock_ns() + STEP_NS;
	fired++;
	if (++turns < TURNS)
		hrtimer_start_irqs_off(timer, STEP_NS);
}

/* The other timer is due much later, and must survive all restarts. */
static const char *test_timer_restarts_itself_beside_another(void)
{
	fired = wrong = turns = 0;
	shoot(1, FIRST_NS + 4 * TURNS * STEP_NS);
	shoot(0, FIRST_NS);
	shots[0].timer.fn = again;
	wait_for(TURNS + 1);
	if (fired != TURNS + 1 || wrong)
		return "a timer was early, or did not come";
	return hrtimer_armed(&shots[0].timer) || hrtimer_armed(&shots[1].timer) ? "still armed"
										: NULL;
}
IMAGE_TEST(test_timer_restarts_itself_beside_another);

static void leave(struct hrtimer *timer, struct trap_frame *frame)
{
	(void)timer;
	if (trap_from_user(frame))
		user_leave(LEFT);
}

static const char *test_timer_that_leaves_loses_no_other(void)
{
	static const uint64_t no_args[6];
	long code;

	fired = wrong = 0;
	shoot(0, FIRST_NS);
	shots[0].timer.fn = leave;
	shoot(1, FIRST_NS + STEP_NS);
	code = fixture_run(user_spin, no_args, NULL, NULL);
	hrtimer_cancel(&shots[0].timer);
	wait_for(1);
	if (code != LEFT)
		return "the callback did not end ring 3";
	return fired == 1 && !wrong ? NULL : "the other timer was lost, or early";
}
IMAGE_TEST(test_timer_that_leaves_loses_no_other);
