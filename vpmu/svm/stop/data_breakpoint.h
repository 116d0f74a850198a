/* SPDX-License-Identifier: BSD-2-Clause */
/* data_breakpoint.h - a workaround for TCG, which reports a data breakpoint again at each step. */
#ifndef VPMU_SVM_STOP_DATA_BREAKPOINT_H
#define VPMU_SVM_STOP_DATA_BREAKPOINT_H

/* vpmu_forget_hits() - data breakpoints that were hit earlier are not reported by the next step. */
void vpmu_forget_hits(void);

#endif
