// SPDX-License-Identifier: BSD-2-Clause
/* directory.c - see directory.h. */
#include "linux/file/directory.h"

#include "lib/panic.h"
#include "lib/string.h"
#include "linux/file/inode.h"
#include "linux/file/readdir.h"
#include "rt/base/heap.h"

#include <linux/errno.h>

#define BUCKETS_FIRST 8
#define PLACES_FIRST  8

/* FNV-1a of 32 bits. */
static uint32_t hash_name(const char *name, unsigned length)
{
	uint32_t hash = 2166136261u;

	for (unsigned i = 0; i < length; i++)
		hash = (hash ^ (uint8_t)name[i]) * 16777619u;
	return hash;
}

struct entry *entry_new(const char *name, unsigned length)
{
	struct entry *entry = heap_alloc(sizeof(*entry) + length);

	ASSERT(length <= NAME_BYTES_MOST);
	if (!entry)
		return NULL;
	memcpy(entry->name, name, length);
	entry->length = (uint8_t)length;
	entry->hash = hash_name(name, length);
	return entry;
}

static struct entry **bucket_of(const struct directory *d, uint32_t hash)
{
	return &d->bucket[hash & (d->nbuckets - 1)];
}

struct entry *directory_find(const struct inode *dir, const char *name, unsigned length)
{
	const struct directory *d = &dir->dir;
	const uint32_t hash = hash_name(name, length);
	struct entry *entry = d->nbuckets ? *bucket_of(d, hash) : NULL;

	while (entry && (entry->hash != hash || entry->length != length ||
			 memcmp(entry->name, name, length) != 0))
		entry = entry->hash_next;
	return entry;
}

/* --- Room --- */

static void hash_in(struct directory *d, struct entry *entry)
{
	struct entry **bucket = bucket_of(d, entry->hash);

	entry->hash_next = *bucket;
	*bucket = entry;
}

static void hash_out(struct directory *d, struct entry *entry)
{
	struct entry **link = bucket_of(d, entry->hash);

	while (*link != entry)
		link = &(*link)->hash_next;
	*link = entry->hash_next;
}

/* Adds buckets if there are few for the names. Without memory it continues with those that it
 * has, if any. */
static int reserve_bucket(struct directory *d)
{
	const unsigned n = d->nbuckets ? d->nbuckets * 2 : BUCKETS_FIRST;
	struct entry **bucket;

	if (d->nentries < d->nbuckets)
		return 0;
	bucket = heap_alloc(n * sizeof(struct entry *));
	if (!bucket)
		return d->nbuckets ? 0 : -ENOMEM;
	heap_free(d->bucket);
	d->bucket = bucket;
	d->nbuckets = n;
	for (unsigned i = 0; i < d->nplaces; i++)
		if (d->place[i].entry)
			hash_in(d, d->place[i].entry);
	return 0;
}

/* Moves places with an entry up into the gaps. */
static void close_gaps(struct directory *d)
{
	unsigned n = 0;

	for (unsigned i = 0; i < d->nplaces; i++)
		if (d->place[i].entry)
			d->place[n++] = d->place[i];
	d->nplaces = n;
}

static int reserve_place(struct directory *d)
{
	const unsigned room = d->room ? d->room * 2 : PLACES_FIRST;
	struct directory_place *place;

	if (d->nplaces < d->room)
		return 0;
	if (d->nentries <= d->room / 2 && d->room) {
		close_gaps(d);
		return 0;
	}
	place = heap_alloc(room * sizeof(*place));
	if (!place)
		return -ENOMEM;
	if (d->nplaces)
		memcpy(place, d->place, d->nplaces * sizeof(*place));
	heap_free(d->place);
	d->place = place;
	d->room = room;
	return 0;
}

int directory_reserve(struct inode *dir)
{
	return reserve_place(&dir->dir) || reserve_bucket(&dir->dir) ? -ENOMEM : 0;
}

/* --- Names in and out --- */

static void list_name(struct inode *inode, struct entry *entry)
{
	entry->inode = inode;
	entry->next_name = inode->names;
	inode->names = entry;
}

void directory_add(struct inode *dir, struct entry *entry, struct inode *inode)
{
	struct directory *d = &dir->dir;

	ASSERT(d->nplaces < d->room && (!inode->names || !inode->names->is_dead));
	list_name(inode, entry);
	entry->parent = dir;
	entry->cookie = ++d->last_cookie;
	d->place[d->nplaces++] = (struct directory_place){entry->cookie, entry};
	d->nentries++;
	hash_in(d, entry);
}

void directory_count_link(struct inode *dir, struct inode *inode, int by)
{
	inode->links += (unsigned)by;
	if (inode_is_directory(inode))
		dir->links += (unsigned)by;
}

int directory_enter(struct inode *dir, struct entry *entry, struct inode *inode)
{
	int error = dir->links ? 0 : -ENOENT;

	if (!error && directory_find(dir, entry->name, entry->length))
		error = -EEXIST;
	if (!error)
		error = directory_reserve(dir);
	if (error)
		return error;
	directory_add(dir, entry, inode);
	directory_count_link(dir, inode, 1);
	return 0;
}

/* The first place whose cookie is greater. */
static unsigned place_after(const struct directory *d, uint64_t cookie)
{
	unsigned low = 0, high = d->nplaces;

	while (low < high) {
		const unsigned middle = (low + high) / 2;

		if (d->place[middle].cookie <= cookie)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static void unlist_name(struct entry *entry)
{
	struct entry **link = &entry->inode->names;

	while (*link != entry)
		link = &(*link)->next_name;
	*link = entry->next_name;
}

/* Takes the name from its inode, unless it is the last name, which stays. */
static void detach_name(struct entry *entry)
{
	if (entry->inode->names == entry && !entry->next_name) {
		entry->is_dead = true;
		entry->inode = NULL;
		inode_get(entry->parent);
		return;
	}
	unlist_name(entry);
	heap_free(entry);
}

void entry_exchange(struct entry *a, struct entry *b)
{
	struct inode *of_a = a->inode, *of_b = b->inode;

	unlist_name(a);
	unlist_name(b);
	list_name(of_b, a);
	list_name(of_a, b);
}

void directory_remove(struct inode *dir, struct entry *entry)
{
	struct directory *d = &dir->dir;

	d->place[place_after(d, entry->cookie) - 1].entry = NULL;
	d->nentries--;
	hash_out(d, entry);
	detach_name(entry);
}

struct entry *directory_after(const struct inode *dir, uint64_t cookie)
{
	const struct directory *d = &dir->dir;

	for (unsigned i = place_after(d, cookie); i < d->nplaces; i++)
		if (d->place[i].entry)
			return d->place[i].entry;
	return NULL;
}

struct inode *directory_parent(struct inode *dir)
{
	return dir->names ? dir->names->parent : dir;
}

/* --- As a kind of inode --- */

int directory_lookup(struct inode *dir, const char *name, unsigned length, struct inode **child)
{
	const uint64_t flags = tree_lock();
	const struct entry *entry = directory_find(dir, name, length);

	*child = entry ? inode_get(entry->inode) : NULL;
	tree_unlock(flags);
	return 0;
}

int directory_next(struct inode *dir, uint64_t *cookie, struct listed *listed)
{
	const uint64_t flags = tree_lock();
	const struct entry *entry = directory_after(dir, *cookie);

	if (entry) {
		*cookie = entry->cookie;
		listed->number = entry->inode->number;
		listed->mode = entry->inode->mode;
		listed->length = entry->length;
		memcpy(listed->name, entry->name, entry->length);
	}
	tree_unlock(flags);
	return entry != NULL;
}

void directory_free(struct inode *dir)
{
	ASSERT(!dir->dir.nentries);
	heap_free(dir->dir.bucket);
	heap_free(dir->dir.place);
}

static const struct inode_ops directory_ops = {
	.lookup = directory_lookup,
	.next = directory_next,
	.open = readdir_open,
	.destroy = directory_free,
};

bool directory_is_real(const struct inode *inode)
{
	return inode->ops == &directory_ops;
}

void directory_init(struct inode *dir)
{
	dir->links = 1; /* `.`; its name is the second */
	dir->dir.last_cookie = COOKIE_PARENT;
}

struct inode *directory_new(uint32_t mode, enum inode_device device)
{
	struct inode *dir = inode_new(&directory_ops, MODE_DIRECTORY | mode, device);

	if (dir)
		directory_init(dir);
	return dir;
}
