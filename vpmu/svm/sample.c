// SPDX-License-Identifier: BSD-2-Clause
/*
 * sample.c - tells the model what an instruction was that it samples, and pebs.c what one was that
 * it records. The one that is stepped is looked at before it executes, since afterwards its
 * registers and its memory may be others; of one behind which QEMU's plugin has stopped the guest
 * the plugin tells; one that vpmu emulates is known by its address alone.
 */
#include "arch/x86/insn.h"
#include "arch/x86/msr.h"
#include "vpmu/svm/vpmu.h"

static struct witness_regs witness_registers(const struct vpmu_cpu *cpu)
{
	return (struct witness_regs){
		.rip = vpmu_vmcb.rip,
		.gpr = {vpmu_vmcb.rax, cpu->rcx, cpu->rdx, cpu->rbx, vpmu_vmcb.rsp, cpu->rbp,
			cpu->rsi, cpu->rdi, cpu->r8, cpu->r9, cpu->r10, cpu->r11, cpu->r12,
			cpu->r13, cpu->r14, cpu->r15},
		/* The guest's own: the host does not use them. */
		.fs_base = rdmsr(MSR_FS_BASE),
		.gs_base = rdmsr(MSR_GS_BASE),
	};
}

static void find_code(struct vpmu_op *op)
{
	op->has_rip_physical =
		vpmu_guest_translate(op->rip, &op->rip_physical, &op->rip_page_shift);
}

static struct vpmu_op op_here(void)
{
	struct vpmu_op op = {.rip = vpmu_vmcb.rip};

	find_code(&op);
	return op;
}

static bool is_any_sampled(const struct vpmu_cpu *cpu)
{
	return vpmu_model_ibs_waits(&cpu->model) || vpmu_model_due(&cpu->model);
}

static void tell_models(struct vpmu_cpu *cpu, const struct vpmu_op *op)
{
	if (vpmu_model_due(&cpu->model))
		cpu->recorded = *op;
	if (vpmu_model_ibs_waits(&cpu->model))
		vpmu_model_ibs_pick(&cpu->model, op);
}

void vpmu_sample_before(struct vpmu_cpu *cpu)
{
	const struct witness_regs regs = witness_registers(cpu);
	struct vpmu_op *op = &cpu->witness.op;
	uint8_t code[INSN_MAX_BYTES];
	size_t n = vpmu_guest_code(code, sizeof(code));

	if (vpmu_guest_64bit())
		witness_before(&cpu->witness, code, n, &regs);
	else
		cpu->witness = (struct witness){.op = op_here()};
	find_code(op);
	vpmu_events_follow(cpu);
}

/* The model has seen each access, also of instructions that vpmu does not decode. */
static void take_last(struct vpmu_op *op, const struct events_last *last)
{
	const struct events_access *a;

	op->model = *last;
	op->load = vpmu_op_access(op, false);
	op->store = vpmu_op_access(op, true);
	a = vpmu_op_access(op, !op->load);
	op->has_linear = a;
	if (!a)
		return;
	op->linear = a->va;
	op->bytes = (uint8_t)a->bytes;
}

void vpmu_sample_stepped(struct vpmu_cpu *cpu)
{
	struct vpmu_op *op = &cpu->witness.op;
	const struct events_last *last;

	if (!is_any_sampled(cpu)) {
		vpmu_events_unfollow(cpu);
		return;
	}
	witness_after(&cpu->witness, vpmu_vmcb.rip);
	last = vpmu_events_last(cpu);
	if (last && last->rip == op->rip)
		take_last(op, last);
	op->has_physical =
		op->has_linear && vpmu_guest_translate(op->linear, &op->physical, &op->page_shift);
	tell_models(cpu, op);
}

void vpmu_sample_stopped(struct vpmu_cpu *cpu)
{
	const struct events_last *last;
	struct vpmu_op op = {0};

	if (!vpmu_model_due(&cpu->model))
		return;
	last = vpmu_events_last(cpu);
	if (!last) {
		vpmu_sample_unseen(cpu);
		return;
	}
	op.rip = last->rip;
	find_code(&op);
	op.branch = last->branch;
	op.taken = last->taken;
	op.target = vpmu_vmcb.rip;
	take_last(&op, last);
	op.has_physical =
		op.has_linear && vpmu_guest_translate(op.linear, &op.physical, &op.page_shift);
	tell_models(cpu, &op);
}

void vpmu_sample_emulated(struct vpmu_cpu *cpu)
{
	struct vpmu_op op;

	if (!is_any_sampled(cpu))
		return;
	op = op_here();
	tell_models(cpu, &op);
}

/* Where the guest stops late: the next one is stepped, and is the one that is sampled. */
void vpmu_sample_unseen(struct vpmu_cpu *cpu)
{
	struct vpmu_op unseen;

	if (!is_any_sampled(cpu))
		return;
	if (vpmu_is_counted(cpu) && cpu->run != RUN_STEP && vpmu_model_ibs_waits(&cpu->model))
		return;
	unseen = (struct vpmu_op){.rip = vpmu_vmcb.rip, .unknown = true};
	tell_models(cpu, &unseen);
}
