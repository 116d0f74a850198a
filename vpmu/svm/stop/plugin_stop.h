/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * plugin_stop.h - QEMU's plugin stops the guest, by an NMI, after the instruction with which a
 * count reaches its target.
 */
#ifndef VPMU_SVM_STOP_PLUGIN_STOP_H
#define VPMU_SVM_STOP_PLUGIN_STOP_H

struct vpmu_cpu;

/*
 * vpmu_stop_expect() - gives the plugin targets. Called before a run, right before
 * vpmu_branches_expect().
 * vpmu_stop_end() - drains the plugin's NMI. Called right after a run.
 * vpmu_stop_note() - called when the number of the run's instructions is known.
 */
void vpmu_stop_expect(struct vpmu_cpu *cpu);
void vpmu_stop_end(struct vpmu_cpu *cpu);
void vpmu_stop_note(struct vpmu_cpu *cpu);

/* vpmu_stop_lose() - gives up stops on all CPUs: the plugin does not stop where it should. */
void vpmu_stop_lose(struct vpmu_cpu *cpu);

#endif
