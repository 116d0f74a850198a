// SPDX-License-Identifier: BSD-2-Clause
/*
 * last_branches.c - last branch records. QEMU's plugin adds the branches that the guest executes to
 * them (struct branch_stack in its page), and vpmu adds those that it emulates.
 *
 * While records are on, interrupts and exceptions exit before they are delivered. A delivery
 * changes RIP without a branch. The first code of the next run shows the plugin the new address.
 *
 * The guest may write the plugin's page, so vpmu brings every value from there into range.
 */
#include "vpmu/svm/count/last_branches.h"

#include "vpmu/model/model_trace.h"
#include "vpmu/svm/count/branch_trace.h"
#include "vpmu/svm/vcpu/guest_memory.h"
#include "vpmu/svm/vcpu/vcpu.h"

bool vpmu_branches_on(const struct vpmu_cpu *cpu)
{
	return cpu->events.own && cpu->model.derived.follows;
}

void vpmu_branches_expect(struct vpmu_cpu *cpu)
{
	struct branch_stack *page;

	if (vpmu_branches_on(cpu)) {
		page = &cpu->events.own->branches;
		*page = cpu->model.lbr.stack;
		page->wanted = vpmu_model_branches_wanted(&cpu->model, cpu->run.ring);
		page->enters = true;
		page->enters_at = vpmu_guest_linear_rip();
		page->enters_from =
			cpu->delivery.from ? cpu->delivery.from : vpmu_guest_linear_rip();
		page->on = true;
	}
	vpmu_trace_expect(cpu);
	cpu->delivery.from = 0;
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
	branch_stack_take(&cpu->model.lbr.stack, page);
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
