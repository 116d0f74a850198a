// SPDX-License-Identifier: BSD-2-Clause
/*
 * pebs_record.c - gives the model the guest's state for a PEBS record. The instruction that causes
 * the event is stepped or emulated, so all of the state is exact. If counts are estimates, the
 * record describes the point where the guest was stopped.
 *
 * Some personalities count loads and stores as a fixed share of the instructions. Their records
 * wait for the next instruction that really loads or stores, if it is not far. Otherwise the record
 * describes the instruction that is due, without an address.
 */
#include "vpmu/svm/stop/pebs_record.h"

#include "arch/x86/insn.h"
#include "vpmu/svm/count/guest_clock.h"
#include "vpmu/svm/stop/single_step.h"
#include "vpmu/svm/vcpu/guest_memory.h"
#include "vpmu/svm/vcpu/host_insn.h"
#include "vpmu/svm/vcpu/vcpu.h"

#define FAR 256 /* instructions */

static const struct vpmu_memory memory = {.read = vpmu_guest_read_whole, .write = vpmu_guest_write};

static bool is_pebs_wanted(const struct vpmu_cpu *cpu)
{
	if (vpmu_model_due_is_counted(&cpu->model))
		return true;
	switch (vpmu_model_wants_access(&cpu->model)) {
	case VPMU_LOAD:
		return cpu->pebs.op.load;
	case VPMU_STORE:
		return cpu->pebs.op.store;
	default:
		return true;
	}
}

static struct vpmu_state guest_state(const struct vpmu_cpu *cpu)
{
	return (struct vpmu_state){
		.eventing_ip = cpu->pebs.op.rip,
		.rip = vpmu_vmcb.rip,
		.rflags = vpmu_vmcb.rflags,
		.rax = vpmu_vmcb.rax,
		.rbx = cpu->gpr.rbx,
		.rcx = cpu->gpr.rcx,
		.rdx = cpu->gpr.rdx,
		.rsi = cpu->gpr.rsi,
		.rdi = cpu->gpr.rdi,
		.rbp = cpu->gpr.rbp,
		.rsp = vpmu_vmcb.rsp,
		.r8 = cpu->gpr.r8,
		.r9 = cpu->gpr.r9,
		.r10 = cpu->gpr.r10,
		.r11 = cpu->gpr.r11,
		.r12 = cpu->gpr.r12,
		.r13 = cpu->gpr.r13,
		.r14 = cpu->gpr.r14,
		.r15 = cpu->gpr.r15,
		.tsc = vpmu_clock_then(cpu) + cpu->thread.tsc_offset,
		.address = is_pebs_wanted(cpu) && cpu->pebs.op.has_linear ? cpu->pebs.op.linear : 0,
		.model = cpu->pebs.op.model,
	};
}

/*
 * The host does not use XMM registers, so they hold the guest's values, unless they are disabled.
 */
static bool can_see_xmms(void)
{
	return read_cr4() & CR4_OSFXSR && !(read_cr0() & (CR0_EM | CR0_TS));
}

/* True where the guest has stopped late, and the record waits for the next instruction that has the
 * event, if that is not far. That instruction is stepped, so all of its state is known. */
static bool waits_for_step(struct vpmu_cpu *cpu)
{
	const bool stepped = cpu->run.mode == RUN_STEP;

	if (!vpmu_is_counted(cpu) || !vpmu_model_due_is_counted(&cpu->model) ||
	    (stepped && cpu->clock.executed == 1 && vpmu_model_due_now(&cpu->model)))
		return false;
	if (!stepped && !cpu->step.left)
		vpmu_step_refill(cpu);
	return cpu->step.left;
}

void vpmu_pebs(struct vpmu_cpu *cpu)
{
	struct vpmu_state state;

	vpmu_step_count(cpu);
	if (!vpmu_model_due(&cpu->model))
		return;
	if (cpu->clock.exact ? !is_pebs_wanted(cpu) && cpu->pebs.waited++ < FAR
			     : waits_for_step(cpu))
		return;
	cpu->pebs.waited = 0;
	vpmu_step_refill(cpu);
	state = guest_state(cpu);
	if (vpmu_model_wants_xmms(&cpu->model) && can_see_xmms())
		vpmu_store_xmms(state.xmm);
	vpmu_model_record(&cpu->model, &state, &memory);
}
