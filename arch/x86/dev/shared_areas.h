/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * shared_areas.h - the memory that the host tool shares with the image (include/perf0/shared.h). On
 * a machine that is no guest nothing is tried, and there is none.
 */
#ifndef ARCH_X86_DEV_SHARED_AREAS_H
#define ARCH_X86_DEV_SHARED_AREAS_H

#include "include/perf0/shared.h"

/* shared_init() - finds it. After paging_init(); boot CPU. */
void shared_init(void);

/* shared_area() - the area for that, and its bytes; NULL: there is none. Any context. */
void *shared_area(enum shared_purpose purpose, uint32_t *bytes);

#endif
