/* SPDX-License-Identifier: BSD-2-Clause */
/* data_breakpoint.h - a workaround for TCG, which reports a data breakpoint again at each step. */
#ifndef VPMU_SVM_STOP_DATA_BREAKPOINT_H
#define VPMU_SVM_STOP_DATA_BREAKPOINT_H

/* vpmu_forget_hits() - keeps the next step from reporting data breakpoints that were hit
 * earlier. */
void vpmu_forget_hits(void);

#endif
