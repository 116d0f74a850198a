// SPDX-License-Identifier: BSD-2-Clause
/*
 * op_sample.c - describes an instruction to the model that samples it, and to pebs_record.c, which
 * records it. A stepped instruction is decoded before it executes, because it may change its
 * registers and memory. QEMU's plugin describes the instruction after which it has stopped the
 * guest. For an emulated instruction only the address is known.
 */
#include "vpmu/svm/count/op_sample.h"

#include "arch/x86/insn.h"
#include "arch/x86/msr.h"
#include "vpmu/svm/count/plugin_page.h"
#include "vpmu/svm/vcpu/guest_memory.h"
#include "vpmu/svm/vcpu/vcpu.h"

static struct op_registers guest_registers(const struct vpmu_cpu *cpu)
{
	return (struct op_registers){
		.rip = vpmu_vmcb.rip,
		.gpr = {vpmu_vmcb.rax, cpu->gpr.rcx, cpu->gpr.rdx, cpu->gpr.rbx, vpmu_vmcb.rsp,
			cpu->gpr.rbp, cpu->gpr.rsi, cpu->gpr.rdi, cpu->gpr.r8, cpu->gpr.r9,
			cpu->gpr.r10, cpu->gpr.r11, cpu->gpr.r12, cpu->gpr.r13, cpu->gpr.r14,
			cpu->gpr.r15},
		/* The guest's own values, because the host does not use FS and GS. */
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
		cpu->pebs.op = *op;
	if (vpmu_model_ibs_waits(&cpu->model))
		vpmu_model_ibs_pick(&cpu->model, op);
}

void vpmu_sample_before(struct vpmu_cpu *cpu)
{
	const struct op_registers regs = guest_registers(cpu);
	struct vpmu_op *op = &cpu->decoder.op;
	uint8_t code[INSN_MAX_BYTES];
	size_t n = vpmu_guest_code(code, sizeof(code));

	if (vpmu_guest_64bit())
		op_decode(&cpu->decoder, code, n, &regs);
	else
		cpu->decoder = (struct op_decoder){.op = op_here()};
	find_code(op);
	vpmu_events_follow(cpu);
}

/* The plugin's model knows all accesses, also of instructions that vpmu does not decode. */
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
	struct vpmu_op *op = &cpu->decoder.op;
	const struct events_last *last;

	if (!is_any_sampled(cpu)) {
		vpmu_events_unfollow(cpu);
		return;
	}
	op_completed(&cpu->decoder, vpmu_vmcb.rip);
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

/* The guest has stopped late, so IBS waits: the next instruction is stepped, and IBS samples it. */
void vpmu_sample_unseen(struct vpmu_cpu *cpu)
{
	struct vpmu_op unseen;

	if (!is_any_sampled(cpu))
		return;
	if (vpmu_is_counted(cpu) && cpu->run.mode != RUN_STEP && vpmu_model_ibs_waits(&cpu->model))
		return;
	unseen = (struct vpmu_op){.rip = vpmu_vmcb.rip, .unknown = true};
	tell_models(cpu, &unseen);
}
