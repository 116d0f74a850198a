// SPDX-License-Identifier: BSD-2-Clause
/* content.c - see content.h. */
#include "linux/file/content.h"

#include "lib/panic.h"
#include "lib/string.h"
#include "rt/base/heap.h"

#include <linux/errno.h>
#include <stddef.h>

#define SLOT_BITS 6
#define SLOTS     (1u << SLOT_BITS)
#define LEVELS    9 /* 54 bits of index; CONTENT_PAGES_MOST has 52 */
#define CUT_BATCH 64

#define BORROWED 1u /* in the lowest bit of the address of a page */

struct node {
	uintptr_t slot[SLOTS]; /* nodes, or pages in the lowest level; 0: a hole */
	unsigned used;
};

static unsigned slot_of(uint64_t index, unsigned level)
{
	return index >> (level * SLOT_BITS) & (SLOTS - 1);
}

/* How many pages a tree of `height` levels has. */
static uint64_t room_of(unsigned height)
{
	return 1ull << (height * SLOT_BITS);
}

static void *page_of(uintptr_t slot)
{
	return (void *)(slot & ~(uintptr_t)BORROWED);
}

/* Returns the page, or 0, with the level of the empty slot in `*level`. */
static uintptr_t descend(const struct content *content, uint64_t index, unsigned *level)
{
	uintptr_t at = content->root;

	for (*level = content->height; at && *level; (*level)--)
		at = ((struct node *)at)->slot[slot_of(index, *level - 1)];
	return at;
}

static uintptr_t find_slot(const struct content *content, uint64_t index)
{
	unsigned level;

	return index < room_of(content->height) ? descend(content, index, &level) : 0;
}

void *content_page(const struct content *content, uint64_t index)
{
	return page_of(find_slot(content, index));
}

/* --- Changes --- */

/* Adds a level; the old tree becomes its first slot. */
static int raise_tree(struct content *content)
{
	struct node *node;

	if (!content->root) {
		content->height++;
		return 0;
	}
	node = heap_alloc(sizeof(*node));
	if (!node)
		return -ENOMEM;
	node->slot[0] = content->root;
	node->used = 1;
	content->root = (uintptr_t)node;
	content->height++;
	return 0;
}

/* The slots on the way from `content` to page `index`; the last is that of the page. */
struct path {
	uintptr_t *slot[LEVELS + 1];
	struct node *node[LEVELS + 1]; /* node of each slot; NULL: `content` */
	unsigned n;
};

static void path_step(struct path *path, unsigned slot)
{
	struct node *node = (struct node *)*path->slot[path->n - 1];

	path->node[path->n] = node;
	path->slot[path->n] = &node->slot[slot];
	path->n++;
}

/* Removes empty nodes, upwards. */
static void prune(struct content *content, const struct path *path)
{
	for (unsigned i = path->n - 1; i && !path->node[i]->used; i--) {
		*path->slot[i - 1] = 0;
		if (path->node[i - 1])
			path->node[i - 1]->used--;
		heap_free(path->node[i]);
	}
	if (!content->root)
		content->height = 0;
}

/* Adds a node for the empty slot at the end of the path. */
static int grow_path(struct path *path)
{
	uintptr_t *slot = path->slot[path->n - 1];
	struct node *parent = path->node[path->n - 1];

	if (*slot)
		return 0;
	*slot = (uintptr_t)heap_alloc(sizeof(struct node));
	if (!*slot)
		return -ENOMEM;
	if (parent)
		parent->used++;
	return 0;
}

/* Finds the path to page `index`, and adds missing nodes. */
static int make_path(struct content *content, uint64_t index, struct path *path)
{
	*path = (struct path){.slot = {&content->root}, .n = 1};
	for (unsigned level = content->height; level; level--) {
		if (grow_path(path)) {
			prune(content, path);
			return -ENOMEM;
		}
		path_step(path, slot_of(index, level - 1));
	}
	return 0;
}

int content_give(struct content *content, uint64_t index, void *page, bool borrowed)
{
	struct path path;

	ASSERT(index < CONTENT_PAGES_MOST && !content_page(content, index));
	while (index >= room_of(content->height))
		if (raise_tree(content))
			return -ENOMEM;
	if (make_path(content, index, &path))
		return -ENOMEM;
	*path.slot[path.n - 1] = (uintptr_t)page | (borrowed ? BORROWED : 0);
	if (path.n > 1)
		path.node[path.n - 1]->used++;
	content->pages++;
	return 0;
}

static void *own_hole(struct content *content, uint64_t index)
{
	void *page = page_ref_new();

	if (page && content_give(content, index, page, false)) {
		page_ref_put(page);
		return NULL;
	}
	return page;
}

/* Finds the path to an existing page. */
static void find_path(struct content *content, uint64_t index, struct path *path)
{
	*path = (struct path){.slot = {&content->root}, .n = 1};
	for (unsigned level = content->height; level; level--)
		path_step(path, slot_of(index, level - 1));
}

static void *own_borrowed(struct content *content, uint64_t index, void *from, void **replaced)
{
	void *page = page_ref_new();
	struct path path;

	if (!page)
		return NULL;
	memcpy(page, from, PAGE_BYTES);
	find_path(content, index, &path);
	*path.slot[path.n - 1] = (uintptr_t)page;
	*replaced = from;
	return page;
}

void *content_own(struct content *content, uint64_t index, void **replaced)
{
	const uintptr_t slot = find_slot(content, index);

	if (!slot)
		return own_hole(content, index);
	return slot & BORROWED ? own_borrowed(content, index, page_of(slot), replaced)
			       : page_of(slot);
}

void content_drop(struct content *content, uint64_t index)
{
	void *page = content_page(content, index);
	struct path path;

	if (!page)
		return;
	find_path(content, index, &path);
	*path.slot[path.n - 1] = 0;
	if (path.n > 1)
		path.node[path.n - 1]->used--;
	prune(content, &path);
	content->pages--;
	page_ref_put(page);
}

/* --- Searches --- */

uint64_t content_next(const struct content *content, uint64_t index)
{
	unsigned level;

	while (content->root && index < room_of(content->height)) {
		if (descend(content, index, &level))
			return index;
		index = (index | (room_of(level) - 1)) + 1;
	}
	return CONTENT_PAGES_MOST;
}

uint64_t content_last(const struct content *content)
{
	uintptr_t at = content->root;
	uint64_t index = 0;

	ASSERT(at);
	for (unsigned level = content->height; level; level--) {
		unsigned slot = SLOTS - 1;

		while (!((struct node *)at)->slot[slot])
			slot--;
		index = index << SLOT_BITS | slot;
		at = ((struct node *)at)->slot[slot];
	}
	return index;
}

bool content_cut(struct content *content, uint64_t from)
{
	for (unsigned i = 0; i < CUT_BATCH && content->root; i++) {
		const uint64_t last = content_last(content);

		if (last < from)
			return false;
		content_drop(content, last);
	}
	return content->root && content_last(content) >= from;
}
