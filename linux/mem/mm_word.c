// SPDX-License-Identifier: BSD-2-Clause
/* mm_word.c - see mm_word.h. */
#include "linux/mem/mm_word.h"

#include <linux/errno.h>

/* Two mappings of a file have one content, which identifies the memory. */
static const void *memory_identity(const struct mapped *from)
{
	return from->content ? from->content : from;
}

int mm_word(struct mm *mm, uint64_t address, bool private, struct futex_key *key)
{
	const struct area *a;

	*key = (struct futex_key){mm, address};
	if (private)
		return 0;
	lock_take(&mm->lock);
	a = areas_again(&mm->areas, address);
	a = a ? a : areas_at(&mm->areas, address);
	if (a && a->flags & AREA_SHARED && a->from)
		*key = (struct futex_key){memory_identity(a->from),
					  a->offset + (address - a->start)};
	lock_release(&mm->lock);
	return a ? 0 : -EFAULT;
}

struct mapped *mm_mapped_at(struct mm *mm, uint64_t address, uint64_t *offset)
{
	struct mapped *found = NULL;
	const struct area *a;

	lock_take(&mm->lock);
	a = areas_at(&mm->areas, address);
	if (a) {
		found = mapped_get(a->from);
		*offset = a->offset + (address - a->start);
	}
	lock_release(&mm->lock);
	return found;
}
