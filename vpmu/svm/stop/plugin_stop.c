// SPDX-License-Identifier: BSD-2-Clause
/*
 * plugin_stop.c - lets QEMU's plugin stop the guest after the instruction with which a count
 * reaches the target of a counter (include/perf0/events_page.h). The plugin sends an NMI. If the
 * run ends at that instruction for another reason, the NMI is pending, and is drained here.
 */
#include "vpmu/svm/stop/plugin_stop.h"

#include "vpmu/svm/count/branch_trace.h"
#include "vpmu/svm/count/plugin_page.h"
#include "vpmu/svm/vcpu/host_idt.h"
#include "vpmu/svm/vcpu/vcpu.h"

static unsigned list_targets(const struct vpmu_cpu *cpu, struct events_target *targets)
{
	if (!cpu->stop.check)
		return vpmu_trace_target(cpu, targets,
					 vpmu_model_targets(&cpu->model, cpu->run.ring, targets));
	targets[0] =
		(struct events_target){.left = cpu->stop.check, .term = {EVENTS_INSTRUCTIONS + 1}};
	return 1;
}

void vpmu_stop_expect(struct vpmu_cpu *cpu)
{
	struct events_cpu *own = cpu->events.own;
	struct vpmu_stop *stop = &cpu->stop;

	stop->armed = false;
	if (!own || !cpu->model.plugin.stops || cpu->run.mode == RUN_STEP)
		return;
	if (!cpu->model.derived.ntargets && !cpu->model.derived.traces && !stop->check) {
		own->targets = 0;
		return;
	}
	own->targets = list_targets(cpu, own->target);
	stop->armed = own->targets;
	if (!stop->armed)
		return;
	if (vpmu_model_targets_record(&cpu->model))
		vpmu_events_follow(cpu);
	own->enters = true;
	vpmu_events_ring(cpu);
	own->enters = false;
}

void vpmu_stop_end(struct vpmu_cpu *cpu)
{
	struct vpmu_stop *stop = &cpu->stop;

	stop->came = false;
	if (!stop->armed)
		return;
	stop->armed = false;
	if (!vpmu_events_are_there(cpu))
		return;
	stop->came = cpu->events.own->stops != stop->seen;
	stop->seen = cpu->events.own->stops;
	if (stop->came && vpmu_vmcb.exit_code != VMEXIT_NMI)
		vpmu_drain_nmi();
}

void vpmu_stop_note(struct vpmu_cpu *cpu)
{
	vpmu_events_unfollow(cpu);
	if (!cpu->stop.came || !cpu->stop.check)
		return;
	cpu->stop.check = 0;
	cpu->stop.checked = vpmu_vmcb.exit_code == VMEXIT_NMI ? cpu->clock.executed : 0;
}

/* CPUs that start later read `stops` in the header. */
void vpmu_stop_lose(struct vpmu_cpu *cpu)
{
	cpu->events.header->stops = false;
	vpmu_model_stops(&cpu->model, false);
}
