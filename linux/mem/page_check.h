/* SPDX-License-Identifier: BSD-2-Clause */
/* page_check.h - effects of `sysctl vm.page_poison`: poison in free pages (paging.h), and the
 * check that no TLB has a page that becomes free (stale.h). */
#ifndef LINUX_MEM_PAGE_CHECK_H
#define LINUX_MEM_PAGE_CHECK_H

#include <stdint.h>

/* page_check_set() - turns both on (1) or off (0). -EINVAL: another number; -ENOMEM: no memory for
 * the check. Task context; one CPU at a time. */
int page_check_set(uint64_t on);

#endif
