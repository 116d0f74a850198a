// SPDX-License-Identifier: BSD-2-Clause
/*
 * regular.c - see regular.h. Bytes are copied page by page: a page is taken with a reference under
 * the lock of the tree, and copied without the lock.
 *
 * A read or a write fixes its range of the file when it starts, and moves the offset behind the
 * range at once. So two tasks that share an offset, or append to one file, never get the same
 * bytes. A copy that faults gives back the part that it has not reached.
 */
#include "linux/file/regular.h"

#include "lib/math.h"
#include "lib/string.h"
#include "linux/file/file_host.h"
#include "linux/file/text.h"
#include "rt/base/heap.h"

#include <linux/falloc.h>
#include <linux/fs.h>
#include <linux/memfd.h>

static const uint8_t zeros[PAGE_BYTES];

static uint64_t in_page(uint64_t at, uint64_t left)
{
	return least_of(left, PAGE_BYTES - at % PAGE_BYTES);
}

/* --- Reading --- */

/* Page `index`, with a reference; NULL: a hole. */
static void *take_page(struct inode *inode, uint64_t index)
{
	const uint64_t flags = tree_lock();
	void *page = content_page(&inode->content, index);

	if (page)
		page_ref_get(page);
	tree_unlock(flags);
	return page;
}

static int copy_page_out(struct inode *inode, struct io *io, uint64_t at, uint64_t n)
{
	uint8_t *page = take_page(inode, at / PAGE_BYTES);
	const int error = io_to_user(io, page ? page + at % PAGE_BYTES : zeros, n);

	if (page)
		page_ref_put(page);
	return error;
}

/* Returns how many of `want` bytes the file has from `start` on. Without `at`, it moves the file's
 * offset behind them. */
static uint64_t begin_read(struct file *f, uint64_t want, const uint64_t *at, uint64_t *start)
{
	const uint64_t flags = tree_lock();
	const uint64_t size = f->inode->size;
	uint64_t n;

	*start = at ? *at : f->offset;
	n = *start < size ? least_of(want, size - *start) : 0;
	if (!at)
		f->offset = *start + n;
	tree_unlock(flags);
	return n;
}

/* Moves the offset back when only `done` of the `n` bytes from `start` were read. */
static void give_offset_back(struct file *f, const uint64_t *at, uint64_t start, uint64_t n,
			     uint64_t done)
{
	const uint64_t flags = tree_lock();

	if (!at && f->offset == start + n)
		f->offset = start + done;
	tree_unlock(flags);
}

static long regular_read(struct file *f, struct io *io, const uint64_t *at)
{
	uint64_t start, done = 0;
	const uint64_t n = begin_read(f, io->left, at, &start);

	while (done < n) {
		const uint64_t part = in_page(start + done, n - done), left = io->left;
		const int error = copy_page_out(f->inode, io, start + done, part);

		done += left - io->left;
		if (error)
			break;
	}
	if (done < n)
		give_offset_back(f, at, start, n, done);
	if (n && !done)
		return -EFAULT;
	if (!(f->flags & O_NOATIME))
		inode_touch(f->inode, TIME_ACCESS);
	return (long)done;
}

/* --- Writing --- */

struct extent {
	uint64_t start, n;
	bool appends; /* the file was extended for it beforehand */
};

static int check_seals(const struct inode *inode, uint64_t end)
{
	if (inode->seals & (F_SEAL_WRITE | F_SEAL_FUTURE_WRITE))
		return -EPERM;
	return inode->seals & F_SEAL_GROW && end > inode->size ? -EPERM : 0;
}

static int settle_write(struct file *f, const uint64_t *at, struct extent *e)
{
	struct inode *inode = f->inode;

	e->appends = f->flags & O_APPEND;
	e->start = e->appends ? inode->size : at ? *at : f->offset;
	if (e->n && e->start >= CONTENT_BYTES_MOST)
		return -EFBIG;
	e->n = least_of(e->n, CONTENT_BYTES_MOST - e->start);
	if (check_seals(inode, e->start + e->n))
		return -EPERM;
	if (e->appends)
		inode->size += e->n;
	if (!at)
		f->offset = e->start + e->n;
	return 0;
}

static int begin_write(struct file *f, const uint64_t *at, struct extent *e)
{
	const uint64_t flags = tree_lock();
	const int error = settle_write(f, at, e);

	tree_unlock(flags);
	return error;
}

/* Shrinks the extent when only `done` of its bytes were written. */
static void give_extent_back(struct file *f, const uint64_t *at, const struct extent *e,
			     uint64_t done)
{
	const uint64_t flags = tree_lock();

	if (!at && f->offset == e->start + e->n)
		f->offset = e->start + done;
	if (e->appends && f->inode->size == e->start + e->n)
		f->inode->size = e->start + done;
	tree_unlock(flags);
}

/* Drops `page`, which the file no longer has, with the caller's reference. Its mappings are
 * removed, so that they get the present page. NULL: nothing. */
static void forget_page(struct inode *inode, uint64_t index, void *page)
{
	if (!page)
		return;
	if (__atomic_load_n(&inode->maps, __ATOMIC_RELAXED))
		file_host.unmap(inode, index, index + 1, page);
	page_ref_put(page);
}

/* Page `index`, to be written to, with a reference. */
static void *take_own_page(struct inode *inode, uint64_t index)
{
	void *replaced = NULL;
	const uint64_t flags = tree_lock();
	void *page = content_own(&inode->content, index, &replaced);

	if (page)
		page_ref_get(page);
	tree_unlock(flags);
	forget_page(inode, index, replaced);
	return page;
}

static void extend_to(struct inode *inode, uint64_t end)
{
	const uint64_t flags = tree_lock();

	if (inode->size < end)
		inode->size = end;
	tree_unlock(flags);
}

static int copy_page_in(struct inode *inode, struct io *io, uint64_t at, uint64_t n)
{
	uint8_t *page = take_own_page(inode, at / PAGE_BYTES);
	const uint64_t left = io->left;
	int error;

	if (!page)
		return -ENOSPC;
	error = io_from_user(io, page + at % PAGE_BYTES, n);
	if (io->left < left)
		extend_to(inode, at + (left - io->left));
	page_ref_put(page);
	return error;
}

static long regular_write(struct file *f, struct io *io, const uint64_t *at)
{
	struct extent e = {.n = io->left};
	uint64_t done = 0;
	int error = begin_write(f, at, &e);

	while (!error && done < e.n) {
		const uint64_t part = in_page(e.start + done, e.n - done), left = io->left;

		error = copy_page_in(f->inode, io, e.start + done, part);
		done += left - io->left;
	}
	if (done < e.n)
		give_extent_back(f, at, &e, done);
	if (done)
		inode_touch(f->inode, TIME_MODIFY);
	return done ? (long)done : error;
}

/* --- Positions --- */

#define SEARCH_BATCH 512 /* pages looked at with the lock held */

/* The end of the present pages from `index` on, or of some of them. */
static uint64_t some_pages_on(const struct content *content, uint64_t index)
{
	const uint64_t most = index + SEARCH_BATCH;

	while (index < most && content_page(content, index))
		index++;
	return index;
}

static uint64_t next_hole(struct inode *inode, uint64_t offset)
{
	uint64_t index = offset / PAGE_BYTES, from;

	do {
		const uint64_t flags = tree_lock();

		from = index;
		index = some_pages_on(&inode->content, from);
		tree_unlock(flags);
	} while (index == from + SEARCH_BATCH);
	return index == offset / PAGE_BYTES ? offset : index * PAGE_BYTES;
}

static uint64_t next_data(struct inode *inode, uint64_t offset)
{
	const uint64_t flags = tree_lock();
	const uint64_t index = content_next(&inode->content, offset / PAGE_BYTES);

	tree_unlock(flags);
	if (index == CONTENT_PAGES_MOST)
		return UINT64_MAX;
	return index == offset / PAGE_BYTES ? offset : index * PAGE_BYTES;
}

/* SEEK_DATA and SEEK_HOLE. The end of the file counts as a hole. */
static int64_t seek_by_content(struct inode *inode, int64_t offset, bool data)
{
	const uint64_t size = __atomic_load_n(&inode->size, __ATOMIC_RELAXED);
	uint64_t at;

	if (offset < 0 || (uint64_t)offset >= size)
		return -ENXIO;
	at = data ? next_data(inode, (uint64_t)offset) : next_hole(inode, (uint64_t)offset);
	if (at >= size)
		return data ? -ENXIO : (int64_t)size;
	return (int64_t)at;
}

static int64_t seek_locked(struct file *f, int64_t offset, int whence)
{
	const int64_t base = file_seek_base(f, whence);
	int64_t to;

	if (base < 0)
		return base;
	if (__builtin_add_overflow(base, offset, &to))
		return -EOVERFLOW;
	if (to < 0)
		return -EINVAL;
	f->offset = (uint64_t)to;
	return to;
}

static int64_t regular_seek(struct file *f, int64_t offset, int whence)
{
	uint64_t flags;
	int64_t to;

	if (whence == SEEK_DATA || whence == SEEK_HOLE) {
		offset = seek_by_content(f->inode, offset, whence == SEEK_DATA);
		whence = SEEK_SET;
		if (offset < 0)
			return offset;
	}
	flags = tree_lock();
	to = seek_locked(f, offset, whence);
	tree_unlock(flags);
	return to;
}

/* --- Sizes --- */

struct resize {
	uint64_t size;
	bool more, shrinks; /* there is more to do; the file was longer */
	void *replaced;     /* the borrowed last page that a copy has replaced */
};

/* Cuts one step towards `size`. A long file is cut in many steps from its end, to hold the lock
 * for a short time; between steps its size is that of the rest. True: there is more to do. */
static bool cut_some(struct inode *inode, uint64_t size)
{
	const uint64_t keep = (size + PAGE_BYTES - 1) / PAGE_BYTES;
	const bool more = content_cut(&inode->content, keep);

	inode->size = more ? least_of(inode->size, (content_last(&inode->content) + 1) * PAGE_BYTES)
			   : size;
	return more;
}

static int check_resize(const struct inode *inode, uint64_t size)
{
	if (inode->seals & F_SEAL_SHRINK && size < inode->size)
		return -EPERM;
	return inode->seals & F_SEAL_GROW && size > inode->size ? -EPERM : 0;
}

/* Clears the last page behind the end, so that it reads as zeros once the file is longer again. */
static int clear_tail(struct inode *inode, uint64_t size, void **replaced)
{
	uint8_t *page;

	if (size >= inode->size || size % PAGE_BYTES == 0 ||
	    !content_page(&inode->content, size / PAGE_BYTES))
		return 0;
	page = content_own(&inode->content, size / PAGE_BYTES, replaced);
	if (!page)
		return -ENOSPC;
	memset(page + size % PAGE_BYTES, 0, PAGE_BYTES - size % PAGE_BYTES);
	return 0;
}

static int resize_some(struct inode *inode, struct resize *r)
{
	const uint64_t flags = tree_lock();
	int error = check_resize(inode, r->size);

	r->more = false;
	if (!error)
		error = clear_tail(inode, r->size, &r->replaced);
	if (!error) {
		r->shrinks |= r->size < inode->size;
		r->more = cut_some(inode, r->size);
	}
	tree_unlock(flags);
	return error;
}

/* Unmaps the pages behind the end from every memory. */
static void unmap_cut(struct inode *inode, const struct resize *r)
{
	const uint64_t keep = (r->size + PAGE_BYTES - 1) / PAGE_BYTES;

	forget_page(inode, r->size / PAGE_BYTES, r->replaced);
	if (r->shrinks && __atomic_load_n(&inode->maps, __ATOMIC_RELAXED))
		file_host.unmap(inode, keep, CONTENT_PAGES_MOST, NULL);
}

int regular_truncate(struct inode *inode, int64_t size)
{
	struct resize r = {.size = (uint64_t)size, .more = true};
	int error = 0;

	if (inode_is_directory(inode))
		return -EISDIR;
	if (!inode_has_content(inode) || size < 0)
		return -EINVAL;
	while (!error && r.more)
		error = resize_some(inode, &r);
	unmap_cut(inode, &r);
	if (!error)
		inode_touch(inode, TIME_MODIFY);
	return error;
}

static int allocate_pages(struct inode *inode, uint64_t start, uint64_t end)
{
	for (uint64_t at = start & ~(uint64_t)(PAGE_BYTES - 1); at < end; at += PAGE_BYTES) {
		void *page = take_own_page(inode, at / PAGE_BYTES);

		if (!page)
			return -ENOSPC; /* pages made so far stay: they read as zeros, like holes */
		page_ref_put(page);
	}
	return 0;
}

/* Clears a part of a page, or drops the page if the part is all of it. */
static int punch_page(struct inode *inode, uint64_t at, uint64_t n)
{
	const uint64_t flags = tree_lock(), index = at / PAGE_BYTES;
	uint8_t *page = content_page(&inode->content, index);
	void *gone = NULL;

	if (n == PAGE_BYTES && page) {
		page_ref_get(page);
		gone = page;
		content_drop(&inode->content, index);
	} else if (page) {
		page = content_own(&inode->content, index, &gone);
		if (page)
			memset(page + at % PAGE_BYTES, 0, n);
		else
			n = 0;
	}
	tree_unlock(flags);
	forget_page(inode, index, gone);
	return n ? 0 : -ENOSPC;
}

static int punch_hole(struct inode *inode, uint64_t start, uint64_t end)
{
	int error = 0;

	start = next_data(inode, start);
	while (!error && start < end) {
		const uint64_t n = in_page(start, end - start);

		error = punch_page(inode, start, n);
		start = next_data(inode, start + n);
	}
	return error;
}

static int check_allocate(const struct file *f, unsigned mode, int64_t offset, int64_t bytes)
{
	unsigned seals;

	if (!file_can_write(f))
		return -EBADF;
	if (f->ops->is_stream)
		return -ESPIPE;
	if (!inode_has_content(f->inode))
		return -ENODEV;
	if (offset < 0 || bytes <= 0)
		return -EINVAL;
	if (bytes > INT64_MAX - offset)
		return -EFBIG;
	if (mode & ~(unsigned)(FALLOC_FL_KEEP_SIZE | FALLOC_FL_PUNCH_HOLE) ||
	    mode == FALLOC_FL_PUNCH_HOLE)
		return -EOPNOTSUPP;
	seals = f->inode->seals;
	if (mode & FALLOC_FL_PUNCH_HOLE && seals & (F_SEAL_WRITE | F_SEAL_FUTURE_WRITE))
		return -EPERM;
	return seals & F_SEAL_GROW && (uint64_t)(offset + bytes) > f->inode->size ? -EPERM : 0;
}

int regular_allocate(struct file *f, unsigned mode, int64_t offset, int64_t bytes)
{
	const uint64_t start = (uint64_t)offset, end = start + (uint64_t)bytes;
	int error = check_allocate(f, mode, offset, bytes);

	if (error)
		return error;
	error = mode & FALLOC_FL_PUNCH_HOLE ? punch_hole(f->inode, start, end)
					    : allocate_pages(f->inode, start, end);
	if (!error && !(mode & FALLOC_FL_KEEP_SIZE))
		extend_to(f->inode, end);
	if (!error)
		inode_touch(f->inode, TIME_MODIFY);
	return error;
}

/* --- Mappings --- */

static int find_page(struct inode *inode, uint64_t index, bool own, void **page, void **replaced)
{
	if (index >= (inode->size + PAGE_BYTES - 1) / PAGE_BYTES)
		return -EFAULT;
	*page = own ? NULL : content_page(&inode->content, index);
	if (!*page)
		*page = content_own(&inode->content, index, replaced);
	if (!*page)
		return -ENOSPC;
	page_ref_get(*page);
	return 0;
}

/* A private mapping keeps a borrowed page when a shared mapping replaces it by the file's own:
 * the held lock of a process forbids calls to others. */
int regular_page(struct inode *inode, uint64_t index, bool own, void **page)
{
	void *replaced = NULL;
	const uint64_t flags = tree_lock();
	const int error = find_page(inode, index, own, page, &replaced);

	tree_unlock(flags);
	if (replaced)
		page_ref_put(replaced);
	return error;
}

int regular_map(struct inode *inode, bool writable)
{
	const uint64_t flags = tree_lock();
	const bool sealed = writable && inode->seals & (F_SEAL_WRITE | F_SEAL_FUTURE_WRITE);

	inode->maps += !sealed;
	inode->writable_maps += writable && !sealed;
	tree_unlock(flags);
	return sealed ? -EPERM : 0;
}

void regular_unmap(struct inode *inode, bool writable)
{
	const uint64_t flags = tree_lock();

	inode->maps--;
	inode->writable_maps -= writable;
	tree_unlock(flags);
}

/* --- Seals --- */

#define SEALS (F_SEAL_SEAL | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE | F_SEAL_FUTURE_WRITE)

int regular_seals(struct inode *inode)
{
	return inode_has_content(inode) ? (int)inode->seals : -EINVAL;
}

static int add_seals(struct inode *inode, unsigned seals)
{
	if (inode->seals & F_SEAL_SEAL)
		return -EPERM;
	if (seals & F_SEAL_WRITE && inode->writable_maps)
		return -EBUSY;
	inode->seals |= seals;
	return 0;
}

int regular_add_seals(struct file *f, unsigned seals)
{
	uint64_t flags;
	int error;

	if (!inode_has_content(f->inode) || seals & ~(unsigned)SEALS)
		return -EINVAL;
	if (!file_can_write(f))
		return -EPERM;
	flags = tree_lock();
	error = add_seals(f->inode, seals);
	tree_unlock(flags);
	return error;
}

/* --- As a kind of inode --- */

static int regular_file_page(struct file *f, uint64_t index, bool own, void **page)
{
	return regular_page(f->inode, index, own, page);
}

static const struct file_ops regular_file_ops = {
	.read = regular_read,
	.write = regular_write,
	.seek = regular_seek,
	.page = regular_file_page,
};

static int regular_open(struct file *f)
{
	f->ops = &regular_file_ops;
	return 0;
}

static void regular_destroy(struct inode *inode)
{
	while (content_cut(&inode->content, 0))
		;
}

static const struct inode_ops regular_ops = {.open = regular_open, .destroy = regular_destroy};

struct inode *regular_new(uint32_t mode, enum inode_device device)
{
	struct inode *inode = inode_new(&regular_ops, MODE_REGULAR | mode, device);

	if (inode)
		inode->seals = F_SEAL_SEAL;
	return inode;
}

#define MEMFD_PREFIX "memfd:"

/* The file has a name, but in no directory. */
static int name_memfd(struct inode *inode, const char *name)
{
	char whole[NAME_BYTES_MOST];
	const size_t prefix = sizeof(MEMFD_PREFIX) - 1, n = strnlen(name, NAME_BYTES_MOST);

	if (n > NAME_BYTES_MOST - prefix)
		return -EINVAL;
	memcpy(whole, MEMFD_PREFIX, prefix);
	memcpy(whole + prefix, name, n);
	inode->names = entry_new(whole, (unsigned)(prefix + n));
	if (!inode->names)
		return -ENOMEM;
	inode->names->is_dead = true;
	return 0;
}

int memfd_open(const char *name, unsigned flags, struct file **out)
{
	struct inode *inode;
	int error;

	if (flags & ~(MFD_CLOEXEC | MFD_ALLOW_SEALING))
		return -EINVAL;
	inode = regular_new(0777, DEVICE_ANONYMOUS);
	if (!inode)
		return -ENOMEM;
	if (flags & MFD_ALLOW_SEALING)
		inode->seals = 0;
	error = name_memfd(inode, name);
	if (!error)
		error = file_open_inode(inode, O_RDWR | O_LARGEFILE, out);
	inode_put(inode);
	return error;
}
