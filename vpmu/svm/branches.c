// SPDX-License-Identifier: BSD-2-Clause
/*
 * branches.c - last branch records: QEMU's plugin adds to them what the guest executes (struct
 * branch_stack in its page), and vpmu what it emulates. While they are on, whatever leads elsewhere
 * without a branch, as interrupts and exceptions, exits first, so that the plugin sees by the first
 * code of the next run where it led. The guest may write that page, and so only what is in range is
 * taken from it.
 */
#include "vpmu/model/model_trace.h"
#include "vpmu/svm/vpmu.h"

bool vpmu_branches_on(const struct vpmu_cpu *cpu)
{
	return cpu->events.own && cpu->model.follows;
}

void vpmu_branches_expect(struct vpmu_cpu *cpu)
{
	struct branch_stack *page;

	if (vpmu_branches_on(cpu)) {
		page = &cpu->events.own->branches;
		*page = cpu->model.branches;
		page->wanted = vpmu_model_branches_wanted(&cpu->model, cpu->ring);
		page->enters = true;
		page->enters_at = vpmu_guest_linear_rip();
		page->enters_from =
			cpu->delivers_from ? cpu->delivers_from : vpmu_guest_linear_rip();
		page->on = true;
	}
	vpmu_trace_expect(cpu);
	cpu->delivers_from = 0;
}

void vpmu_branches_stop(struct vpmu_cpu *cpu)
{
	struct branch_stack *page = &cpu->events.own->branches;

	if (page->on)
		page->wanted_then = vpmu_model_branches_wanted(&cpu->model, vpmu_guest_ring());
}

void vpmu_branches_take(struct vpmu_cpu *cpu)
{
	struct branch_stack *page = &cpu->events.own->branches;

	if (!page->on)
		return;
	page->on = page->enters = false;
	branch_stack_take(&cpu->model.branches, page);
	vpmu_trace_take(cpu);
}

void vpmu_branch_emulated(struct vpmu_cpu *cpu, uint64_t from)
{
	if (!vpmu_branches_on(cpu))
		return;
	vpmu_model_branch(&cpu->model, vpmu_guest_ring(), BRANCH_KIND_FAR,
			  (struct branch_record){.from = from, .to = vpmu_guest_linear_rip()});
	vpmu_trace_emulated(cpu, from);
}
