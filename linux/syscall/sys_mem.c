// SPDX-License-Identifier: BSD-2-Clause
/* sys_mem.c - memory: brk(2), mmap(2) and their kin. */
#include "linux/syscall/syscall.h"

#include "arch/x86/cpu/user.h"
#include "linux/syscall/syscall_files.h"
#include "linux/program/wx_memory.h"
#include "linux/task/sched.h"

#include <asm/unistd_64.h>
#include <linux/errno.h>
#include <linux/mman.h>

static struct mm *own_mm(void)
{
	return sched_current()->process->mm;
}

static long sys_brk(struct trap_frame *f)
{
	return (long)mm_brk(own_mm(), f->rdi);
}

/* MAP_ flags that mean something here; the others are advice, or of other systems. */
#define MAP_KNOWN (MAP_TYPE | MAP_FIXED | MAP_FIXED_NOREPLACE | MAP_POPULATE)

/* All flags that MAP_SHARED_VALIDATE takes: it refuses what it does not know. */
#define MAP_VALID                                                                                \
	((uint64_t)(MAP_KNOWN | MAP_ANONYMOUS | MAP_DENYWRITE | MAP_EXECUTABLE | MAP_GROWSDOWN | \
		    MAP_LOCKED | MAP_NORESERVE | MAP_NONBLOCK | MAP_STACK | MAP_HUGETLB))

static unsigned area_flags_of(uint64_t flags)
{
	return (flags & MAP_STACK ? AREA_SMALL : 0) | (flags & MAP_LOCKED ? AREA_LOCKED : 0) |
	       (flags & MAP_GROWSDOWN ? AREA_GROWS | AREA_SMALL : 0);
}

static bool is_map_type(uint64_t flags)
{
	const unsigned type = flags & MAP_TYPE;

	return type == MAP_PRIVATE || type == MAP_SHARED || type == MAP_SHARED_VALIDATE;
}

static void note_refused(long result, unsigned prot)
{
	if (result == -EACCES && mm_refuses(own_mm(), prot))
		wx_note(sched_current()->tid, sched_current()->comm);
}

/* Records show new memory as Linux's do: code always, data where the event asks for it. */
static void announce_map(uint64_t address)
{
	const struct task *t = sched_current();

	process_announce_area(t->process, &t->events, address);
}

/* Recognizes a library by the way loaders map it: glibc's sets an otherwise obsolete flag. */
static bool is_library(const struct trap_frame *f)
{
	return !(f->r10 & MAP_ANONYMOUS) && f->r10 & MAP_PRIVATE &&
	       (f->r10 & MAP_DENYWRITE || f->rdx & PROT_EXEC);
}

static long sys_mmap(struct trap_frame *f)
{
	struct mm_request request = {
		.address = f->rdi,
		.bytes = f->rsi,
		.prot = (unsigned)f->rdx & (PROT_READ | PROT_WRITE | PROT_EXEC),
		.flags = (unsigned)f->r10 & MAP_KNOWN,
		.offset = f->r9,
		.area = area_flags_of(f->r10),
	};
	long address;
	int err;

	if (!is_map_type(f->r10))
		return -EINVAL;
	if ((f->r10 & MAP_TYPE) == MAP_SHARED_VALIDATE && f->r10 & ~MAP_VALID)
		return -EOPNOTSUPP;
	if (f->r10 & MAP_LOCKED || own_mm()->lock_later)
		request.flags |= MAP_POPULATE;
	if ((request.flags & MAP_TYPE) == MAP_SHARED_VALIDATE)
		request.flags = (request.flags & ~(unsigned)MAP_TYPE) | MAP_SHARED;
	if (!(f->r10 & MAP_ANONYMOUS) && (int)f->r8 < 0)
		return -EBADF;
	if (own_mm()->prefault && is_library(f))
		request.flags |= MAP_POPULATE;
	err = files_mapped(f->r10 & MAP_ANONYMOUS ? -1 : (int)f->r8, &request);
	if (err)
		return err;
	address = mm_map(own_mm(), &request);
	note_refused(address, request.prot);
	if (address < 0)
		mapped_put(request.from);
	else
		announce_map((uint64_t)address);
	return address;
}

static long sys_munmap(struct trap_frame *f)
{
	return mm_unmap(own_mm(), f->rdi, f->rsi);
}

static long sys_mprotect(struct trap_frame *f)
{
	const unsigned prot = (unsigned)f->rdx;
	int err;

	if (prot & ~(unsigned)(PROT_READ | PROT_WRITE | PROT_EXEC | PROT_SEM))
		return -EINVAL;
	err = mm_protect(own_mm(), f->rdi, f->rsi, prot & (PROT_READ | PROT_WRITE | PROT_EXEC));
	note_refused(err, prot);
	if (!err && prot & PROT_EXEC)
		announce_map(f->rdi);
	return err;
}

/* No CPU has protection keys, so only -1, no key, is accepted. */
static long sys_pkey_mprotect(struct trap_frame *f)
{
	return (int)f->r10 == -1 ? sys_mprotect(f) : -EINVAL;
}

static long sys_pkey_alloc(struct trap_frame *f)
{
	return f->rdi || f->rsi & ~(uint64_t)PKEY_ACCESS_MASK ? -EINVAL : -ENOSPC;
}

static long sys_pkey_free(struct trap_frame *f)
{
	(void)f;
	return -EINVAL;
}

static long sys_mremap(struct trap_frame *f)
{
	return mm_remap(own_mm(), f->rdi, f->rsi, f->rdx, (unsigned)f->r10, f->r8);
}

/* The last advice wins. */
static long advise_size(uint64_t address, uint64_t bytes, bool large)
{
	const int err = mm_advise(own_mm(), address, bytes, large ? AREA_SMALL : AREA_LARGE, false);

	return err ? err
		   : mm_advise(own_mm(), address, bytes, large ? AREA_LARGE : AREA_SMALL, true);
}

/* Discards what is mapped, and then reports holes. */
static long discard_pages(uint64_t address, uint64_t bytes)
{
	const int err = mm_discard(own_mm(), address, bytes);

	return err ? err : mm_is_mapped(own_mm(), address, bytes);
}

/* Advice for private memory without a file only. */
static bool is_private_memory(uint64_t address, uint64_t bytes)
{
	return !mm_has(own_mm(), address, bytes,
		       &(struct mm_parts){.flags = AREA_SHARED, .of_files = true});
}

static bool is_locked(uint64_t address, uint64_t bytes)
{
	return mm_has(own_mm(), address, bytes, &(struct mm_parts){.flags = AREA_LOCKED});
}

static long populate(uint64_t address, uint64_t bytes, unsigned prot)
{
	const int err = mm_is_mapped(own_mm(), address, bytes);

	if (err)
		return err;
	if (mm_has(own_mm(), address, bytes, &(struct mm_parts){.lacks = prot}))
		return -EINVAL;
	mm_populate(own_mm(), address, bytes);
	return 0;
}

static long advise(uint64_t address, uint64_t bytes, unsigned advice)
{
	switch (advice) {
	case MADV_FREE:
		return is_private_memory(address, bytes) ? discard_pages(address, bytes) : -EINVAL;
	case MADV_DONTNEED:
		return discard_pages(address, bytes);
	case MADV_HUGEPAGE:
	case MADV_NOHUGEPAGE:
		return advise_size(address, bytes, advice == MADV_HUGEPAGE);
	case MADV_DONTFORK:
	case MADV_DOFORK:
		return mm_advise(own_mm(), address, bytes, AREA_UNCOPIED, advice == MADV_DONTFORK);
	case MADV_WIPEONFORK:
		if (!is_private_memory(address, bytes))
			return -EINVAL;
		return mm_advise(own_mm(), address, bytes, AREA_WIPED, true);
	case MADV_KEEPONFORK:
		return mm_advise(own_mm(), address, bytes, AREA_WIPED, false);
	case MADV_POPULATE_READ:
	case MADV_POPULATE_WRITE:
		return populate(address, bytes,
				advice == MADV_POPULATE_READ ? PROT_READ : PROT_WRITE);
	case MADV_COLD:
	case MADV_PAGEOUT:
		return is_locked(address, bytes) ? -EINVAL : mm_is_mapped(own_mm(), address, bytes);
	default:
		return mm_is_mapped(own_mm(), address, bytes);
	}
}

/* Advice with an effect, here or at least on Linux. */
#define BIT(advice) (1ull << (advice))
#define ADVICE_KNOWN                                                                               \
	(BIT(MADV_NORMAL) | BIT(MADV_RANDOM) | BIT(MADV_SEQUENTIAL) | BIT(MADV_WILLNEED) |         \
	 BIT(MADV_DONTNEED) | BIT(MADV_FREE) | BIT(MADV_DONTFORK) | BIT(MADV_DOFORK) |             \
	 BIT(MADV_MERGEABLE) | BIT(MADV_UNMERGEABLE) | BIT(MADV_HUGEPAGE) | BIT(MADV_NOHUGEPAGE) | \
	 BIT(MADV_DONTDUMP) | BIT(MADV_DODUMP) | BIT(MADV_WIPEONFORK) | BIT(MADV_KEEPONFORK) |     \
	 BIT(MADV_COLD) | BIT(MADV_PAGEOUT) | BIT(MADV_POPULATE_READ) | BIT(MADV_POPULATE_WRITE))

static long sys_madvise(struct trap_frame *f)
{
	if (f->rdx >= 64 || !(ADVICE_KNOWN >> f->rdx & 1) || f->rdi & (PAGE_SIZE - 1))
		return -EINVAL;
	return f->rsi ? advise(f->rdi, f->rsi, (unsigned)f->rdx) : 0;
}

static long sys_mincore(struct trap_frame *f)
{
	const uint64_t pages = pages_of(f->rsi);

	if (f->rdi & (PAGE_SIZE - 1))
		return -EINVAL;
	for (uint64_t i = 0; i < pages; i++) {
		const int there = mm_resident(own_mm(), f->rdi + i * PAGE_SIZE);
		const uint8_t byte = there > 0;

		if (there < 0)
			return there;
		if (copy_to_user(f->rdx + i, &byte, sizeof(byte)))
			return -EFAULT;
	}
	return 0;
}

/* A file and its mappings share pages, so there is nothing to write back. */
static long sys_msync(struct trap_frame *f)
{
	const uint64_t flags = f->rdx;

	if (flags & ~(uint64_t)(MS_ASYNC | MS_INVALIDATE | MS_SYNC) ||
	    (flags & MS_ASYNC && flags & MS_SYNC))
		return -EINVAL;
	if (flags & MS_INVALIDATE && f->rsi && is_locked(f->rdi, f->rsi))
		return -EBUSY;
	return f->rsi ? mm_is_mapped(own_mm(), f->rdi, f->rsi) : 0;
}

/* Memory is never swapped out: locking makes it present, and it is reported as locked. */
static long lock_memory(uint64_t address, uint64_t bytes, bool now)
{
	const int err = mm_mlock(own_mm(), address, bytes, true);

	if (!err && now && bytes)
		mm_populate(own_mm(), address, (address & (PAGE_SIZE - 1)) + bytes);
	return err;
}

static long sys_mlock(struct trap_frame *f)
{
	return lock_memory(f->rdi, f->rsi, true);
}

#define ON_FAULT 1u /* MLOCK_ONFAULT of mlock2(2) */

static long sys_mlock2(struct trap_frame *f)
{
	return f->rdx & ~(uint64_t)ON_FAULT ? -EINVAL
					    : lock_memory(f->rdi, f->rsi, !(f->rdx & ON_FAULT));
}

static long sys_munlock(struct trap_frame *f)
{
	return mm_mlock(own_mm(), f->rdi, f->rsi, false);
}

/* Present pages stay present, others come with their first access. */
static long sys_mlockall(struct trap_frame *f)
{
	if (!f->rdi || f->rdi == MCL_ONFAULT ||
	    f->rdi & ~(uint64_t)(MCL_CURRENT | MCL_FUTURE | MCL_ONFAULT))
		return -EINVAL;
	own_mm()->lock_later = f->rdi & MCL_FUTURE;
	if (f->rdi & MCL_CURRENT)
		mm_mlock_all(own_mm(), true);
	return 0;
}

static long sys_munlockall(struct trap_frame *f)
{
	(void)f;
	own_mm()->lock_later = false;
	mm_mlock_all(own_mm(), false);
	return 0;
}

const struct syscall_row syscall_mem_rows[] = {
	{__NR_brk, sys_brk},
	{__NR_mmap, sys_mmap},
	{__NR_munmap, sys_munmap},
	{__NR_mprotect, sys_mprotect},
	{__NR_pkey_mprotect, sys_pkey_mprotect},
	{__NR_pkey_alloc, sys_pkey_alloc},
	{__NR_pkey_free, sys_pkey_free},
	{__NR_mremap, sys_mremap},
	{__NR_madvise, sys_madvise},
	{__NR_mincore, sys_mincore},
	{__NR_mlock, sys_mlock},
	{__NR_mlock2, sys_mlock2},
	{__NR_munlock, sys_munlock},
	{__NR_mlockall, sys_mlockall},
	{__NR_munlockall, sys_munlockall},
	{__NR_msync, sys_msync},
	{0, NULL},
};
