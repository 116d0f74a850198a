/* SPDX-License-Identifier: BSD-2-Clause */
/* pebs_record.h - writes the PEBS record that is due. */
#ifndef VPMU_SVM_STOP_PEBS_RECORD_H
#define VPMU_SVM_STOP_PEBS_RECORD_H

struct vpmu_cpu;

/* vpmu_pebs() - behind each run: writes the record, if the run's last instruction is the one that
 * it is of. */
void vpmu_pebs(struct vpmu_cpu *cpu);

#endif
