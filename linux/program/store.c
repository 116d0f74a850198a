// SPDX-License-Identifier: BSD-2-Clause
/* store.c - see store.h. Files of the same content under several paths share it. */
#include "linux/program/store.h"

#include "arch/x86/mem/paging.h"
#include "lib/string.h"

struct entry {
	struct entry *next;
	struct upload_file file;
	uint8_t *content;
	uint64_t offered; /* time of the last offer */
};

#define ENTRY_PAGES pages_of(sizeof(struct entry))

static struct {
	struct entry *first;
	size_t pages;       /* pages of all kept files, and of the incomplete one */
	uint64_t now, line; /* number of offers so far; its value when the last line ended */
} kept;

static void *reserve_store_pages(size_t n)
{
	void *pages = kept.pages + n <= page_total_count() / PROGRAMS_SENT_SHARE
			      ? page_alloc_user(n)
			      : NULL;

	kept.pages += pages ? n : 0;
	return pages;
}

static void give_pages(void *pages, size_t n)
{
	page_free(pages, n);
	kept.pages -= n;
}

static bool is_content_shared(const struct entry *entry)
{
	for (const struct entry *e = kept.first; e; e = e->next)
		if (e != entry && e->content == entry->content)
			return true;
	return false;
}

static void remove_entry(struct entry *entry)
{
	struct entry **at = &kept.first;

	while (*at != entry)
		at = &(*at)->next;
	if (!is_content_shared(entry))
		give_pages(entry->content, pages_of(entry->file.bytes));
	*at = entry->next;
	give_pages(entry, ENTRY_PAGES);
}

/* False: all files were offered for the next line. */
static bool evict_oldest(void)
{
	struct entry *oldest = NULL;

	for (struct entry *e = kept.first; e; e = e->next)
		if (e->offered <= kept.line && (!oldest || e->offered < oldest->offered))
			oldest = e;
	if (oldest)
		remove_entry(oldest);
	return oldest;
}

static void *take_room(uint64_t bytes)
{
	void *pages = reserve_store_pages(pages_of(bytes));

	while (!pages && evict_oldest())
		pages = reserve_store_pages(pages_of(bytes));
	return pages;
}

static struct entry *find_path(const char *path)
{
	for (struct entry *e = kept.first; e; e = e->next)
		if (!strcmp(e->file.path, path))
			return e;
	return NULL;
}

static struct entry *find_content(const struct upload_file *file)
{
	for (struct entry *e = kept.first; e; e = e->next)
		if (e->file.bytes == file->bytes && e->file.hash == file->hash)
			return e;
	return NULL;
}

/* The newest file of a path is found. An older one stays as long as there is room, since it may
 * be offered again. */
static bool add_entry(const struct upload_file *file, uint8_t *content)
{
	struct entry *entry = take_room(sizeof(*entry));

	if (!entry)
		return false;
	*entry = (struct entry){kept.first, *file, content, ++kept.now};
	kept.first = entry;
	return true;
}

static void make_newest(struct entry *entry)
{
	struct entry **at = &kept.first;

	while (*at != entry)
		at = &(*at)->next;
	*at = entry->next;
	entry->next = kept.first;
	kept.first = entry;
}

static bool holds_file(const struct upload_file *file)
{
	struct entry *same = find_content(file);

	if (!same)
		return false;
	same->offered = ++kept.now;
	if (strcmp(same->file.path, file->path))
		return add_entry(file, same->content);
	make_newest(same);
	return true;
}

static uint8_t *reserve_file(const struct upload_file *file)
{
	return take_room(file->bytes);
}

static void drop_file(const struct upload_file *file, uint8_t *memory)
{
	give_pages(memory, pages_of(file->bytes));
}

const struct upload_store store = {holds_file, reserve_file, add_entry, drop_file};

const void *store_find(const char *path, size_t *bytes)
{
	const struct entry *entry = find_path(path);

	*bytes = entry ? entry->file.bytes : 0;
	return entry ? entry->content : NULL;
}

static size_t pages_of_older(void)
{
	size_t pages = 0;

	for (const struct entry *e = kept.first; e; e = e->next)
		if (e->offered <= kept.line)
			pages += pages_of(e->file.bytes);
	return pages;
}

void store_line_begins(void)
{
	while (pages_of_older() > page_total_count() / PROGRAMS_KEPT_SHARE)
		evict_oldest();
}

void store_line_ended(void)
{
	kept.line = kept.now;
}
