// SPDX-License-Identifier: BSD-2-Clause
/*
 * pebs.c - gives the model the state of the guest for a PEBS record. The instruction that causes
 * the event is stepped, or emulated, so all of it is exact; on a machine whose counts are estimates
 * the record tells where the guest was stopped.
 *
 * Where events that count loads and stores count a fixed share of the instructions, their records
 * are of instructions that really load or store: the next one, as long as it is not far. Else the
 * record is of the instruction that is due, without an address.
 */
#include "arch/x86/insn.h"
#include "vpmu/svm/vpmu.h"

#define FAR 256 /* instructions */

static const struct vpmu_memory memory = {.read = vpmu_guest_read_whole, .write = vpmu_guest_write};

static bool is_pebs_wanted(const struct vpmu_cpu *cpu)
{
	if (vpmu_model_due_is_counted(&cpu->model))
		return true;
	switch (vpmu_model_wants_access(&cpu->model)) {
	case VPMU_LOAD:
		return cpu->recorded.load;
	case VPMU_STORE:
		return cpu->recorded.store;
	default:
		return true;
	}
}

static struct vpmu_state guest_state(const struct vpmu_cpu *cpu)
{
	return (struct vpmu_state){
		.eventing_ip = cpu->recorded.rip,
		.rip = vpmu_vmcb.rip,
		.rflags = vpmu_vmcb.rflags,
		.rax = vpmu_vmcb.rax,
		.rbx = cpu->rbx,
		.rcx = cpu->rcx,
		.rdx = cpu->rdx,
		.rsi = cpu->rsi,
		.rdi = cpu->rdi,
		.rbp = cpu->rbp,
		.rsp = vpmu_vmcb.rsp,
		.r8 = cpu->r8,
		.r9 = cpu->r9,
		.r10 = cpu->r10,
		.r11 = cpu->r11,
		.r12 = cpu->r12,
		.r13 = cpu->r13,
		.r14 = cpu->r14,
		.r15 = cpu->r15,
		.tsc = vpmu_clock_then(cpu) + cpu->thread.tsc_offset,
		.address =
			is_pebs_wanted(cpu) && cpu->recorded.has_linear ? cpu->recorded.linear : 0,
		.model = cpu->recorded.model,
	};
}

/* The host does not use them, so they are the guest's; where they are off nothing is in them. */
static bool can_see_xmms(void)
{
	return read_cr4() & CR4_OSFXSR && !(read_cr0() & (CR0_EM | CR0_TS));
}

/*
 * The guest has stopped late. The record is of the next instruction that has the event, if that is
 * not far: it is stepped, so all of it is known.
 */
static bool waits_for_step(struct vpmu_cpu *cpu)
{
	const bool stepped = cpu->run == RUN_STEP;

	if (!vpmu_is_counted(cpu) || !vpmu_model_due_is_counted(&cpu->model) ||
	    (stepped && cpu->executed == 1 && vpmu_model_due_now(&cpu->model)))
		return false;
	if (!stepped && !cpu->steps)
		vpmu_step_refill(cpu);
	return cpu->steps;
}

void vpmu_pebs(struct vpmu_cpu *cpu)
{
	struct vpmu_state state;

	vpmu_step_count(cpu);
	if (!vpmu_model_due(&cpu->model))
		return;
	if (cpu->exact ? !is_pebs_wanted(cpu) && cpu->waited++ < FAR : waits_for_step(cpu))
		return;
	cpu->waited = 0;
	vpmu_step_refill(cpu);
	state = guest_state(cpu);
	if (vpmu_model_wants_xmms(&cpu->model) && can_see_xmms())
		vpmu_store_xmms(state.xmm);
	vpmu_model_record(&cpu->model, &state, &memory);
}
