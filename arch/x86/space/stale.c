// SPDX-License-Identifier: BSD-2-Clause
/*
 * stale.c - see stale.h. Time is a number that each removal of entries increments. A CPU notes the
 * time at which its last flush began. A page has a note for each CPU: the time of the last removal
 * that this CPU has to flush for; 0: none. One time for all CPUs would be wrong for a page that two
 * spaces share: a removal in one space requires no flush by the CPUs of the other.
 */
#include "arch/x86/space/stale.h"

#include "arch/x86/insn.h"
#include "arch/x86/mem/paging.h"
#include "arch/x86/space/space.h"
#include "lib/by_cpu.h"
#include "lib/lock.h"
#include "lib/panic.h"
#include "lib/string.h"

#include <linux/errno.h>

bool stale_watched;

BY_CPU_STATIC(uint64_t, flushed_at);

static uint64_t removals;
static struct lock notes_lock; /* for all data below; taken after page.c's lock */
static uint64_t *notes;        /* for each page a time of each CPU */
static size_t note_words;      /* of one page: CPUs */
static uint64_t notes_base, notes_end;

uint64_t stale_lock(void)
{
	uint64_t flags = irq_save();

	lock_take(&notes_lock);
	return flags;
}

void stale_unlock(uint64_t flags)
{
	lock_release(&notes_lock);
	irq_restore(flags);
}

static size_t notes_pages(void)
{
	return pages_of((notes_end - notes_base) / PAGE_SIZE * note_words * sizeof(*notes));
}

static void set_notes(uint64_t *to)
{
	uint64_t flags = stale_lock();

	notes = to;
	stale_watched = to;
	space_watch(to);
	stale_unlock(flags);
}

int stale_watch(unsigned ncpus)
{
	uint64_t *room;

	page_span(&notes_base, &notes_end);
	note_words = ncpus;
	room = page_alloc(notes_pages());
	if (!room)
		return -ENOMEM;
	set_notes(room);
	return 0;
}

void stale_unwatch(void)
{
	uint64_t *room = notes;

	set_notes(NULL);
	page_free(room, notes_pages());
}

/* NULL: the page has no note, like those of the image, or the check is off. */
static uint64_t *note_of(uint64_t page)
{
	if (!notes || page - notes_base >= notes_end - notes_base)
		return NULL;
	return &notes[(page - notes_base) / PAGE_SIZE * note_words];
}

/* Clears the times of CPUs that have flushed since. Returns the first CPU that has not, or -1. */
static int forget_flushed(uint64_t *note)
{
	for (unsigned cpu = 0; cpu < note_words; cpu++) {
		if (note[cpu] > __atomic_load_n(&flushed_at[cpu], __ATOMIC_ACQUIRE))
			return (int)cpu;
		note[cpu] = 0;
	}
	return -1;
}

static void add_removal(uint64_t *note, uint64_t time, const uint64_t *cpus)
{
	for (size_t cpu = 0; cpu < note_words; cpu++)
		if (cpus[cpu / 64] >> cpu % 64 & 1)
			note[cpu] = time;
}

void stale_removed(const struct space *s, uint64_t page, size_t npages)
{
	uint64_t flags = stale_lock(), cpus[SPACE_CPUS / 64];
	const uint64_t time = __atomic_add_fetch(&removals, 1, __ATOMIC_SEQ_CST);

	space_cpus(s, cpus);
	for (size_t i = 0; i < npages; i++) {
		uint64_t *note = note_of(page + i * PAGE_SIZE);

		if (note)
			add_removal(note, time, cpus);
	}
	stale_unlock(flags);
}

uint64_t stale_time(void)
{
	return __atomic_load_n(&removals, __ATOMIC_SEQ_CST);
}

void stale_flushed(unsigned cpu, uint64_t began)
{
	__atomic_store_n(&flushed_at[cpu], began, __ATOMIC_RELEASE);
}

static int knows(uint64_t page)
{
	uint64_t flags = stale_lock(), *note = note_of(page);
	const int cpu = note ? forget_flushed(note) : -1;

	stale_unlock(flags);
	return cpu;
}

void stale_check(uint64_t page, size_t npages)
{
	for (size_t i = 0; i < npages && stale_watched; i++) {
		const int cpu = knows(page + i * PAGE_SIZE);

		if (cpu >= 0)
			panic("page 0x%llx becomes free, and CPU %d has not flushed since ring 3 "
			      "had it there",
			      (unsigned long long)(page + i * PAGE_SIZE), cpu);
	}
}
