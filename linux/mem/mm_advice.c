// SPDX-License-Identifier: BSD-2-Clause
/* mm_advice.c - properties of areas other than their content: locked memory, and areas that grow
 * downwards. */
#include "linux/mem/mm_parts.h"

#include "arch/x86/cpu/user.h"

#include <linux/errno.h>

/* --- Locked memory --- */

static void mark_locked(struct area *piece, void *arg)
{
	(void)arg;
	if (!(piece->flags & AREA_KEPT))
		piece->flags |= AREA_LOCKED;
}

static void mark_unlocked(struct area *piece, void *arg)
{
	(void)arg;
	piece->flags &= (uint16_t)~AREA_LOCKED;
}

int mm_mlock(struct mm *mm, uint64_t address, uint64_t bytes, bool locked)
{
	const uint64_t start = address & ~(PAGE_SIZE - 1), end = page_round(address + bytes);
	int err;

	if (!bytes)
		return 0;
	if (end <= start)
		return -EINVAL;
	if (!user_range(start, end - start))
		return -ENOMEM;
	mm_lock_all(mm);
	err = areas_change(&mm->areas, start, end, locked ? mark_locked : mark_unlocked, NULL);
	lock_release(&mm->lock);
	return err;
}

void mm_mlock_all(struct mm *mm, bool locked)
{
	mm_lock_all(mm);
	areas_change(&mm->areas, USER_START, USER_END, locked ? mark_locked : mark_unlocked, NULL);
	lock_release(&mm->lock);
}

/* --- Properties of a range --- */

static bool has_parts(const struct area *a, const struct mm_parts *parts)
{
	return a->flags & parts->flags || (parts->of_files && a->from) || parts->lacks & ~a->prot;
}

bool mm_has(struct mm *mm, uint64_t address, uint64_t bytes, const struct mm_parts *parts)
{
	const uint64_t end = address + page_round(bytes);
	bool found = false;

	lock_take(&mm->lock);
	for (unsigned i = areas_after(&mm->areas, address);
	     i < mm->areas.n && mm->areas.area[i].start < end && !found; i++)
		found = has_parts(&mm->areas.area[i], parts);
	lock_release(&mm->lock);
	return found;
}

/* --- Areas that grow --- */

#define GUARD_BYTES (256 * PAGE_SIZE) /* between a growing area and the one below, as in Linux */

/* An inaccessible area below needs no further guard: it is one. */
const struct area *mm_grow_to(struct mm *mm, uint64_t va)
{
	const unsigned i = areas_after(&mm->areas, va);
	const struct area *above = i < mm->areas.n ? &mm->areas.area[i] : NULL,
			  *below = i ? &mm->areas.area[i - 1] : NULL;
	struct area more;

	if (!above || !(above->flags & AREA_GROWS) || above->from)
		return NULL;
	if (below && below->prot && !(below->flags & AREA_GROWS) && va - below->end < GUARD_BYTES)
		return NULL;
	more = *above;
	more.end = above->start;
	more.start = va;
	return areas_add(&mm->areas, &more) ? NULL : areas_at(&mm->areas, va);
}
