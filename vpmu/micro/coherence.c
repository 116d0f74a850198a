// SPDX-License-Identifier: BSD-2-Clause
/*
 * coherence.c - a directory beside the last level, under the same lock: which CPUs have a line in
 * their own caches, and which one has modified it. It is exact: a line has an entry as long as L1D,
 * L1I or L2 of a CPU has it.
 *
 * A CPU's caches belong to its thread. A CPU that takes a line away, or reads a modified one,
 * therefore leaves mail. The owner reads it before its next request, and at the next run of
 * instructions (micro_catch_up()). Until then it uses its copy. A store needs the directory once.
 * Then the line is in the CPU's table `owned`, until it leaves or another CPU asks for it.
 */
#include "vpmu/micro/micro_priv.h"

#include "lib/bits.h"
#include "lib/string.h"

#define OWNED        4096 /* lines that a CPU has modified, indexed by low bits */
#define FREE         0
#define NO_OWNER     UINT32_MAX
#define DOWNGRADE    (1ull << 63)     /* in mail: the line stays, but is no longer modified */
#define MAIL_LOST    (MICRO_MAIL + 1) /* mail: more was left than fits */
#define MAIL_EMPTIED (MICRO_MAIL + 2) /* mail: all caches were reset */

struct holders {
	uint64_t line; /* the line plus 1 */
	uint64_t cpus; /* a bit for each */
	uint32_t owner;
};

struct micro_directory {
	uint32_t mask; /* number of entries - 1; a power of two of them */
	struct holders *entry;
	uint64_t (*owned)[OWNED]; /* the table of each CPU */
};

_Static_assert(MICRO_SHARERS <= 64, "a bit for each");

/* --- Setting up --- */

static uint64_t lines_of(const struct geometry_cache *cache)
{
	return (uint64_t)cache->kib * 1024 / GEOMETRY_LINE;
}

/* Twice the lines that the CPUs can hold, so that searches are short. */
static uint32_t entries_for(const struct geometry *g, unsigned vcpus)
{
	const uint64_t held = (lines_of(&g->l1d) + lines_of(&g->l1i) + lines_of(&g->l2)) * vcpus;

	return 2u << bits_last(2 * held);
}

size_t micro_directory_bytes(const struct geometry *geometry, unsigned vcpus)
{
	return sizeof(struct micro_directory) +
	       entries_for(geometry, vcpus) * sizeof(struct holders) +
	       vcpus * sizeof(uint64_t[OWNED]);
}

void micro_directory_init(struct micro_shared *llc, const struct geometry *geometry, unsigned vcpus,
			  void *memory)
{
	struct micro_directory *d = memory;
	const uint32_t entries = entries_for(geometry, vcpus);

	d->mask = entries - 1;
	d->entry = (struct holders *)(d + 1);
	d->owned = (uint64_t(*)[OWNED])(d->entry + entries);
	llc->directory = d;
}

/* --- Entries: open addressing; gaps are closed at once --- */

static uint32_t directory_slot(const struct micro_directory *d, uint64_t line)
{
	return (uint32_t)((line * 0x9e3779b97f4a7c15ull) >> 32) & d->mask;
}

static struct holders *find_holders(const struct micro_directory *d, uint64_t line)
{
	uint32_t i = directory_slot(d, line);

	while (d->entry[i].line != FREE && d->entry[i].line != line + 1)
		i = (i + 1) & d->mask;
	return &d->entry[i];
}

static void remove_entry(const struct micro_directory *d, const struct holders *h)
{
	uint32_t gap = (uint32_t)(h - d->entry);

	for (uint32_t i = (gap + 1) & d->mask; d->entry[i].line != FREE; i = (i + 1) & d->mask) {
		const uint32_t wanted = directory_slot(d, d->entry[i].line - 1);

		/* An entry must not move before the slot where its search begins. */
		if (((i - wanted) & d->mask) < ((i - gap) & d->mask))
			continue;
		d->entry[gap] = d->entry[i];
		gap = i;
	}
	d->entry[gap].line = FREE;
}

/* --- Lines that a CPU owns; accessed by its own thread --- */

static uint64_t *owned_slot(const struct micro *m, uint64_t line)
{
	return &m->llc->directory->owned[m->number][line % OWNED];
}

static void disown(const struct micro *m, uint64_t line)
{
	uint64_t *slot = owned_slot(m, line);

	if (*slot == line + 1)
		*slot = 0;
}

/* --- Mail. The last level is locked --- */

static void send_mail(struct micro_shared *s, uint64_t cpus, uint64_t what)
{
	for (; cpus; cpus &= cpus - 1) {
		const unsigned to = bits_first(cpus);
		const uint32_t n = s->mail[to].n;

		if (n < MICRO_MAIL)
			s->mail[to].lines[n] = what;
		if (n <= MICRO_MAIL)
			__atomic_store_n(&s->mail[to].n, n < MICRO_MAIL ? n + 1 : MAIL_LOST,
					 __ATOMIC_RELEASE);
	}
}

/* Drops the lines of a cache that the directory no longer has for this CPU. */
static void drop_lost_lines(struct micro *m, const struct micro_cache *c)
{
	const struct micro_directory *d = m->llc->directory;

	for (uint32_t set = 0; set < c->sets; set++)
		for (unsigned way = c->ways; way-- > 0;) {
			const uint32_t tag = c->tags[((size_t)set << c->set_shift) + way];
			const uint64_t line = micro_line_of(c, set, tag);

			if (micro_is_line(c, tag) &&
			    !(find_holders(d, line)->cpus >> m->number & 1))
				micro_drop_own(m, line);
		}
}

static void drop_all_lost(struct micro *m)
{
	memset(m->llc->directory->owned[m->number], 0, sizeof(uint64_t[OWNED]));
	drop_lost_lines(m, &m->l1d);
	drop_lost_lines(m, &m->l1i);
	drop_lost_lines(m, &m->own_l2);
}

void micro_read_mail(struct micro *m)
{
	struct micro_shared *s = m->llc;
	const uint32_t n = s->mail[m->number].n;

	__atomic_store_n(&s->mail[m->number].n, 0, __ATOMIC_RELAXED);
	if (n == MAIL_EMPTIED) {
		micro_reset(m);
		return;
	}
	if (n == MAIL_LOST) {
		drop_all_lost(m);
		return;
	}
	for (uint32_t i = 0; i < n; i++) {
		const uint64_t line = s->mail[m->number].lines[i];

		if (s->directory)
			disown(m, line & ~DOWNGRADE);
		if (!(line & DOWNGRADE))
			micro_drop_own(m, line);
	}
}

void micro_catch_up(struct micro *m)
{
	struct micro_shared *s = m->llc;

	if (!__atomic_load_n(&s->mail[m->number].n, __ATOMIC_RELAXED))
		return;
	shared_lock(s);
	micro_read_mail(m);
	shared_unlock(s);
}

/* --- Requests. The last level is locked --- */

static enum micro_snoop claim_line(struct micro *m, struct holders *h, uint64_t line)
{
	const uint64_t own = 1ull << m->number, others = h->cpus & ~own;
	const bool modified = h->owner != NO_OWNER && h->owner != m->number;

	send_mail(m->llc, others, line);
	m->counts[EVENTS_LINES_TAKEN] += bits_count(others);
	m->counts[EVENTS_STORES_MODIFIED] += modified;
	h->cpus = own;
	h->owner = m->number;
	*owned_slot(m, line) = line + 1;
	return !others ? MICRO_NO_SNOOP : modified ? MICRO_SNOOP_HITM : MICRO_SNOOP_HIT;
}

static enum micro_snoop share_line(struct micro *m, struct holders *h, uint64_t line)
{
	const uint64_t own = 1ull << m->number, others = h->cpus & ~own;
	const bool modified = h->owner != NO_OWNER && h->owner != m->number;

	if (modified) {
		send_mail(m->llc, 1ull << h->owner, line | DOWNGRADE);
		h->owner = NO_OWNER;
	}
	h->cpus |= own;
	return modified ? MICRO_SNOOP_HITM : others ? MICRO_SNOOP_HIT : MICRO_NO_SNOOP;
}

enum micro_snoop micro_directory_take(struct micro *m, uint64_t line, bool stores)
{
	struct holders *h = find_holders(m->llc->directory, line);

	if (h->line == FREE)
		*h = (struct holders){.line = line + 1, .owner = NO_OWNER};
	return stores ? claim_line(m, h, line) : share_line(m, h, line);
}

void micro_directory_leave(struct micro *m, uint64_t line)
{
	const struct micro_directory *d = m->llc->directory;
	struct holders *h = find_holders(d, line);

	disown(m, line);
	if (h->line == FREE)
		return;
	h->cpus &= ~(1ull << m->number);
	if (h->owner == m->number)
		h->owner = NO_OWNER;
	if (!h->cpus)
		remove_entry(d, h);
}

void micro_directory_evict(struct micro *m, uint64_t line)
{
	const struct micro_directory *d = m->llc->directory;
	struct holders *h = find_holders(d, line);

	disown(m, line);
	if (h->line == FREE)
		return;
	send_mail(m->llc, h->cpus & ~(1ull << m->number), line);
	remove_entry(d, h);
}

void micro_directory_reset(struct micro_shared *s)
{
	struct micro_directory *d = s->directory;

	memset(d->entry, 0, (d->mask + 1ull) * sizeof(*d->entry));
	for (unsigned i = 0; i < s->nsharers; i++)
		__atomic_store_n(&s->mail[i].n, MAIL_EMPTIED, __ATOMIC_RELEASE);
}

void micro_directory_forget(struct micro *m)
{
	memset(m->llc->directory->owned[m->number], 0, sizeof(uint64_t[OWNED]));
}

/* --- Operations of a CPU --- */

void micro_left_first_level(struct micro *m, uint64_t line)
{
	if (micro_cache_has(&m->own_l2, line) || micro_cache_has(&m->l1d, line) ||
	    micro_cache_has(&m->l1i, line))
		return;
	shared_lock(m->llc);
	micro_directory_leave(m, line);
	shared_unlock(m->llc);
}

/* The first TLB has the page, as the access has just used it. */
static uint64_t line_at(const struct micro_tlb *tlb, uint64_t va)
{
	const struct micro_tlb_slot *slot = &tlb->recent[(va >> MICRO_PAGE_SHIFT) % MICRO_RECENT];

	if (slot->page != va >> MICRO_PAGE_SHIFT)
		return MICRO_NOTHING;
	return (va + tlb->offsets[slot->entry]) >> MICRO_LINE_SHIFT;
}

static bool owns_line(const struct micro *m, uint64_t line)
{
	return *owned_slot(m, line) == line + 1;
}

/* Makes a shared line exclusive. If another CPU takes it at this moment, that CPU's store comes
 * first. */
static void upgrade_line(struct micro *m, uint64_t line, struct micro_outcome *o)
{
	enum micro_snoop snoop = MICRO_NO_SNOOP;

	if (line == MICRO_NOTHING || owns_line(m, line))
		return;
	shared_lock(m->llc);
	micro_read_mail(m);
	if (micro_cache_has(&m->l1d, line) || micro_cache_has(&m->own_l2, line))
		snoop = micro_directory_take(m, line, true);
	shared_unlock(m->llc);
	if (snoop > o->snoop)
		o->snoop = (uint8_t)snoop;
}

struct micro_outcome micro_store_coherent(struct micro *m, uint64_t va, unsigned bytes,
					  void *context)
{
	const uint64_t last = va + bytes - 1;
	struct micro_outcome o = micro_store(m, va, bytes, context);

	if (!micro_is_coherent(m))
		return o;
	upgrade_line(m, line_at(m->pages[1], va), &o);
	if (va >> MICRO_LINE_SHIFT != last >> MICRO_LINE_SHIFT)
		upgrade_line(m, line_at(m->pages[1], last), &o);
	return o;
}
