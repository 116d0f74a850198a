// SPDX-License-Identifier: BSD-2-Clause
/* fd_table.c - see fd_table.h. References to files are dropped without the lock: the last one
 * closes the file. */
#include "linux/file/fd_table.h"

#include "lib/string.h"
#include "linux/portable/locked.h"
#include "linux/file/record_lock.h"
#include "rt/base/heap.h"

#define ROOM_FIRST 64u

static bool bit_of(const uint64_t *bits, unsigned fd)
{
	return bits[fd / 64] >> fd % 64 & 1;
}

static void set_bit(uint64_t *bits, unsigned fd, bool on)
{
	bits[fd / 64] = (bits[fd / 64] & ~(1ull << fd % 64)) | (uint64_t)on << fd % 64;
}

static bool is_open(const struct fd_table *table, int fd)
{
	return fd >= 0 && (unsigned)fd < table->room && bit_of(table->used, (unsigned)fd);
}

/* --- Tables --- */

static struct fd_table *new_table(unsigned room)
{
	struct fd_table *table = heap_alloc(sizeof(*table));

	if (!table)
		return NULL;
	table->file = heap_alloc(room * sizeof(struct file *));
	if (!table->file) {
		heap_free(table);
		return NULL;
	}
	table->refs = 1;
	table->room = room;
	table->limit = FD_LIMIT;
	return table;
}

struct fd_table *fd_table_new(void)
{
	return new_table(ROOM_FIRST);
}

static void free_table(struct fd_table *table)
{
	heap_free(table->file);
	heap_free(table);
}

/* False: `from` has outgrown the reserved room. */
static bool copy_files(struct fd_table *to, struct fd_table *from)
{
	const uint64_t flags = locked(&from->lock);
	const bool fits = from->room <= to->room;

	for (unsigned fd = 0; fits && fd < from->room; fd++)
		if (bit_of(from->used, fd))
			to->file[fd] = file_get(from->file[fd]);
	if (fits) {
		memcpy(to->used, from->used, sizeof(to->used));
		memcpy(to->closes, from->closes, sizeof(to->closes));
		to->limit = from->limit;
	}
	unlocked(&from->lock, flags);
	return fits;
}

struct fd_table *fd_table_copy(struct fd_table *table)
{
	struct fd_table *copy = new_table(__atomic_load_n(&table->room, __ATOMIC_RELAXED));

	while (copy && !copy_files(copy, table)) {
		free_table(copy);
		copy = new_table(__atomic_load_n(&table->room, __ATOMIC_RELAXED));
	}
	return copy;
}

struct fd_table *fd_table_get(struct fd_table *table)
{
	__atomic_fetch_add(&table->refs, 1, __ATOMIC_RELAXED);
	return table;
}

void fd_table_put(struct fd_table *table)
{
	if (!table || __atomic_sub_fetch(&table->refs, 1, __ATOMIC_ACQ_REL))
		return;
	fd_close_range(table, 0, UINT32_MAX, false);
	free_table(table);
}

/* --- File descriptors --- */

struct file *fd_get(struct fd_table *table, int fd)
{
	const uint64_t flags = locked(&table->lock);
	struct file *f = is_open(table, fd) ? file_get(table->file[fd]) : NULL;

	unlocked(&table->lock, flags);
	return f;
}

bool fd_is_open(struct fd_table *table, int fd)
{
	const uint64_t flags = locked(&table->lock);
	const bool open = is_open(table, fd);

	unlocked(&table->lock, flags);
	return open;
}

static unsigned first_free(const struct fd_table *table, unsigned from)
{
	for (unsigned word = from / 64; word < FD_MOST / 64; word++) {
		const uint64_t before = word == from / 64 ? (1ull << from % 64) - 1 : 0;
		const uint64_t free = ~(table->used[word] | before);

		if (free)
			return word * 64 + (unsigned)__builtin_ctzll(free);
	}
	return FD_MOST;
}

/* Room for `fd`, which is below FD_MOST. */
static int grow_fd_table(struct fd_table *table, unsigned fd)
{
	unsigned room = table->room;
	struct file **file;

	while (room <= fd)
		room *= 2;
	if (room == table->room)
		return 0;
	file = heap_alloc(room * sizeof(struct file *));
	if (!file)
		return -ENOMEM;
	memcpy(file, table->file, table->room * sizeof(struct file *));
	heap_free(table->file);
	table->file = file;
	__atomic_store_n(&table->room, room, __ATOMIC_RELAXED);
	return 0;
}

static void put_in(struct fd_table *table, unsigned fd, struct file *f, bool closes)
{
	table->file[fd] = f;
	set_bit(table->used, fd, true);
	set_bit(table->closes, fd, closes);
}

static int install_locked(struct fd_table *table, struct file *f, int from, bool closes)
{
	unsigned fd;

	if (from < 0 || (unsigned)from >= table->limit)
		return -EINVAL;
	fd = first_free(table, (unsigned)from);
	if (fd >= table->limit)
		return -EMFILE;
	if (grow_fd_table(table, fd))
		return -ENOMEM;
	put_in(table, fd, f, closes);
	return (int)fd;
}

int fd_install(struct fd_table *table, struct file *f, int from, bool closes)
{
	const uint64_t flags = locked(&table->lock);
	const int fd = install_locked(table, f, from, closes);

	unlocked(&table->lock, flags);
	return fd;
}

/* Removes the file and returns it with the table's reference; NULL: it is not open. */
static struct file *take_out(struct fd_table *table, int fd)
{
	struct file *f;

	if (!is_open(table, fd))
		return NULL;
	f = table->file[fd];
	table->file[fd] = NULL;
	set_bit(table->used, (unsigned)fd, false);
	return f;
}

/* Closing a file drops the process's locks on it, even if other descriptors have it open. */
static void drop_with_locks(struct fd_table *table, struct file *f)
{
	record_locks_drop(f->inode, table);
	file_put(f);
}

int fd_close(struct fd_table *table, int fd)
{
	const uint64_t flags = locked(&table->lock);
	struct file *f = take_out(table, fd);

	unlocked(&table->lock, flags);
	if (!f)
		return -EBADF;
	drop_with_locks(table, f);
	return 0;
}

int fd_dup(struct fd_table *table, int fd, int from, bool closes)
{
	struct file *f = fd_get(table, fd);
	int new;

	if (!f)
		return -EBADF;
	new = fd_install(table, f, from, closes);
	if (new < 0)
		file_put(f);
	return new;
}

/* `*old`: the former file of `to`, with a reference. */
static int dup_locked(struct fd_table *table, int fd, int to, bool closes, struct file **old)
{
	if (!is_open(table, fd) || to < 0 || (unsigned)to >= table->limit)
		return -EBADF;
	if (fd == to)
		return to;
	if (grow_fd_table(table, (unsigned)to))
		return -ENOMEM;
	*old = take_out(table, to);
	put_in(table, (unsigned)to, file_get(table->file[fd]), closes);
	return to;
}

int fd_dup_to(struct fd_table *table, int fd, int to, bool closes, bool same)
{
	struct file *old = NULL;
	uint64_t flags;
	int got;

	if (fd == to && !same)
		return -EINVAL;
	flags = locked(&table->lock);
	got = dup_locked(table, fd, to, closes, &old);
	unlocked(&table->lock, flags);
	if (old)
		drop_with_locks(table, old);
	return got;
}

/* Takes out or marks the first open descriptor in a range; -1: none is left. */
static int take_next(struct fd_table *table, unsigned first, unsigned last, bool only_mark,
		     struct file **f)
{
	const uint64_t flags = locked(&table->lock);
	int found = -1;

	for (unsigned fd = first; found < 0 && fd < table->room && fd <= last; fd++) {
		if (!bit_of(table->used, fd))
			continue;
		found = (int)fd;
		if (only_mark)
			set_bit(table->closes, fd, true);
		else
			*f = take_out(table, found);
	}
	unlocked(&table->lock, flags);
	return found;
}

int fd_close_range(struct fd_table *table, unsigned first, unsigned last, bool only_mark)
{
	int fd;

	if (first > last)
		return -EINVAL;
	do {
		struct file *f = NULL;

		fd = take_next(table, first, last, only_mark, &f);
		if (f)
			drop_with_locks(table, f);
		first = (unsigned)fd + 1;
	} while (fd >= 0);
	return 0;
}

void fd_table_exec(struct fd_table *table)
{
	for (int fd = fd_next(table, 0); fd >= 0; fd = fd_next(table, fd + 1))
		if (fd_closes(table, fd) == 1)
			fd_close(table, fd);
}

int fd_closes(struct fd_table *table, int fd)
{
	const uint64_t flags = locked(&table->lock);
	const int closes = is_open(table, fd) ? bit_of(table->closes, (unsigned)fd) : -EBADF;

	unlocked(&table->lock, flags);
	return closes;
}

int fd_set_closes(struct fd_table *table, int fd, bool closes)
{
	const uint64_t flags = locked(&table->lock);
	const bool open = is_open(table, fd);

	if (open)
		set_bit(table->closes, (unsigned)fd, closes);
	unlocked(&table->lock, flags);
	return open ? 0 : -EBADF;
}

int fd_next(struct fd_table *table, int fd)
{
	const uint64_t flags = locked(&table->lock);
	const int room = (int)table->room;

	while (fd < room && !bit_of(table->used, (unsigned)fd))
		fd++;
	unlocked(&table->lock, flags);
	return fd < room ? fd : -1;
}
