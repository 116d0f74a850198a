/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * plugin_stop.h - QEMU's plugin stops the guest, by an NMI, behind the instruction with which a
 * count reaches its target.
 */
#ifndef VPMU_SVM_STOP_PLUGIN_STOP_H
#define VPMU_SVM_STOP_PLUGIN_STOP_H

struct vpmu_cpu;

/*
 * vpmu_stop_expect() - before a run, right before vpmu_branches_expect(): gives the plugin targets.
 * vpmu_stop_end() - behind a run, before anything else.
 * vpmu_stop_note() - once it is known what the run has executed.
 */
void vpmu_stop_expect(struct vpmu_cpu *cpu);
void vpmu_stop_end(struct vpmu_cpu *cpu);
void vpmu_stop_note(struct vpmu_cpu *cpu);

/* vpmu_stop_lose() - gives up stops on all CPUs, as the plugin does not stop where it should. */
void vpmu_stop_lose(struct vpmu_cpu *cpu);

#endif
