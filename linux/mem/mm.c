// SPDX-License-Identifier: BSD-2-Clause
/*
 * mm.c - creates, changes and removes areas.
 *
 * One protocol keeps a page from the allocator while a TLB of any CPU may still map it. Ring 3 runs
 * on other CPUs all the time. So an entry that is gone from a table stays in TLBs until each CPU
 * that has entered the space has flushed. The steps of the protocol have letters:
 *
 *   L  Tables and areas are changed with mm->lock held. It is released for a flush: a CPU that
 *      waits for the lock with interrupts off could not answer.
 *   C  A change that removes something claims [start, end) from L until its flush is over:
 *      areas, gaps and pages of all of it. There is one claim at a time.
 *   H  Entries that leave are hidden, or taken out of the tables, before the flush begins (pairs
 *      with F).
 *   F  The flush reads which CPUs have entered the space after H, by a full barrier in
 *      space_cpus(). A CPU that enters later sets its bit first, and finds no entry. A CPU that
 *      leaves flushes first, and then clears its bit.
 *   P  A page is put after F, by the operation that hid or took it, and by no other.
 *
 * While C holds, no other change begins. Map, unmap, protect, discard, brk, move, fork and the
 * truncation of a file call mm_lock() for all of ring 3's addresses, which waits until there is no
 * claim. A fault and mm_poke() wait only for claims of their page. During other claims they may
 * fill empty entries, or replace a page and put the old one by H, F and P themselves. A large page
 * is made only where no part of it is claimed. So after F space_unmap() finds exactly the hidden
 * entries.
 *
 * clear_range(), mm_discard(): C, H, F, P by remove_pages(). Areas are removed before H. Their
 *   objects are released after P, in unlock_released(), where rings of events free their pages.
 * mm_protect(): L, C, F. No page leaves; but the new protection holds on all CPUs at its return.
 * mm_remap(): entries move under L, and the old place is cleared under the same L. So its F also
 *   serves the move. The new place may lose the pages meanwhile: that flush is of all addresses.
 * mm_copy(): C of all addresses until F. A fault in between would copy a page that another CPU
 *   still writes to. Such writes would be lost to the parent, and seen by the child.
 * mm_unmap_content(), mm_fault_in(), mm_poke(): H, F, P with the page's reference in a variable.
 * exec(2), mm_put(): no CPU has entered the space; else space_destroy() panics.
 * Page tables are freed by space_destroy(), and by space_map_large() while one thread alone is
 *   left: no other CPU walks them then.
 *
 * A process of one thread does the same on its own CPU, without a claim. mm->threads counts tasks
 * until their CPU has left the space, and only this thread could start others. On a machine of one
 * CPU every process does so. tests/unit/rt/test_mm_model.c tries all interleavings of this
 * protocol, and of the protocol without each letter. With `sysctl vm.page_poison=1`,
 * arch/x86/space/stale.h checks F and P where each page becomes free.
 */
#include "linux/mem/mm_parts.h"

#include "arch/x86/cpu/user.h"
#include "arch/x86/insn.h"
#include "arch/x86/smp/smp.h"
#include "include/perf0/layout.h"
#include "lib/string.h"
#include "rt/base/heap.h"

#include <linux/errno.h>
#include <linux/mman.h>

/* --- Creation and end --- */

/* The list of all address spaces, in order of creation: a copy comes after its original. */
static struct lock all_lock;
static struct mm *all_first;

static void add_to_all(struct mm *mm)
{
	struct mm **link = &all_first;

	lock_take(&all_lock);
	while (*link)
		link = &(*link)->next_mm;
	*link = mm;
	lock_release(&all_lock);
}

static void take_from_all(struct mm *mm)
{
	struct mm **link = &all_first;

	lock_take(&all_lock);
	while (*link != mm)
		link = &(*link)->next_mm;
	*link = mm->next_mm;
	lock_release(&all_lock);
}

static bool get_live(struct mm *mm)
{
	unsigned refs = __atomic_load_n(&mm->refs, __ATOMIC_RELAXED);

	while (refs && !__atomic_compare_exchange_n(&mm->refs, &refs, refs + 1, true,
						    __ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
		;
	return refs;
}

struct mm *mm_next(struct mm *before)
{
	struct mm *mm;

	lock_take(&all_lock);
	mm = before ? before->next_mm : all_first;
	while (mm && !get_live(mm))
		mm = mm->next_mm;
	lock_release(&all_lock);
	if (before)
		mm_put(before);
	return mm;
}

struct mm *mm_create(void)
{
	static uint64_t created;
	struct mm *mm = heap_alloc(sizeof(*mm));

	if (!mm)
		return NULL;
	mm->refs = 1;
	mm->number = __atomic_add_fetch(&created, 1, __ATOMIC_RELAXED);
	if (space_init(&mm->space)) {
		heap_free(mm);
		return NULL;
	}
	add_to_all(mm);
	return mm;
}

struct mm *mm_get(struct mm *mm)
{
	__atomic_add_fetch(&mm->refs, 1, __ATOMIC_RELAXED);
	return mm;
}

void mm_put(struct mm *mm)
{
	if (__atomic_sub_fetch(&mm->refs, 1, __ATOMIC_ACQ_REL))
		return;
	take_from_all(mm);
	space_destroy(&mm->space);
	areas_forget(&mm->areas);
	mapped_put(mm->exe);
	heap_free(mm);
}

/* --- Objects of areas --- */

static void let_go(const struct area *piece, void *arg)
{
	struct mm *mm = arg;

	if (!mapped_drop(piece->from))
		return;
	piece->from->next_gone = mm->gone;
	mm->gone = piece->from;
}

/* Releases the lock, and then the objects that let_go() has collected. */
static void unlock_released(struct mm *mm)
{
	struct mapped *gone = mm->gone, *next;

	mm->gone = NULL;
	lock_release(&mm->lock);
	for (; gone; gone = next) {
		next = gone->next_gone;
		gone->ops->release(gone);
	}
}

/* --- Changes, one at a time --- */

/* mm_claims() without the lock. The result may be outdated, which suffices for waiting. */
static bool seems_claimed(const struct mm *mm, uint64_t start, uint64_t end)
{
	const uint64_t claim_end = __atomic_load_n(&mm->claim.end, __ATOMIC_RELAXED);

	return start < claim_end && __atomic_load_n(&mm->claim.start, __ATOMIC_RELAXED) < end;
}

/* Waits without the lock, because the claim's owner needs the lock to end the claim. The inner loop
 * only reads the claim, so that waiting CPUs do not compete with the owner for the lock. */
void mm_lock_again(struct mm *mm, uint64_t start, uint64_t end)
{
	do {
		lock_release(&mm->lock);
		while (seems_claimed(mm, start, end)) {
			smp_serve();
			cpu_pause();
		}
		lock_take(&mm->lock);
	} while (mm_claims(mm, start, end));
}

void mm_lock_all(struct mm *mm)
{
	mm_lock(mm, USER_START, USER_END);
}

/* Called with the lock. If several threads and CPUs may run, the lock is released for the flush.
 * Then the claim keeps other threads from [start, end), and from every other change. */
static void flush_claimed(struct mm *mm, uint64_t start, uint64_t end)
{
	if (mm->threads <= 1 || smp_ncpus() == 1) {
		space_flush();
		return;
	}
	mm->claim = (struct mm_claim){start, end};
	lock_release(&mm->lock);
	mm_flush(mm);
	lock_take(&mm->lock);
	mm->claim.end = 0;
}

/* --- fork(2) --- */

/* Removes the runtime's own areas, which belong to the original process only. */
static void drop_uncopied(struct mm *mm)
{
	unsigned i = 0;

	while (i < mm->areas.n) {
		const struct area a = mm->areas.area[i];

		if (a.flags & (AREA_KEPT | AREA_UNCOPIED))
			areas_cut(&mm->areas, a.start, a.end, NULL, NULL);
		else
			i++;
	}
}

/* A copy has no locked memory. */
static void mark_copied(struct area *piece, void *arg)
{
	(void)arg;
	piece->flags &= (uint16_t)~AREA_LOCKED;
}

static int copy_pages(struct mm *to, struct mm *from)
{
	unsigned flags = 0;
	int err = 0;

	for (unsigned i = 0; i < to->areas.n && !err; i++) {
		const struct area *a = &to->areas.area[i];

		if (!(a->flags & AREA_WIPED))
			err = space_copy(&to->space, &from->space, a->start,
					 mm_pages(a->start, a->end));
		flags |= a->flags;
	}
	if (flags & AREA_LOCKED)
		areas_change(&to->areas, USER_START, USER_END, mark_copied, NULL);
	return err;
}

/* mm_unmap_content() sees `to` before the copy, or after all of it. */
static int copy_all(struct mm *to, struct mm *from)
{
	int err;

	mm_lock_all(from);
	lock_take(&to->lock);
	err = areas_copy(&to->areas, &from->areas);
	if (!err) {
		drop_uncopied(to);
		err = copy_pages(to, from);
	}
	to->program_start = from->program_start;
	to->program_end = from->program_end;
	to->program_base = from->program_base;
	to->brk_start = from->brk_start;
	to->brk = from->brk;
	to->resident = to->resident_most = from->resident;
	to->args_start = from->args_start;
	to->args_end = from->args_end;
	to->env_start = from->env_start;
	to->env_end = from->env_end;
	to->aux_start = from->aux_start;
	to->aux_end = from->aux_end;
	to->stack_start = from->stack_start;
	to->exe = mapped_get(from->exe);
	to->no_large = from->no_large;
	to->allow_wx = from->allow_wx;
	to->prefault = from->prefault;
	lock_release(&to->lock);
	flush_claimed(from, USER_START, USER_END);
	lock_release(&from->lock);
	return err;
}

struct mm *mm_copy(struct mm *from)
{
	struct mm *to = mm_create();

	if (!to)
		return NULL;
	if (copy_all(to, from)) {
		mm_put(to);
		return NULL;
	}
	return to;
}

/* --- Removal --- */

static bool has_flag(const struct mm *mm, uint64_t start, uint64_t end, unsigned flags)
{
	for (unsigned i = areas_after(&mm->areas, start);
	     i < mm->areas.n && mm->areas.area[i].start < end; i++)
		if (mm->areas.area[i].flags & flags)
			return true;
	return false;
}

/* Frees the pages of [start, end) once no table and no TLB has an entry of them. The lock is held
 * before and after; it is released in between where several threads run. */
static void remove_pages(struct mm *mm, uint64_t start, uint64_t end)
{
	const size_t pages = mm_pages(start, end);

	space_hide(&mm->space, start, pages);
	flush_claimed(mm, start, end);
	mm->resident -= space_unmap(&mm->space, start, pages);
}

/* Removes all areas and pages of [start, end). Called with the lock. -ENOMEM: no memory; -EPERM: an
 * area of the range is the runtime's own. */
static int clear_range(struct mm *mm, uint64_t start, uint64_t end)
{
	if (areas_free(&mm->areas, start, end))
		return 0;
	if (has_flag(mm, start, end, AREA_KEPT))
		return -EPERM;
	if (areas_cut(&mm->areas, start, end, let_go, mm))
		return -ENOMEM;
	remove_pages(mm, start, end);
	return 0;
}

static bool is_range(uint64_t address, uint64_t bytes)
{
	return !(address & (PAGE_SIZE - 1)) && bytes && bytes <= USER_END &&
	       user_range(address, page_round(bytes));
}

int mm_unmap(struct mm *mm, uint64_t address, uint64_t bytes)
{
	int err;

	if (!is_range(address, bytes))
		return -EINVAL;
	mm_lock_all(mm);
	err = clear_range(mm, address, address + page_round(bytes));
	unlock_released(mm);
	return err;
}

static bool find_uncopied(struct mm *mm, struct area *found)
{
	lock_take(&mm->lock);
	found->end = 0;
	for (unsigned i = 0; i < mm->areas.n && !found->end; i++)
		if (mm->areas.area[i].flags & AREA_UNCOPIED)
			*found = mm->areas.area[i];
	lock_release(&mm->lock);
	return found->end;
}

void mm_end(struct mm *mm)
{
	struct area a;

	while (find_uncopied(mm, &a) && !mm_unmap(mm, a.start, a.end - a.start))
		;
}

int mm_discard(struct mm *mm, uint64_t address, uint64_t bytes)
{
	const uint64_t end = address + page_round(bytes);
	int err = 0;

	if (!is_range(address, bytes))
		return -EINVAL;
	mm_lock_all(mm);
	if (has_flag(mm, address, end, AREA_KEPT | AREA_LOCKED))
		err = -EINVAL;
	else if (areas_free(&mm->areas, address, end))
		err = -ENOMEM;
	else
		remove_pages(mm, address, end);
	lock_release(&mm->lock);
	return err;
}

/* --- Mapping --- */

static uint64_t layout_shift; /* pages */

uint64_t mm_layout_shift(void)
{
	return layout_shift;
}

int mm_set_layout_shift(uint64_t pages)
{
	layout_shift = pages;
	return 0;
}

uint64_t mm_map_top(void)
{
	return USER_MAP_TOP - layout_shift * PAGE_SIZE;
}

/* Called with the lock: chooses a free address for the request. 0: there is none. */
static uint64_t choose_address(const struct mm *mm, const struct mm_request *r, uint64_t bytes)
{
	const uint64_t hint = r->address & ~(PAGE_SIZE - 1);

	uint64_t address = 0;

	if (hint && user_range(hint, bytes) && areas_free(&mm->areas, hint, hint + bytes))
		return hint;
	if (!r->from && !(bytes & (LARGE_BYTES - 1))) /* as Linux since 6.7: it fits large pages */
		address = areas_gap(&mm->areas, bytes, LARGE_BYTES, USER_START, mm_map_top());
	if (address)
		return address;
	return areas_gap(&mm->areas, bytes, PAGE_SIZE, USER_START, mm_map_top());
}

static int add_area(struct mm *mm, const struct mm_request *r, uint64_t address, uint64_t bytes)
{
	return areas_add(
		&mm->areas,
		&(struct area){
			.start = address,
			.end = address + bytes,
			.from = r->from,
			.offset = r->offset,
			.prot = (uint8_t)r->prot,
			.flags = (uint16_t)(r->area | (r->flags & MAP_SHARED ? AREA_SHARED : 0) |
					    (mm->lock_later ? AREA_LOCKED : 0)),
		});
}

static long map_fixed(struct mm *mm, const struct mm_request *r, uint64_t bytes)
{
	int err;

	if (!is_range(r->address, bytes))
		return r->address & (PAGE_SIZE - 1) ? -EINVAL : -ENOMEM;
	mm_lock_all(mm);
	if (!(r->flags & MAP_FIXED_NOREPLACE))
		err = clear_range(mm, r->address, r->address + bytes);
	else
		err = areas_free(&mm->areas, r->address, r->address + bytes) ? 0 : -EEXIST;
	if (!err)
		err = add_area(mm, r, r->address, bytes);
	unlock_released(mm);
	return err ? err : (long)r->address;
}

static long map_anywhere(struct mm *mm, const struct mm_request *r, uint64_t bytes)
{
	uint64_t address;
	int err;

	mm_lock_all(mm);
	address = choose_address(mm, r, bytes);
	err = address ? add_area(mm, r, address, bytes) : -ENOMEM;
	lock_release(&mm->lock);
	return err ? err : (long)address;
}

#define MAP_FIXED_ANY (MAP_FIXED | MAP_FIXED_NOREPLACE)

long mm_map(struct mm *mm, const struct mm_request *r)
{
	const uint64_t bytes = page_round(r->bytes);
	long address;

	if (!r->bytes || r->offset & (PAGE_SIZE - 1))
		return -EINVAL;
	if (!bytes || bytes > USER_END)
		return -ENOMEM;
	if (mm_refuses(mm, r->prot))
		return -EACCES;
	address = r->flags & MAP_FIXED_ANY ? map_fixed(mm, r, bytes) : map_anywhere(mm, r, bytes);
	if (address > 0 && r->flags & MAP_POPULATE)
		mm_populate(mm, (uint64_t)address, bytes);
	return address;
}

/* --- Changing --- */

struct protection {
	struct mm *mm;
	unsigned prot;
};

static void protect_piece(struct area *piece, void *arg)
{
	const struct protection *p = arg;

	piece->prot = (uint8_t)p->prot;
	space_protect(&p->mm->space, piece->start, mm_pages(piece->start, piece->end),
		      mm_page_prot(p->prot));
}

int mm_protect(struct mm *mm, uint64_t address, uint64_t bytes, unsigned prot)
{
	const uint64_t end = address + page_round(bytes);
	struct protection protection = {mm, prot};
	int err;

	if (address & (PAGE_SIZE - 1))
		return -EINVAL;
	if (!bytes)
		return 0;
	if (!is_range(address, bytes))
		return -ENOMEM;
	if (mm_refuses(mm, prot))
		return -EACCES;
	mm_lock_all(mm);
	if (has_flag(mm, address, end, AREA_KEPT | (prot & PROT_WRITE ? AREA_UNWRITABLE : 0)))
		err = -EACCES;
	else
		err = areas_change(&mm->areas, address, end, protect_piece, &protection);
	flush_claimed(mm, address, end);
	lock_release(&mm->lock);
	return err;
}

struct advice {
	unsigned flag;
	bool set;
};

static void set_flag(struct area *piece, void *arg)
{
	const struct advice *advice = arg;

	piece->flags = (uint16_t)(advice->set ? piece->flags | advice->flag
					      : piece->flags & ~advice->flag);
}

int mm_is_mapped(struct mm *mm, uint64_t address, uint64_t bytes)
{
	const uint64_t end = address + page_round(bytes);
	const struct area *a;

	if (!is_range(address, bytes))
		return -EINVAL;
	lock_take(&mm->lock);
	while (address < end) {
		a = areas_at(&mm->areas, address);
		if (!a)
			break;
		address = a->end;
	}
	lock_release(&mm->lock);
	return address < end ? -ENOMEM : 0;
}

int mm_advise(struct mm *mm, uint64_t address, uint64_t bytes, unsigned flag, bool set)
{
	struct advice advice = {flag, set};
	int err;

	if (!is_range(address, bytes))
		return -EINVAL;
	mm_lock_all(mm);
	err = areas_change(&mm->areas, address, address + page_round(bytes), set_flag, &advice);
	lock_release(&mm->lock);
	return err;
}

/* --- brk(2) --- */

static int grow_heap(struct mm *mm, uint64_t from, uint64_t to)
{
	if (to > USER_MAP_TOP || !areas_free(&mm->areas, from, to))
		return -ENOMEM;
	return areas_add(&mm->areas, &(struct area){.start = from,
						    .end = to,
						    .prot = PROT_READ | PROT_WRITE,
						    .flags = AREA_HEAP});
}

uint64_t mm_brk(struct mm *mm, uint64_t wanted)
{
	uint64_t from, to = page_round(wanted), brk;
	int err = -EINVAL;

	mm_lock_all(mm);
	from = page_round(mm->brk);
	if (wanted < mm->brk_start || wanted > USER_END)
		to = from;
	else if (to > from)
		err = grow_heap(mm, from, to);
	else if (to < from)
		err = clear_range(mm, to, from);
	else
		err = 0;
	if (!err)
		mm->brk = wanted;
	brk = mm->brk;
	unlock_released(mm);
	return brk;
}

/* --- mremap(2) --- */

/* Called with the lock: the single area that contains [address, address + bytes); NULL: none. */
static struct area *area_of_all(struct mm *mm, uint64_t address, uint64_t bytes)
{
	struct area *a = areas_at(&mm->areas, address);

	return a && a->end - address >= bytes && !(a->flags & AREA_KEPT) ? a : NULL;
}

static int grow_in_place(struct mm *mm, uint64_t address, uint64_t old, uint64_t new)
{
	struct area *a = area_of_all(mm, address, old), more;

	if (!a || a->end != address + old || !user_range(address, new) ||
	    !areas_free(&mm->areas, a->end, address + new))
		return -ENOMEM;
	more = *a;
	more.start = a->end;
	more.end = address + new;
	more.offset = a->from ? a->offset + (a->end - a->start) : 0;
	mapped_get(more.from);
	if (!areas_add(&mm->areas, &more))
		return 0;
	mapped_put(more.from);
	return -ENOMEM;
}

/* Called with the lock: moves the area at `from` to `to`, which is free. */
static int move_area(struct mm *mm, uint64_t from, uint64_t old, uint64_t to, uint64_t new)
{
	struct area a = *area_of_all(mm, from, old);
	const uint64_t bytes = old < new ? old : new;
	int err;

	a.offset += a.from ? from - a.start : 0;
	a.start = to;
	a.end = to + new;
	mapped_get(a.from);
	err = areas_add(&mm->areas, &a);
	if (err) {
		mapped_put(a.from);
		return err;
	}
	err = space_move(&mm->space, from, to, bytes / PAGE_SIZE);
	if (err)
		areas_cut(&mm->areas, to, to + new, NULL, NULL);
	return err;
}

static long remap_elsewhere(struct mm *mm, uint64_t from, uint64_t old, uint64_t new,
			    unsigned flags, uint64_t to)
{
	int err = 0;

	if (flags & MREMAP_FIXED) {
		err = clear_range(mm, to, to + new);
	} else {
		to = areas_gap(&mm->areas, new, PAGE_SIZE, USER_START, mm_map_top());
		err = to ? 0 : -ENOMEM;
	}
	if (!err && !area_of_all(mm, from, old))
		err = -EFAULT;
	if (!err)
		err = move_area(mm, from, old, to, new);
	return err ? err : (long)to;
}

/* True where the fixed destination is valid. It must not overlap the source. */
static bool is_remap_goal(uint64_t address, uint64_t old, uint64_t new, uint64_t to)
{
	return is_range(to, new) && (to >= address + old || address >= to + new);
}

static long remap_locked(struct mm *mm, uint64_t address, uint64_t old, uint64_t new,
			 unsigned flags, uint64_t to)
{
	if (!area_of_all(mm, address, old))
		return -EFAULT;
	if (!(flags & MREMAP_FIXED)) {
		if (new == old || !grow_in_place(mm, address, old, new))
			return (long)address;
		if (!(flags & MREMAP_MAYMOVE))
			return -ENOMEM;
	}
	return remap_elsewhere(mm, address, old, new, flags, to);
}

/* After a move the old place is unmapped. After shrinking, the part after the new end is. */
long mm_remap(struct mm *mm, uint64_t address, uint64_t old_bytes, uint64_t new_bytes,
	      unsigned flags, uint64_t to)
{
	const uint64_t old = page_round(old_bytes), new = page_round(new_bytes);
	long result;
	int err = 0;

	if (!is_range(address, old_bytes) || !new || new > USER_END ||
	    flags & ~(MREMAP_MAYMOVE | MREMAP_FIXED) ||
	    (flags & MREMAP_FIXED &&
	     !(flags & MREMAP_MAYMOVE && is_remap_goal(address, old, new, to))))
		return -EINVAL;
	if (new < old && !(flags & MREMAP_FIXED)) {
		err = mm_unmap(mm, address + new, old - new);
		return err ? err : (long)address;
	}
	mm_lock_all(mm);
	result = remap_locked(mm, address, old, new, flags, to);
	if (result >= 0 && result != (long)address)
		err = clear_range(mm, address, address + old);
	if (err)
		flush_claimed(mm, address, address + old);
	unlock_released(mm);
	return err ? err : result;
}

void mm_each(struct mm *mm, void (*fn)(const struct area *area, void *arg), void *arg)
{
	lock_take(&mm->lock);
	for (unsigned i = 0; i < mm->areas.n; i++)
		fn(&mm->areas.area[i], arg);
	lock_release(&mm->lock);
}
