// SPDX-License-Identifier: BSD-2-Clause
/*
 * perf_ring.c - rings and AUX areas: the memory for mmap(2) of an event. A ring is memory of the
 * runtime that ring 3 also sees and may write, so its content is not trusted. The event core
 * reads only data_tail and aux_tail, and for any values of these, records stay within the ring.
 * Each area of ring 3's memory has a reference to the ring, and the ring holds the file of its
 * event. With the last reference, events stop writing to the ring.
 */
#include "linux/perf/perf_parts.h"

#include "arch/x86/mem/paging.h"
#include "arch/x86/smp/smp.h"
#include "rt/base/heap.h"
#include "linux/portable/areas.h"
#include "linux/task/sched.h"

#define PAGES_MOST (1u << 16) /* maximum of a ring: contiguous memory */

/* --- Memory --- */

/* A child process does not inherit areas of this memory, as in Linux (VM_DONTCOPY). */
static int memory_init(struct mapped_memory *m, const struct mapped_ops *ops, size_t npages)
{
	void *pages = page_alloc_user(npages);

	if (!pages)
		return -ENOMEM;
	mapped_memory_init(m, ops, "anon_inode:[perf_event]", pages, npages);
	m->mapped.area = AREA_UNCOPIED;
	return 0;
}

/* --- Destinations of records --- */

static void unlink_writer(const struct perf_file *p)
{
	struct perf_file **at = &p->ring->writers;

	while (*at != p)
		at = &(*at)->next_writer;
	*at = p->next_writer;
}

/* Without a ring poll(2) has POLLHUP. */
void perf_ring_join(struct perf_file *p, struct perf_ring *ring)
{
	perf_wake_lock();
	if (p->ring)
		unlink_writer(p);
	p->ring = ring;
	if (ring) {
		p->next_writer = ring->writers;
		ring->writers = p;
	}
	wait_wake(&p->queue);
	perf_wake_unlock();
}

void perf_ring_leave(struct perf_file *p)
{
	if (!p->ring)
		return;
	pmu_event_set_output(&p->event, NULL);
	perf_ring_join(p, NULL);
}

/* --- Rings --- */

#define RING_PAGES ((sizeof(struct perf_ring) + PAGE_SIZE - 1) / PAGE_SIZE)

static void free_ring(struct perf_ring *ring)
{
	mapped_memory_put(&ring->memory);
	page_free(ring, RING_PAGES);
}

static void ring_unmapped(struct mapped *mapped)
{
	struct perf_ring *ring = (struct perf_ring *)mapped;
	struct file *file = ring->file;

	perf_lock();
	pmu_event_set_page(&ring->owner->event, NULL);
	while (ring->writers)
		perf_ring_leave(ring->writers);
	perf_unlock();
	perf_news_forget(&ring->news);
	free_ring(ring);
	file_put(file);
}

static struct perf_ring *new_ring(struct perf_file *p, size_t npages, unsigned mode)
{
	static const struct mapped_ops ops = {mapped_memory_page, ring_unmapped};
	struct perf_ring *ring = page_alloc_user(RING_PAGES);

	if (!ring)
		return NULL;
	if (memory_init(&ring->memory, &ops, npages)) {
		page_free(ring, RING_PAGES);
		return NULL;
	}
	ring->owner = p;
	ring->news.tell = perf_ring_tell;
	ring->rb.page = ring->memory.pages;
	if (npages > 1) {
		rb_init(&ring->rb, ring->memory.pages, npages - 1);
		ring->rb.wakeup = perf_note_wakeup;
		rb_set_mode(&ring->rb, mode);
	}
	return ring;
}

static int check_ring_size(const struct perf_file *p, size_t npages, struct reason *why)
{
	if (!npages || (npages - 1) & (npages - 2))
		return refuse(why, EINVAL, "a ring has 2^n data pages, or none");
	if (npages > PAGES_MOST)
		return refuse(why, EPERM, "a ring has %u pages at most", PAGES_MOST);
	if (p->event.attr.inherit && p->event.cpu == -1)
		return refuse(why, EINVAL,
			      "children of any CPU cannot all write into one ring: an event "
			      "with a ring is not inherited, or for one CPU");
	return 0;
}

/* Maps the ring that already gets the event's records. -EAGAIN: that ring is about to be freed. */
static int map_again(const struct perf_file *p, size_t npages, struct mapped **mapped)
{
	struct mapped_memory *m = &p->ring->memory;

	if (m->npages != npages)
		return refuse(perf_refusal(), EINVAL,
			      "the event has a ring already, with another number of pages");
	if (!mapped_get_live(&m->mapped))
		return -EAGAIN;
	*mapped = &m->mapped;
	return 0;
}

/* An inherited event has no control page of its own: no page could show the sum of all counts. */
static int attach_ring(struct perf_file *p, struct perf_ring *ring)
{
	int err = 0;

	if (ring->memory.npages > 1 && pmu_event_set_output(&p->event, &ring->rb))
		return refuse(perf_refusal(), EINVAL, "the ring is too small for one record");
	if (!p->event.attr.inherit)
		err = pmu_event_set_page(&p->event, ring->memory.pages);
	if (err)
		pmu_event_set_output(&p->event, NULL);
	return err;
}

static int map_ring(struct perf_file *p, size_t npages, bool writable, struct mapped **mapped)
{
	const unsigned mode =
		(writable ? 0 : RB_OVERWRITE) | (p->event.attr.write_backward ? RB_BACKWARD : 0);
	struct perf_ring *ring;
	int err = check_ring_size(p, npages, perf_refusal());

	if (err)
		return err;
	if (p->ring)
		return map_again(p, npages, mapped);
	ring = new_ring(p, npages, mode);
	if (!ring)
		return refuse(perf_refusal(), ENOMEM, "no memory for a ring of %zu pages", npages);
	err = attach_ring(p, ring);
	if (err) {
		free_ring(ring);
		return err;
	}
	ring->file = file_get(p->file);
	perf_ring_join(p, ring);
	*mapped = &ring->memory.mapped;
	return 0;
}

/* --- AUX areas --- */

static void aux_unmapped(struct mapped *mapped)
{
	struct perf_aux *aux = (struct perf_aux *)mapped;
	struct perf_ring *ring = aux->ring;

	perf_lock();
	for (struct perf_file *p = ring->writers; p; p = p->next_writer)
		if (pmu_event_has_aux(&p->event))
			pmu_event_drop_aux(&p->event);
	ring->rb.aux = NULL;
	ring->aux = NULL;
	perf_unlock();
	mapped_memory_put(&aux->memory);
	heap_free(aux);
	mapped_put(&ring->memory.mapped);
}

/* Checks the place and size of the area: they come from the control page, which ring 3 writes. */
static int check_aux(const struct perf_file *p, size_t npages, uint64_t offset, struct reason *why)
{
	const volatile struct perf_event_mmap_page *page;

	if (!p->ring || p->ring->memory.npages == 1)
		return refuse(why, EINVAL, "an AUX area comes behind a ring, and there is none");
	if (!pmu_event_has_aux(&p->event))
		return refuse(why, EOPNOTSUPP, "the event's PMU writes into no AUX area");
	page = p->ring->memory.pages;
	if (offset != page->aux_offset || npages * PAGE_SIZE != page->aux_size)
		return refuse(why, EINVAL,
			      "aux_offset and aux_size of the control page are not what is mapped");
	if (offset < p->ring->memory.npages * PAGE_SIZE)
		return refuse(why, EINVAL, "the AUX area would lie within the ring");
	if (!npages || npages & (npages - 1))
		return refuse(why, EINVAL, "an AUX area has 2^n pages");
	if (npages > PAGES_MOST)
		return refuse(why, EPERM, "an AUX area has %u pages at most", PAGES_MOST);
	return 0;
}

static int map_aux_again(struct perf_aux *aux, size_t npages, struct mapped **mapped)
{
	if (aux->memory.npages != npages)
		return refuse(perf_refusal(), EINVAL, "the ring has another AUX area already");
	if (!mapped_get_live(&aux->memory.mapped))
		return -EAGAIN;
	*mapped = &aux->memory.mapped;
	return 0;
}

static struct perf_aux *new_aux(size_t npages)
{
	static const struct mapped_ops ops = {mapped_memory_page, aux_unmapped};
	struct perf_aux *aux = heap_alloc(sizeof(*aux));

	if (aux && memory_init(&aux->memory, &ops, npages)) {
		heap_free(aux);
		return NULL;
	}
	return aux;
}

static uint64_t aux_watermark(const struct perf_file *p, size_t npages)
{
	const uint64_t wanted = p->event.attr.aux_watermark;

	return wanted < npages * PAGE_SIZE ? wanted : 0;
}

static int map_aux(struct perf_file *p, size_t npages, uint64_t offset, bool writable,
		   struct mapped **mapped)
{
	int err = check_aux(p, npages, offset, perf_refusal());
	struct perf_ring *ring = p->ring;
	struct perf_aux *aux;

	if (err)
		return err;
	if (ring->aux)
		return map_aux_again(ring->aux, npages, mapped);
	if (!mapped_get_live(&ring->memory.mapped))
		return -EAGAIN;
	aux = new_aux(npages);
	if (!aux) {
		perf_unlock(); /* this may free the ring */
		mapped_put(&ring->memory.mapped);
		perf_lock();
		return refuse(perf_refusal(), ENOMEM, "no memory for an AUX area of %zu pages",
			      npages);
	}
	aux->ring = ring;
	ring->aux = aux;
	rb_aux_init(&aux->area, &ring->rb, aux->memory.pages, npages, aux_watermark(p, npages),
		    !writable);
	ring->rb.page->aux_offset = offset;
	*mapped = &aux->memory.mapped;
	return 0;
}

/* --- mmap(2) --- */

static int map_locked(struct perf_file *p, size_t npages, uint64_t offset, bool writable,
		      struct mapped **mapped)
{
	return offset ? map_aux(p, npages, offset, writable, mapped)
		      : map_ring(p, npages, writable, mapped);
}

/* Retries while -EAGAIN: another CPU is about to free the old ring. */
int perf_map(struct file *f, uint64_t bytes, uint64_t offset, bool writable, struct mapped **mapped)
{
	const size_t npages = pages_of(bytes);
	int err;

	for (;;) {
		perf_lock();
		err = map_locked(perf_of(f), npages, offset, writable, mapped);
		perf_unlock();
		if (err != -EAGAIN)
			break;
		smp_serve();
	}
	if (!err)
		task_allow_rdpmc(sched_current());
	return err;
}
