/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * launch.h - makes a CPU a guest. vpmu_launch() is declared in include/perf0/vpmu.h; run.S and
 * start.S call the functions here, on the host's stack.
 */
#ifndef VPMU_SVM_LAUNCH_H
#define VPMU_SVM_LAUNCH_H

#include <stdint.h>

struct vpmu_place;

/* run.S: vpmu_enter() - returns as a guest; calls vpmu_host_enter() on the way. */
void vpmu_enter(void);
void vpmu_host_enter(void);

/* start.S: a CPU that the guest has started begins at vpmu_start(), and the boot CPU after S3 at
 * vpmu_wake(). */
void vpmu_start(void);
void vpmu_wake(void);
void vpmu_host_start(const struct vpmu_place *place);
void vpmu_host_wake(void);

#endif
