// SPDX-License-Identifier: BSD-2-Clause
/* sorter.c - see sorter.h. */
#include "tools/util/sorter.h"

#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/util/status.h"

#define ALIGN  8
#define WINDOW (1u << 17) /* bytes of a run in memory; more for a larger item */

/* A sorted part of the file, and its bytes in memory. */
struct sorter_run {
	uint64_t at, end; /* part of the file that was not read yet */
	struct buf window;
	size_t taken; /* bytes of the window that are used up */
};

static _Noreturn void fail_in_sorting(const char *what)
{
	errx(STATUS_MACHINE, "the temporary file for sorting: %s: %s", what, strerror(errno));
}

static int open_file(void)
{
	const char *folder = getenv("TMPDIR");
	struct buf path = {0};
	int fd;

	buf_printf(&path, "%s/perf0.XXXXXX", folder && *folder ? folder : "/var/tmp");
	buf_text(&path);
	fd = mkostemp((char *)path.data, O_CLOEXEC);
	if (fd < 0)
		fail_in_sorting((char *)path.data);
	unlink((char *)path.data);
	buf_free(&path);
	return fd;
}

static size_t padded_size(size_t n)
{
	return (n + ALIGN - 1) & ~(size_t)(ALIGN - 1);
}

/* Returns the item whose size is stored at `at`. */
static const uint8_t *item_at(const uint8_t *at, size_t *n)
{
	uint64_t size;

	memcpy(&size, at, sizeof(size));
	*n = size;
	return at + sizeof(size);
}

static int compare_offsets(const void *a, const void *b, void *arg)
{
	const struct sorter *sorter = arg;
	const uint64_t *x = a, *y = b;

	return sorter->compare(sorter->items.data + *x + ALIGN, sorter->items.data + *y + ALIGN);
}

static size_t count_items(const struct sorter *sorter)
{
	return sorter->order.size / sizeof(uint64_t);
}

static void sort_items(struct sorter *sorter)
{
	if (count_items(sorter))
		qsort_r(sorter->order.data, count_items(sorter), sizeof(uint64_t), compare_offsets,
			sorter);
}

static void write_run_bytes(struct sorter *sorter, const struct buf *bytes)
{
	for (size_t done = 0; done < bytes->size;) {
		ssize_t n = write(sorter->file, bytes->data + done, bytes->size - done);

		if (n < 0 && errno != EINTR)
			fail_in_sorting("writing");
		if (n > 0)
			done += (size_t)n;
	}
	sorter->file_size += bytes->size;
}

/* Writes all items in memory to the file as a run. */
static void spill_memory(struct sorter *sorter)
{
	const uint64_t *order;
	struct sorter_run run = {.at = sorter->file_size};
	struct buf bytes = {0};

	sort_items(sorter);
	if (!sorter->runs.size)
		sorter->file = open_file();
	order = (const void *)sorter->order.data;
	for (size_t i = 0; i < count_items(sorter); i++) {
		size_t n;

		item_at(sorter->items.data + order[i], &n);
		buf_add(&bytes, sorter->items.data + order[i], ALIGN + padded_size(n));
		if (bytes.size < WINDOW && i + 1 < count_items(sorter))
			continue;
		write_run_bytes(sorter, &bytes);
		bytes.size = 0;
	}
	run.end = sorter->file_size;
	buf_add(&sorter->runs, &run, sizeof(run));
	buf_free(&bytes);
	sorter->items.size = sorter->order.size = 0;
}

void sorter_add(struct sorter *sorter, const void *item, size_t n)
{
	size_t held = sorter->held ? sorter->held : SORTER_HELD, start = sorter->items.size;

	if (start && start + ALIGN + padded_size(n) > held) {
		spill_memory(sorter);
		start = 0;
	}
	buf_add_u64(&sorter->order, start);
	buf_add_u64(&sorter->items, n);
	buf_add(&sorter->items, item, n);
	buf_pad(&sorter->items, start, ALIGN);
}

/* Returns a run by its number. */

static struct sorter_run *run_of(const struct sorter *sorter, uint64_t number)
{
	return (struct sorter_run *)(void *)sorter->runs.data + number;
}

/* Returns the size of the next item, as far as the window contains it. */
static size_t next_size(const struct sorter_run *run)
{
	size_t n;

	if (run->window.size - run->taken < ALIGN)
		return ALIGN;
	item_at(run->window.data + run->taken, &n);
	return ALIGN + padded_size(n);
}

/* Returns whether the window contains the whole next item. */
static bool has_item(const struct sorter_run *run)
{
	size_t left = run->window.size - run->taken;

	return left > ALIGN && left >= next_size(run);
}

/* Reads until the window has the next item. Returns false at the end of the run. */
static bool fill_window(const struct sorter *sorter, struct sorter_run *run)
{
	if (has_item(run))
		return true;
	memmove(run->window.data, run->window.data + run->taken, run->window.size - run->taken);
	run->window.size -= run->taken;
	run->taken = 0;
	while (!has_item(run) && run->at < run->end) {
		size_t had = run->window.size, wanted = next_size(run);
		size_t room = (wanted > WINDOW ? wanted : WINDOW) - had;
		uint8_t *at;
		ssize_t n;

		room = room < run->end - run->at ? room : run->end - run->at;
		at = buf_extend(&run->window, room);
		n = pread(sorter->file, at, room, (off_t)run->at);
		if (n <= 0 && (!n || errno != EINTR))
			fail_in_sorting("reading");
		run->window.size = had + (n > 0 ? (size_t)n : 0);
		run->at += n > 0 ? (uint64_t)n : 0;
	}
	return has_item(run);
}

static bool is_item_less(const struct sorter *sorter, uint64_t a, uint64_t b)
{
	const struct sorter_run *x = run_of(sorter, a), *y = run_of(sorter, b);

	return sorter->compare(x->window.data + x->taken + ALIGN,
			       y->window.data + y->taken + ALIGN) < 0;
}

/* Moves an entry down the heap until none below is smaller. */
static void sift_down(const struct sorter *sorter, uint64_t *heap, size_t n, size_t at)
{
	for (size_t child; (child = 2 * at + 1) < n; at = child) {
		uint64_t moved = heap[at];

		if (child + 1 < n && is_item_less(sorter, heap[child + 1], heap[child]))
			child++;
		if (!is_item_less(sorter, heap[child], moved))
			return;
		heap[at] = heap[child];
		heap[child] = moved;
	}
}

static void start_merge(struct sorter *sorter)
{
	size_t nruns = sorter->runs.size / sizeof(struct sorter_run), n;

	for (uint64_t i = 0; i < nruns; i++) {
		buf_extend(&run_of(sorter, i)->window, WINDOW);
		run_of(sorter, i)->window.size = 0;
		if (fill_window(sorter, run_of(sorter, i)))
			buf_add_u64(&sorter->merged, i);
	}
	n = sorter->merged.size / sizeof(uint64_t);
	for (size_t i = n / 2; i-- > 0;)
		sift_down(sorter, (uint64_t *)(void *)sorter->merged.data, n, i);
}

static void start_reading(struct sorter *sorter)
{
	sorter->is_sorted = true;
	if (!sorter->runs.size) {
		sort_items(sorter);
		return;
	}
	spill_memory(sorter);
	buf_free(&sorter->items);
	buf_free(&sorter->order);
	start_merge(sorter);
}

/* Drops the item that was returned last, and moves its run to the place of its next item. */
static void leave_item(struct sorter *sorter)
{
	uint64_t *heap = (uint64_t *)(void *)sorter->merged.data;
	struct sorter_run *run = run_of(sorter, heap[0]);
	size_t left = sorter->merged.size / sizeof(*heap), n;

	item_at(run->window.data + run->taken, &n);
	run->taken += ALIGN + padded_size(n);
	if (!fill_window(sorter, run)) {
		heap[0] = heap[--left];
		sorter->merged.size -= sizeof(*heap);
	}
	sift_down(sorter, heap, left, 0);
}

static const void *next_merged(struct sorter *sorter, size_t *n)
{
	const struct sorter_run *run;

	if (sorter->is_taken)
		leave_item(sorter);
	sorter->is_taken = sorter->merged.size > 0;
	if (!sorter->is_taken)
		return NULL;
	run = run_of(sorter, *(const uint64_t *)(const void *)sorter->merged.data);
	return item_at(run->window.data + run->taken, n);
}

const void *sorter_next(struct sorter *sorter, size_t *n)
{
	const uint64_t *order;

	if (!sorter->is_sorted)
		start_reading(sorter);
	if (sorter->runs.size)
		return next_merged(sorter, n);
	if (sorter->next == count_items(sorter))
		return NULL;
	order = (const void *)sorter->order.data;
	return item_at(sorter->items.data + order[sorter->next++], n);
}

void sorter_free(struct sorter *sorter)
{
	size_t nruns = sorter->runs.size / sizeof(struct sorter_run);

	for (uint64_t i = 0; i < nruns; i++)
		buf_free(&run_of(sorter, i)->window);
	if (nruns)
		close(sorter->file);
	buf_free(&sorter->items);
	buf_free(&sorter->order);
	buf_free(&sorter->runs);
	buf_free(&sorter->merged);
	*sorter = (struct sorter){0};
}
