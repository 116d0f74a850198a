/* SPDX-License-Identifier: BSD-2-Clause */
/* s3_sleep.h - returns the boot CPU to vpmu when the machine wakes from S3. */
#ifndef VPMU_SVM_S3_SLEEP_H
#define VPMU_SVM_S3_SLEEP_H

#include "include/perf0/vpmu.h"

#include <stdint.h>

struct vpmu_io;

/* vpmu_sleep_init() - called once, on the boot CPU. */
void vpmu_sleep_init(const struct vpmu_config *config, uint64_t host_cr3);

/* vpmu_sleep_written() - called when the guest is about to write to a port. */
void vpmu_sleep_written(const struct vpmu_io *io);

/* vpmu_sleep_wakes_at() - the guest's own waking vector, a physical address below 1 MiB. */
uint32_t vpmu_sleep_wakes_at(void);

#endif
