// SPDX-License-Identifier: BSD-2-Clause
/* shm.c - see shm.h. */
#include "linux/ipc/shm.h"

#include "arch/x86/cpu/user.h"
#include "arch/x86/mem/paging.h"
#include "lib/printf.h"
#include "linux/file/regular.h"
#include "linux/ipc/ipc.h"
#include "rt/base/heap.h"
#include "linux/mem/mm.h"
#include "linux/mem/mm_word.h"

#include <asm/shmbuf.h>
#include <linux/errno.h>
#include <linux/mman.h>

/* <linux/shm.h> wants a C library. */
enum {
	SHM_RDONLY = 010000,
	SHM_RND = 020000,
	SHM_REMAP = 040000,
	SHM_EXEC = 0100000,
	SHM_DEST = 01000, /* of the mode: it goes with the last attachment */
	SHM_LOCKED = 02000,
	SHM_LOCK = 11,
	SHM_UNLOCK = 12,
	SHM_STAT = 13,
	SHM_INFO = 14,
	SHM_STAT_ANY = 15,
};

#define SEGMENT_BYTES_MOST (1ull << 46)

struct segment {
	struct ipc_object ipc;
	struct mapped mapped; /* a reference of the table's until it is removed, and one an area */
	struct file *file;
	size_t bytes;
	uint64_t attached, detached; /* seconds */
	uint32_t creator, last;      /* process ids */
	char path[sizeof("/SYSV00000000")];
};

static struct ipc_table segments;

static struct segment *segment_of(struct mapped *m)
{
	return (struct segment *)((char *)m - offsetof(struct segment, mapped));
}

/* The first access allocates a page of the file, whether it reads or writes. */
static int segment_page(struct mapped *m, uint64_t index, bool write, uint64_t *phys)
{
	void *page;
	int err = file_page(segment_of(m)->file, index, true, &page);

	(void)write;
	if (err)
		return err == -ENOSPC ? -ENOMEM : err;
	*phys = phys_of(page);
	return 0;
}

static void free_segment(struct segment *s)
{
	file_put(s->file);
	heap_free(s);
}

static void release_segment(struct mapped *m)
{
	struct segment *s = segment_of(m);

	lock_take(&segments.lock);
	ipc_take_out(&segments, &s->ipc);
	lock_release(&segments.lock);
	free_segment(s);
}

static const struct mapped_ops segment_ops = {segment_page, release_segment};

/* --- shmget(2) --- */

struct segment_wish {
	int32_t key;
	size_t bytes;
	uint32_t pid;
	struct file *file; /* the segment takes a reference */
};

static struct ipc_object *make_segment(const void *wish, int *err)
{
	const struct segment_wish *w = wish;
	struct segment *s = heap_alloc(sizeof(*s));

	if (!s) {
		*err = -ENOMEM;
		return NULL;
	}
	s->file = file_get(w->file);
	s->bytes = w->bytes;
	s->creator = w->pid;
	fmt_print(s->path, sizeof(s->path), "/SYSV%08x", (unsigned)w->key);
	s->mapped = (struct mapped){
		.ops = &segment_ops,
		.refs = 1,
		.path = s->path,
		.inode = s->file->inode->number,
		.device = s->file->inode->device,
		.content = s->file->inode,
	};
	return &s->ipc;
}

static bool is_large_enough(const struct ipc_object *object, const void *wish)
{
	return ((const struct segment_wish *)wish)->bytes <=
	       ((const struct segment *)object)->bytes;
}

static long get_with_file(struct segment_wish *w, int flags)
{
	long id = memfd_open("sysv", 0, &w->file);

	if (id)
		return id;
	id = regular_truncate(w->file->inode, (int64_t)w->bytes);
	if (!id)
		id = ipc_get(&segments, w->key, flags, w, make_segment, is_large_enough);
	file_put(w->file);
	return id;
}

static struct ipc_object *refuse_size(const void *wish, int *err)
{
	(void)wish;
	*err = -EINVAL;
	return NULL;
}

long shm_get(int32_t key, size_t bytes, int flags, uint32_t pid)
{
	struct segment_wish wish = {.key = key, .bytes = bytes, .pid = pid};

	/* An existing segment may be requested without its size. */
	if (!bytes || bytes > SEGMENT_BYTES_MOST)
		return ipc_get(&segments, key, flags, &wish, refuse_size, is_large_enough);
	return get_with_file(&wish, flags);
}

/* --- shmop(2) --- */

static struct segment *hold_segment(int id)
{
	struct segment *s;

	lock_take(&segments.lock);
	s = (struct segment *)ipc_find(&segments, id);
	if (s && !mapped_get_live(&s->mapped))
		s = NULL;
	lock_release(&segments.lock);
	return s;
}

static void note_attached(struct segment *s, uint32_t pid)
{
	lock_take(&segments.lock);
	s->attached = ipc_seconds();
	s->last = pid;
	lock_release(&segments.lock);
}

static int place_request(struct mm_request *r, uint64_t address, int flags)
{
	r->address = flags & SHM_RND ? address & ~(PAGE_SIZE - 1) : address;
	r->prot = PROT_READ | (flags & SHM_RDONLY ? 0 : PROT_WRITE) |
		  (flags & SHM_EXEC ? PROT_EXEC : 0);
	if (r->address & (PAGE_SIZE - 1))
		return -EINVAL;
	if (!r->address)
		return flags & SHM_REMAP ? -EINVAL : 0;
	r->flags |= flags & SHM_REMAP ? MAP_FIXED : MAP_FIXED_NOREPLACE;
	return 0;
}

long shm_attach(struct mm *mm, int id, uint64_t address, int flags, uint32_t pid)
{
	struct segment *s = hold_segment(id);
	struct mm_request request = {.flags = MAP_SHARED};
	long at;

	if (!s)
		return -EINVAL;
	request.bytes = s->bytes;
	request.from = &s->mapped;
	at = place_request(&request, address, flags);
	if (!at)
		at = mm_map(mm, &request);
	if (at < 0)
		mapped_put(&s->mapped);
	else
		note_attached(s, pid);
	return at == -EEXIST ? -EINVAL : at;
}

/* The segment whose first byte is at `address`, with a reference. */
static struct segment *segment_at(struct mm *mm, uint64_t address)
{
	uint64_t offset;
	struct mapped *m = mm_mapped_at(mm, address, &offset);

	if (m && m->ops == &segment_ops && !offset)
		return segment_of(m);
	mapped_put(m);
	return NULL;
}

long shm_detach(struct mm *mm, uint64_t address, uint32_t pid)
{
	struct segment *s = address & (PAGE_SIZE - 1) ? NULL : segment_at(mm, address);
	long err;

	if (!s)
		return -EINVAL;
	err = mm_unmap(mm, address, s->bytes);
	lock_take(&segments.lock);
	s->detached = ipc_seconds();
	s->last = pid;
	lock_release(&segments.lock);
	mapped_put(&s->mapped);
	return err;
}

/* --- shmctl(2) --- */

static uint64_t attachments(const struct segment *s)
{
	return s->mapped.refs - !(s->ipc.mode & SHM_DEST);
}

static struct shmid64_ds stat_of(const struct segment *s)
{
	return (struct shmid64_ds){
		.shm_perm = ipc_permissions(&s->ipc),
		.shm_segsz = s->bytes,
		.shm_atime = (long)s->attached,
		.shm_dtime = (long)s->detached,
		.shm_ctime = (long)s->ipc.changed,
		.shm_cpid = (int)s->creator,
		.shm_lpid = (int)s->last,
		.shm_nattch = attachments(s),
	};
}

static long stat_segment(int id, bool by_index, uint64_t user)
{
	struct ipc_object *object;
	struct shmid64_ds stat;
	long result, err;

	lock_take(&segments.lock);
	err = ipc_find_for(&segments, id, by_index, &object, &result);
	if (!err)
		stat = stat_of((struct segment *)object);
	lock_release(&segments.lock);
	if (err)
		return err;
	return copy_to_user(user, &stat, sizeof(stat)) ? -EFAULT : result;
}

/* Puts the table's reference: the last area that maps the segment frees it. */
static long remove_segment(int id)
{
	struct segment *s;
	bool removed;

	lock_take(&segments.lock);
	s = (struct segment *)ipc_find(&segments, id);
	removed = s && !(s->ipc.mode & SHM_DEST);
	if (removed) {
		s->ipc.mode |= SHM_DEST;
		s->ipc.key = IPC_PRIVATE;
	}
	lock_release(&segments.lock);
	if (removed)
		mapped_put(&s->mapped);
	return s ? 0 : -EINVAL;
}

static long change_segment(int id, const struct ipc64_perm *perm, uint32_t clear, uint32_t set)
{
	struct segment *s;

	lock_take(&segments.lock);
	s = (struct segment *)ipc_find(&segments, id);
	if (s && perm)
		ipc_set_permissions(&s->ipc, perm);
	if (s)
		s->ipc.mode = (s->ipc.mode & ~clear) | set;
	lock_release(&segments.lock);
	return s ? 0 : -EINVAL;
}

static long set_segment(int id, uint64_t user)
{
	struct shmid64_ds stat;

	if (copy_from_user(&stat, user, sizeof(stat)))
		return -EFAULT;
	return change_segment(id, &stat.shm_perm, 0, 0);
}

static long tell_shm_limits(uint64_t user)
{
	const struct shminfo64 info = {.shmmax = SEGMENT_BYTES_MOST,
				       .shmmin = 1,
				       .shmmni = IPC_OBJECTS,
				       .shmseg = IPC_OBJECTS,
				       .shmall = SEGMENT_BYTES_MOST / PAGE_SIZE};

	return copy_to_user(user, &info, sizeof(info)) ? -EFAULT : ipc_last(&segments);
}

/* struct shm_info of <linux/shm.h>. */
static long tell_shm_use(uint64_t user)
{
	struct {
		int used;
		unsigned long pages, resident, swapped, attempts, successes;
	} info = {0};

	lock_take(&segments.lock);
	info.used = (int)segments.n;
	for (int i = 0; i < IPC_OBJECTS; i++)
		if (segments.object[i])
			info.pages += pages_of(((struct segment *)segments.object[i])->bytes);
	lock_release(&segments.lock);
	return copy_to_user(user, &info, sizeof(info)) ? -EFAULT : ipc_last(&segments);
}

long shm_control(int id, int command, uint64_t user)
{
	switch (command) {
	case IPC_STAT:
		return stat_segment(id, false, user);
	case SHM_STAT:
	case SHM_STAT_ANY:
		return stat_segment(id, true, user);
	case IPC_SET:
		return set_segment(id, user);
	case IPC_RMID:
		return remove_segment(id);
	case IPC_INFO:
		return tell_shm_limits(user);
	case SHM_INFO:
		return tell_shm_use(user);
	case SHM_LOCK:
		return change_segment(id, NULL, 0, SHM_LOCKED);
	case SHM_UNLOCK:
		return change_segment(id, NULL, SHM_LOCKED, 0);
	default:
		return -EINVAL;
	}
}

void shm_forget(void)
{
	for (int i = 0; i < IPC_OBJECTS; i++)
		if (segments.object[i])
			remove_segment(ipc_id(segments.object[i]));
	segments.sequence = 0;
}
