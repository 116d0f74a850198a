/* SPDX-License-Identifier: BSD-2-Clause */
/* pebs_record.h - writes the PEBS record that is due. */
#ifndef VPMU_SVM_STOP_PEBS_RECORD_H
#define VPMU_SVM_STOP_PEBS_RECORD_H

struct vpmu_cpu;

/* vpmu_pebs() - called after each run: writes the record that is due, if the run's last instruction
 * caused it. */
void vpmu_pebs(struct vpmu_cpu *cpu);

#endif
