/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * op_sample.h - describes the executed instruction to the model, if the model samples one now (IBS,
 * PEBS). For each executed instruction one of these functions is called.
 */
#ifndef VPMU_SVM_COUNT_OP_SAMPLE_H
#define VPMU_SVM_COUNT_OP_SAMPLE_H

struct vpmu_cpu;

/*
 * vpmu_sample_before() - decodes the instruction that is about to be stepped.
 * vpmu_sample_stepped() - that instruction has completed.
 * vpmu_sample_stopped() - the plugin has stopped the guest after an instruction that it reports.
 * vpmu_sample_emulated() - vpmu has emulated the instruction at RIP.
 * vpmu_sample_unseen() - nothing is known but RIP: counts are estimates, or the guest stopped late.
 */
void vpmu_sample_before(struct vpmu_cpu *cpu);
void vpmu_sample_stepped(struct vpmu_cpu *cpu);
void vpmu_sample_stopped(struct vpmu_cpu *cpu);
void vpmu_sample_emulated(struct vpmu_cpu *cpu);
void vpmu_sample_unseen(struct vpmu_cpu *cpu);

#endif
