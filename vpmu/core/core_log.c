// SPDX-License-Identifier: BSD-2-Clause
/* core_log.c - the log of micro-operations. */
#include "vpmu/core/core_state.h"

void core_log_uop(struct core *core, unsigned kind, unsigned unit, uint64_t begun)
{
	struct core_log *log = core->log;

	if (log->n < log->room)
		log->uops[log->n++] = (struct core_uop_times){.step = core->sum.steps,
							      .renamed = core->now,
							      .begun = begun,
							      .done = begun + 1,
							      .unit = (uint8_t)unit,
							      .kind = (uint8_t)kind};
}

void core_log_done(struct core *core, uint64_t done)
{
	if (core->log && core->log->n && core->log->uops[core->log->n - 1].step == core->sum.steps)
		core->log->uops[core->log->n - 1].done = done;
}

/* The step ends: its results are there at `done`. */
void core_log_step(struct core *core, uint64_t done)
{
	struct core_log *log = core->log;
	struct core_uop_times *last = NULL;

	for (unsigned i = log->n; i-- && log->uops[i].step == core->sum.steps;) {
		log->uops[i].retired = core->retired;
		if (!last && log->uops[i].kind == CORE_COMPUTE)
			last = &log->uops[i];
	}
	if (last && last->done < done)
		last->done = done;
	if (log->n && log->uops[log->n - 1].step == core->sum.steps)
		return;
	core_log_uop(core, CORE_COMPUTE, CORE_NO_UNIT, core->now);
	if (log->n && log->uops[log->n - 1].step == core->sum.steps)
		log->uops[log->n - 1].retired = core->retired;
}

void core_log_to(struct core *core, struct core_log *log)
{
	core->log = log;
	core->studied = true;
}
