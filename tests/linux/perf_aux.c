// SPDX-License-Identifier: BSD-2-Clause
/*
 * perf_aux.c - an AUX area: of perf0's PMU step_trace, whose type is the first argument. Prints a
 * line for each thing that must hold.
 */
#include "tests/linux/perf_events.h"

#define RING_PAGES 4
#define AUX_PAGES  16
#define TRACED     0x2801 /* branches, returns not compressed: see /sys/bus/event_source */

static void *map_aux(int fd, struct perf_event_mmap_page *page, size_t pages, uint64_t offset)
{
	void *at;

	page->aux_offset = offset;
	page->aux_size = pages * PAGE;
	at = mmap(NULL, pages * PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, (off_t)offset);
	return at == MAP_FAILED ? NULL : at;
}

static uint64_t traced_bytes(struct perf_event_mmap_page *page)
{
	const uint64_t head = __atomic_load_n(&page->data_head, __ATOMIC_ACQUIRE);
	const uint8_t *data = (const uint8_t *)page + page->data_offset;
	uint64_t bytes = 0;

	for (uint64_t at = page->data_tail; at < head;) {
		const struct perf_event_header *h = (const void *)(data + at % page->data_size);

		if (h->type == PERF_RECORD_AUX)
			bytes += ((const uint64_t *)(h + 1))[1];
		at += h->size;
	}
	page->data_tail = head;
	return bytes;
}

static void trace_turns(int fd, uint64_t turns)
{
	ioctl(fd, PERF_EVENT_IOC_ENABLE, 0);
	turn(turns);
	ioctl(fd, PERF_EVENT_IOC_DISABLE, 0);
}

int main(int argc, char **argv)
{
	struct perf_event_attr attr = {.size = sizeof(attr),
				       .type = argc > 1 ? (uint32_t)atoi(argv[1]) : 0,
				       .config = TRACED,
				       .disabled = 1,
				       .exclude_kernel = 1,
				       .exclude_hv = 1};
	const int fd = must_open(&attr, 0, -1, -1, 0);
	struct perf_event_mmap_page *page = map_ring(fd, RING_PAGES, PROT_READ | PROT_WRITE);
	const uint64_t behind = (1 + RING_PAGES) * PAGE;
	struct perf_event_attr other = instructions();
	uint64_t before;
	uint8_t *aux;
	int second;

	check("a ring", page != NULL, true);
	check("no area within the ring", map_aux(fd, page, AUX_PAGES, PAGE) != NULL, false);
	check("no area of three pages", map_aux(fd, page, 3, behind) != NULL, false);
	aux = map_aux(fd, page, AUX_PAGES, behind);
	check("an area", aux != NULL, true);
	trace_turns(fd, 1000);
	check("as much is told of as is there", traced_bytes(page), page->aux_head);
	check("of each turn a bit at least", page->aux_head > 1000 / 8, true);
	check("it begins with PSB", aux[0] == 0x02 && aux[1] == 0x82, true);
	page->aux_tail = page->aux_head;

	/* Without the area nothing is traced, and the event goes on counting. */
	ioctl(fd, PERF_EVENT_IOC_ENABLE, 0);
	munmap(aux, AUX_PAGES * PAGE);
	before = page->aux_head;
	turn(1000);
	ioctl(fd, PERF_EVENT_IOC_DISABLE, 0);
	check("no area, no trace", page->aux_head, before);
	aux = map_aux(fd, page, AUX_PAGES / 2, behind + 8 * PAGE);
	check("another area, elsewhere", aux != NULL, true);
	trace_turns(fd, 1000);
	check("is traced into", page->aux_head > 1000 / 8, true);
	unmap_ring(page, RING_PAGES);
	check("the area stays without its ring", aux[0] == 0x02 && aux[1] == 0x82, true);
	munmap(aux, AUX_PAGES / 2 * PAGE);

	second = must_open(&other, 0, -1, -1, 0);
	page = map_ring(second, RING_PAGES, PROT_READ | PROT_WRITE);
	check("instructions have no area", map_aux(second, page, AUX_PAGES, behind) != NULL, false);
	check("... which is EOPNOTSUPP", (uint64_t)errno, EOPNOTSUPP);
	printf("%d failed\n", failed);
	return failed != 0;
}
