/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * shared_areas.h - the memory that the host tool shares with the image (include/perf0/shared.h). A
 * real machine has no such memory.
 */
#ifndef ARCH_X86_DEV_SHARED_AREAS_H
#define ARCH_X86_DEV_SHARED_AREAS_H

#include "include/perf0/shared.h"

/* shared_init() - finds and maps the shared memory. After paging_init(); boot CPU. */
void shared_init(void);

/* shared_area() - the area for `purpose`, and its size in `*bytes`; NULL: there is no such area.
 * Any context. */
void *shared_area(enum shared_purpose purpose, uint32_t *bytes);

#endif
