// SPDX-License-Identifier: BSD-2-Clause
/* page_check.c - see page_check.h. */
#include "linux/mem/page_check.h"

#include "arch/x86/mem/paging.h"
#include "arch/x86/smp/smp.h"
#include "arch/x86/space/stale.h"

#include <linux/errno.h>

int page_check_set(uint64_t on)
{
	int err = 0;

	if (on > 1)
		return -EINVAL;
	if (on == page_poisons())
		return 0;
	if (on)
		err = stale_watch(smp_ncpus());
	else
		stale_unwatch();
	return err ? err : page_set_poison(on);
}
