// SPDX-License-Identifier: BSD-2-Clause
/*
 * ask_solver.c - asks the host tool for the best shares of groups: see wire.h. The machine stands
 * still while the tool solves, so no time passes for it, and nothing depends on the host's speed.
 */
#include "rt/wire/frames.h"

#include "arch/x86/dev/shared_areas.h"
#include "arch/x86/insn.h"
#include "arch/x86/smp/smp.h"
#include "include/perf0/shared.h"
#include "rt/wire/wire.h"

_Static_assert(sizeof(struct fair_exchange) <= SHARED_IN_BYTES, "it finds room");

/* Runs on the boot CPU, which sends all frames. */
static void send_question(void *arg)
{
	(void)arg;
	wire_hold_drain(true);
	wire_send_payload(WIRE_SOLVE, WIRE_STREAM_MAIN, 0);
	wire_hold_drain(false);
	outb(SHARED_STOP_PORT, SHARED_STOP_VALUE);
}

bool wire_solve(const struct fair_problem *problem, struct fair_solution *solution)
{
	uint32_t bytes;
	struct fair_exchange *exchange = shared_area(SHARED_IN, &bytes);

	if (!exchange || bytes < sizeof(*exchange))
		return false;
	exchange->problem = *problem;
	exchange->answered = 0;
	smp_call(0, send_question, NULL);
	if (__atomic_load_n(&exchange->answered, __ATOMIC_ACQUIRE) != 1)
		return false;
	*solution = exchange->solution;
	return true;
}
