// SPDX-License-Identifier: BSD-2-Clause
/* sys_path.c - names and attributes of files. */
#include "linux/syscall/syscall_files.h"
#include "linux/syscall/missing_files.h"
#include "linux/syscall/syscall.h"

#include "arch/x86/cpu/user.h"
#include "lib/string.h"
#include "linux/file/file_host.h"
#include "linux/file/regular.h"
#include "linux/file/text.h"
#include "linux/tree/tree.h"
#include "rt/clock/times.h"
#include "linux/task/sched.h"

#include <asm/stat.h>
#include <asm/statfs.h>
#include <asm/unistd_64.h>
#include <linux/stat.h>

/* --- Which file a call means --- */

/* With a reference. AT_EMPTY_PATH: of an empty path the descriptor's own file. */
static int find_inode(int dirfd, uint64_t text, unsigned flags, struct inode **inode)
{
	struct files_path p;
	int err;

	if (!text && flags & AT_EMPTY_PATH)
		err = -EFAULT;
	else
		err = files_path(&p, dirfd, text);
	if (err)
		return err;
	if (!p.text[0] && flags & AT_EMPTY_PATH) {
		*inode = inode_get(p.start ? p.start : files_view()->cwd);
		err = 0;
	} else {
		err = walk_inode(files_view(), p.start, p.text, !(flags & AT_SYMLINK_NOFOLLOW),
				 inode);
	}
	if (err == -ENOENT)
		sought_note(p.start, p.text);
	files_path_end(&p);
	return err;
}

static int inode_of_fd(uint64_t fd, struct inode **inode)
{
	struct file *f = files_get(fd);

	if (!f)
		return -EBADF;
	*inode = inode_get(f->inode);
	file_put(f);
	return 0;
}

typedef long inode_fn(struct inode *inode, struct trap_frame *f);

static long with_inode(int err, struct inode *inode, inode_fn *fn, struct trap_frame *f)
{
	long result = err;

	if (err)
		return err;
	result = fn(inode, f);
	inode_put(inode);
	return result;
}

static long with_path(int dirfd, uint64_t path, unsigned flags, inode_fn *fn, struct trap_frame *f)
{
	struct inode *inode = NULL;
	const int err = find_inode(dirfd, path, flags, &inode);

	return with_inode(err, inode, fn, f);
}

static long with_fd(uint64_t fd, inode_fn *fn, struct trap_frame *f)
{
	struct inode *inode = NULL;
	const int err = inode_of_fd(fd, &inode);

	return with_inode(err, inode, fn, f);
}

/* --- stat(2) --- */

static long put_stat(struct inode *inode, uint64_t to)
{
	struct stat st;

	inode_stat(inode, &st);
	return copy_to_user(to, &st, sizeof(st));
}

static long stat_to_second(struct inode *inode, struct trap_frame *f)
{
	return put_stat(inode, f->rsi);
}

static long stat_to_third(struct inode *inode, struct trap_frame *f)
{
	return put_stat(inode, f->rdx);
}

static long sys_stat(struct trap_frame *f)
{
	return with_path(AT_FDCWD, f->rdi, 0, stat_to_second, f);
}

static long sys_lstat(struct trap_frame *f)
{
	return with_path(AT_FDCWD, f->rdi, AT_SYMLINK_NOFOLLOW, stat_to_second, f);
}

static long sys_fstat(struct trap_frame *f)
{
	return with_fd(f->rdi, stat_to_second, f);
}

/* Flags of a call that names a file: all others are -EINVAL. */
#define AT_STAT_FLAGS ((unsigned)(AT_SYMLINK_NOFOLLOW | AT_NO_AUTOMOUNT | AT_EMPTY_PATH))

static long sys_newfstatat(struct trap_frame *f)
{
	if ((unsigned)f->r10 & ~AT_STAT_FLAGS)
		return -EINVAL;
	return with_path((int)f->rdi, f->rsi, (unsigned)f->r10, stat_to_third, f);
}

static void put_time(struct statx_timestamp *to, uint64_t seconds, uint64_t ns)
{
	to->tv_sec = (int64_t)seconds;
	to->tv_nsec = (uint32_t)ns;
}

static long do_statx(struct inode *inode, struct trap_frame *f)
{
	struct statx sx;
	struct stat st;

	inode_stat(inode, &st);
	memset(&sx, 0, sizeof(sx));
	sx.stx_mask = STATX_BASIC_STATS;
	sx.stx_blksize = (uint32_t)st.st_blksize;
	sx.stx_uid = st.st_uid;
	sx.stx_gid = st.st_gid;
	sx.stx_nlink = (uint32_t)st.st_nlink;
	sx.stx_mode = (uint16_t)st.st_mode;
	sx.stx_ino = st.st_ino;
	sx.stx_size = (uint64_t)st.st_size;
	sx.stx_blocks = (uint64_t)st.st_blocks;
	put_time(&sx.stx_atime, st.st_atime, st.st_atime_nsec);
	put_time(&sx.stx_mtime, st.st_mtime, st.st_mtime_nsec);
	put_time(&sx.stx_ctime, st.st_ctime, st.st_ctime_nsec);
	sx.stx_rdev_major = (uint32_t)(st.st_rdev >> 8 & 0xfff);
	sx.stx_rdev_minor = (uint32_t)(st.st_rdev & 0xff);
	sx.stx_dev_minor = (uint32_t)st.st_dev;
	return copy_to_user(f->r8, &sx, sizeof(sx));
}

static long sys_statx(struct trap_frame *f)
{
	const unsigned flags = (unsigned)f->rdx, mask = (unsigned)f->r10;

	if (mask & STATX__RESERVED || flags & ~(AT_STAT_FLAGS | AT_STATX_SYNC_TYPE) ||
	    (flags & AT_STATX_SYNC_TYPE) == AT_STATX_SYNC_TYPE)
		return -EINVAL;
	return with_path((int)f->rdi, f->rsi, (unsigned)f->rdx, do_statx, f);
}

/* --- access(2), chmod(2) and their kin --- */

static long do_access(struct inode *inode, struct trap_frame *f)
{
	return inode_access(inode, (unsigned)f->rsi);
}

static long do_faccessat(struct inode *inode, struct trap_frame *f)
{
	return inode_access(inode, (unsigned)f->rdx);
}

static long sys_access(struct trap_frame *f)
{
	return with_path(AT_FDCWD, f->rdi, 0, do_access, f);
}

static long sys_faccessat(struct trap_frame *f)
{
	return with_path((int)f->rdi, f->rsi, 0, do_faccessat, f);
}

static long sys_faccessat2(struct trap_frame *f)
{
	if ((unsigned)f->r10 & ~(unsigned)(AT_EACCESS | AT_SYMLINK_NOFOLLOW | AT_EMPTY_PATH))
		return -EINVAL;
	return with_path((int)f->rdi, f->rsi, (unsigned)f->r10, do_faccessat, f);
}

static long do_chmod(struct inode *inode, struct trap_frame *f)
{
	return inode_chmod(inode, (uint32_t)f->rsi);
}

static long do_fchmodat(struct inode *inode, struct trap_frame *f)
{
	return inode_chmod(inode, (uint32_t)f->rdx);
}

static long sys_chmod(struct trap_frame *f)
{
	return with_path(AT_FDCWD, f->rdi, 0, do_chmod, f);
}

static long sys_fchmod(struct trap_frame *f)
{
	return with_fd(f->rdi, do_chmod, f);
}

static long sys_fchmodat(struct trap_frame *f)
{
	return with_path((int)f->rdi, f->rsi, 0, do_fchmodat, f);
}

/* All files are root's, and stay so. */
/* Root gives files to any user; an owner keeps its own. */
static long chown_inode(struct inode *inode, uint32_t uid, uint32_t gid)
{
	const struct credentials *c = &sched_current()->process->credentials;

	if (c->user.effective &&
	    (c->user.file != inode->uid || (uid != UINT32_MAX && uid != inode->uid)))
		return -EPERM;
	inode_chown(inode, uid, gid);
	return 0;
}

static long do_chown(struct inode *inode, struct trap_frame *f)
{
	return chown_inode(inode, (uint32_t)f->rsi, (uint32_t)f->rdx);
}

static long do_fchownat(struct inode *inode, struct trap_frame *f)
{
	return chown_inode(inode, (uint32_t)f->rdx, (uint32_t)f->r10);
}

static long sys_chown(struct trap_frame *f)
{
	return with_path(AT_FDCWD, f->rdi, 0, do_chown, f);
}

static long sys_lchown(struct trap_frame *f)
{
	return with_path(AT_FDCWD, f->rdi, AT_SYMLINK_NOFOLLOW, do_chown, f);
}

static long sys_fchown(struct trap_frame *f)
{
	return with_fd(f->rdi, do_chown, f);
}

static long sys_fchownat(struct trap_frame *f)
{
	if ((unsigned)f->r8 & ~(unsigned)(AT_SYMLINK_NOFOLLOW | AT_EMPTY_PATH))
		return -EINVAL;
	return with_path((int)f->rdi, f->rsi, (unsigned)f->r8, do_fchownat, f);
}

static long sys_umask(struct trap_frame *f)
{
	struct tree_view *view = files_view();
	const unsigned old = view->umask;

	view->umask = f->rdi & 0777;
	return old;
}

/* --- Times --- */

/* Special nanoseconds of utimensat(2): only <linux/stat.h> of libc has them. */
#define UTIME_NOW  0x3fffffff
#define UTIME_OMIT 0x3ffffffe

#define NS_OF_SECOND 1000000000

/* The access and modification times of a file, in the form of struct timespec. */
struct two_times {
	int64_t at[2][2];
};

static struct two_times both_now(void)
{
	return (struct two_times){{{0, UTIME_NOW}, {0, UTIME_NOW}}};
}

static bool is_time(const int64_t at[2])
{
	return at[1] == UTIME_NOW || at[1] == UTIME_OMIT || (at[1] >= 0 && at[1] < NS_OF_SECOND);
}

static uint64_t time_in_ns(const int64_t at[2])
{
	return at[1] == UTIME_NOW ? file_host.now(HOST_REALTIME)
				  : (uint64_t)at[0] * NS_OF_SECOND + (uint64_t)at[1];
}

static long set_times(int err, struct inode *inode, const struct two_times *times)
{
	if (err)
		return err;
	inode_set_times(inode,
			(times->at[0][1] == UTIME_OMIT ? 0 : TIME_ACCESS) |
				(times->at[1][1] == UTIME_OMIT ? 0 : TIME_MODIFY),
			time_in_ns(times->at[0]), time_in_ns(times->at[1]));
	inode_put(inode);
	return 0;
}

static long set_times_of_path(int dirfd, uint64_t path, unsigned flags,
			      const struct two_times *times)
{
	struct inode *inode = NULL;
	const int err = find_inode(dirfd, path, flags, &inode);

	return set_times(err, inode, times);
}

/* If both stay unchanged, nothing else is checked. */
static long sys_utimensat(struct trap_frame *f)
{
	struct two_times times = both_now();
	struct inode *inode = NULL;
	int err;

	if (f->rdx && copy_from_user(&times, f->rdx, sizeof(times)))
		return -EFAULT;
	if (times.at[0][1] == UTIME_OMIT && times.at[1][1] == UTIME_OMIT)
		return 0;
	if (!is_time(times.at[0]) || !is_time(times.at[1]))
		return -EINVAL;
	if (f->rsi)
		return (unsigned)f->r10 & ~(unsigned)(AT_SYMLINK_NOFOLLOW | AT_EMPTY_PATH)
			       ? -EINVAL
			       : set_times_of_path((int)f->rdi, f->rsi, (unsigned)f->r10, &times);
	if (f->r10)
		return -EINVAL;
	err = inode_of_fd(f->rdi, &inode);
	return set_times(err, inode, &times);
}

/* struct timeval: microseconds in place of nanoseconds. */
static long set_times_us(int dirfd, uint64_t path, uint64_t from)
{
	struct two_times times = both_now();

	if (from && copy_from_user(&times, from, sizeof(times)))
		return -EFAULT;
	for (unsigned i = 0; from && i < 2; i++) {
		if (times.at[i][1] < 0 || times.at[i][1] >= NS_OF_SECOND / 1000)
			return -EINVAL;
		times.at[i][1] *= 1000;
	}
	return set_times_of_path(dirfd, path, 0, &times);
}

static long sys_utimes(struct trap_frame *f)
{
	return set_times_us(AT_FDCWD, f->rdi, f->rsi);
}

static long sys_futimesat(struct trap_frame *f)
{
	return set_times_us((int)f->rdi, f->rsi, f->rdx);
}

/* struct utimbuf: seconds alone. */
static long sys_utime(struct trap_frame *f)
{
	struct two_times times = both_now();
	int64_t seconds[2];

	if (f->rsi && copy_from_user(seconds, f->rsi, sizeof(seconds)))
		return -EFAULT;
	if (f->rsi)
		times = (struct two_times){{{seconds[0], 0}, {seconds[1], 0}}};
	return set_times_of_path(AT_FDCWD, f->rdi, 0, &times);
}

/* --- Making and removing names --- */

static long make_directory(int dirfd, uint64_t path, uint32_t mode)
{
	struct files_path p;
	int err = files_path(&p, dirfd, path);

	if (err)
		return err;
	err = tree_mkdir(files_view(), p.start, p.text, mode);
	files_path_end(&p);
	return err;
}

static long sys_mkdir(struct trap_frame *f)
{
	return make_directory(AT_FDCWD, f->rdi, (uint32_t)f->rsi);
}

static long sys_mkdirat(struct trap_frame *f)
{
	return make_directory((int)f->rdi, f->rsi, (uint32_t)f->rdx);
}

static long make_node(int dirfd, uint64_t path, uint32_t mode)
{
	struct files_path p;
	int err = files_path(&p, dirfd, path);

	if (err)
		return err;
	err = tree_mknod(files_view(), p.start, p.text, mode);
	files_path_end(&p);
	return err;
}

static long sys_mknod(struct trap_frame *f)
{
	return make_node(AT_FDCWD, f->rdi, (uint32_t)f->rsi);
}

static long sys_mknodat(struct trap_frame *f)
{
	return make_node((int)f->rdi, f->rsi, (uint32_t)f->rdx);
}

static long remove_name(int dirfd, uint64_t path, bool directory)
{
	struct files_path p;
	int err = files_path(&p, dirfd, path);

	if (err)
		return err;
	err = tree_unlink(files_view(), p.start, p.text, directory);
	files_path_end(&p);
	return err;
}

static long sys_unlink(struct trap_frame *f)
{
	return remove_name(AT_FDCWD, f->rdi, false);
}

static long sys_rmdir(struct trap_frame *f)
{
	return remove_name(AT_FDCWD, f->rdi, true);
}

static long sys_unlinkat(struct trap_frame *f)
{
	if (f->rdx & ~(uint64_t)AT_REMOVEDIR)
		return -EINVAL;
	return remove_name((int)f->rdi, f->rsi, f->rdx);
}

/* Two paths at once. */
struct two_paths {
	struct files_path old, new;
};

static int read_paths(struct two_paths *p, int old_fd, uint64_t old, int new_fd, uint64_t new)
{
	int err = files_path(&p->old, old_fd, old);

	if (err)
		return err;
	err = files_path(&p->new, new_fd, new);
	if (err)
		files_path_end(&p->old);
	return err;
}

static void end_paths(struct two_paths *p)
{
	files_path_end(&p->new);
	files_path_end(&p->old);
}

static long rename_at(int old_fd, uint64_t old, int new_fd, uint64_t new, unsigned flags)
{
	struct two_paths p;
	int err = read_paths(&p, old_fd, old, new_fd, new);

	if (err)
		return err;
	err = tree_rename(files_view(), p.old.start, p.old.text, p.new.start, p.new.text, flags);
	end_paths(&p);
	return err;
}

static long sys_rename(struct trap_frame *f)
{
	return rename_at(AT_FDCWD, f->rdi, AT_FDCWD, f->rsi, 0);
}

static long sys_renameat(struct trap_frame *f)
{
	return rename_at((int)f->rdi, f->rsi, (int)f->rdx, f->r10, 0);
}

static long sys_renameat2(struct trap_frame *f)
{
	return rename_at((int)f->rdi, f->rsi, (int)f->rdx, f->r10, (unsigned)f->r8);
}

static long link_inode(struct inode *inode, int dirfd, uint64_t path)
{
	struct files_path p;
	int err = files_path(&p, dirfd, path);

	if (err)
		return err;
	err = tree_link(inode, files_view(), p.start, p.text);
	files_path_end(&p);
	return err;
}

static long do_link(struct inode *inode, struct trap_frame *f)
{
	return link_inode(inode, AT_FDCWD, f->rsi);
}

static long do_linkat(struct inode *inode, struct trap_frame *f)
{
	return link_inode(inode, (int)f->rdx, f->r10);
}

static long sys_link(struct trap_frame *f)
{
	return with_path(AT_FDCWD, f->rdi, AT_SYMLINK_NOFOLLOW, do_link, f);
}

static long sys_linkat(struct trap_frame *f)
{
	const unsigned flags = (unsigned)f->r8;

	if (flags & ~(unsigned)(AT_SYMLINK_FOLLOW | AT_EMPTY_PATH))
		return -EINVAL;
	return with_path((int)f->rdi, f->rsi,
			 flags & AT_SYMLINK_FOLLOW ? flags : flags | AT_SYMLINK_NOFOLLOW, do_linkat,
			 f);
}

static long symlink_at(uint64_t target, int dirfd, uint64_t path)
{
	struct two_paths p;
	int err = read_paths(&p, AT_FDCWD, target, dirfd, path);

	if (err)
		return err;
	err = tree_symlink(files_view(), p.new.start, p.new.text, p.old.text);
	end_paths(&p);
	return err;
}

static long sys_symlink(struct trap_frame *f)
{
	return symlink_at(f->rdi, AT_FDCWD, f->rsi);
}

static long sys_symlinkat(struct trap_frame *f)
{
	return symlink_at(f->rdi, (int)f->rsi, f->rdx);
}

static long put_link(struct inode *inode, uint64_t to, uint64_t room)
{
	struct text text = {0};
	long n = inode_readlink(inode, &text);

	if (!n)
		n = text_failed(&text);
	if (!n)
		n = (long)(text.size < room ? text.size : room);
	if (n > 0 && copy_to_user(to, text.bytes, (size_t)n))
		n = -EFAULT;
	text_free(&text);
	return n;
}

static long do_readlink(struct inode *inode, struct trap_frame *f)
{
	return (long)f->rdx > 0 ? put_link(inode, f->rsi, f->rdx) : -EINVAL;
}

static long do_readlinkat(struct inode *inode, struct trap_frame *f)
{
	return (long)f->r10 > 0 ? put_link(inode, f->rdx, f->r10) : -EINVAL;
}

static long sys_readlink(struct trap_frame *f)
{
	return with_path(AT_FDCWD, f->rdi, AT_SYMLINK_NOFOLLOW, do_readlink, f);
}

static long sys_readlinkat(struct trap_frame *f)
{
	return with_path((int)f->rdi, f->rsi, AT_SYMLINK_NOFOLLOW | AT_EMPTY_PATH, do_readlinkat,
			 f);
}

static long do_truncate(struct inode *inode, struct trap_frame *f)
{
	return inode_is_directory(inode) ? -EISDIR : regular_truncate(inode, (int64_t)f->rsi);
}

static long sys_truncate(struct trap_frame *f)
{
	return with_path(AT_FDCWD, f->rdi, 0, do_truncate, f);
}

/* --- Where the process stands --- */

static long sys_getcwd(struct trap_frame *f)
{
	const struct tree_view *view = files_view();
	struct text text = {0};
	long err = inode_path(view->cwd, view->root, &text);

	if (!err && !text_end(&text))
		err = -ENOMEM;
	if (!err)
		err = text.size + 1 > f->rsi ? -ERANGE : (long)text.size + 1;
	if (err > 0 && copy_to_user(f->rdi, text.bytes, text.size + 1))
		err = -EFAULT;
	text_free(&text);
	return err;
}

static long do_chdir(struct inode *inode, struct trap_frame *f)
{
	(void)f;
	return tree_chdir(files_view(), inode);
}

static long sys_chdir(struct trap_frame *f)
{
	return with_path(AT_FDCWD, f->rdi, 0, do_chdir, f);
}

static long sys_fchdir(struct trap_frame *f)
{
	return with_fd(f->rdi, do_chdir, f);
}

static long do_chroot(struct inode *inode, struct trap_frame *f)
{
	(void)f;
	return tree_chroot(files_view(), inode);
}

static long sys_chroot(struct trap_frame *f)
{
	return with_path(AT_FDCWD, f->rdi, 0, do_chroot, f);
}

static long do_statfs(struct inode *inode, struct trap_frame *f)
{
	struct statfs st;

	inode_statfs(inode, &st);
	return copy_to_user(f->rsi, &st, sizeof(st));
}

static long sys_statfs(struct trap_frame *f)
{
	return with_path(AT_FDCWD, f->rdi, 0, do_statfs, f);
}

static long sys_fstatfs(struct trap_frame *f)
{
	return with_fd(f->rdi, do_statfs, f);
}

const struct syscall_row syscall_path_rows[] = {
	{__NR_stat, sys_stat},
	{__NR_lstat, sys_lstat},
	{__NR_fstat, sys_fstat},
	{__NR_newfstatat, sys_newfstatat},
	{__NR_statx, sys_statx},
	{__NR_access, sys_access},
	{__NR_faccessat, sys_faccessat},
	{__NR_faccessat2, sys_faccessat2},
	{__NR_chmod, sys_chmod},
	{__NR_fchmod, sys_fchmod},
	{__NR_fchmodat, sys_fchmodat},
	{__NR_chown, sys_chown},
	{__NR_lchown, sys_lchown},
	{__NR_fchown, sys_fchown},
	{__NR_fchownat, sys_fchownat},
	{__NR_umask, sys_umask},
	{__NR_utimensat, sys_utimensat},
	{__NR_utimes, sys_utimes},
	{__NR_futimesat, sys_futimesat},
	{__NR_utime, sys_utime},
	{__NR_mkdir, sys_mkdir},
	{__NR_mkdirat, sys_mkdirat},
	{__NR_mknod, sys_mknod},
	{__NR_mknodat, sys_mknodat},
	{__NR_unlink, sys_unlink},
	{__NR_rmdir, sys_rmdir},
	{__NR_unlinkat, sys_unlinkat},
	{__NR_rename, sys_rename},
	{__NR_renameat, sys_renameat},
	{__NR_renameat2, sys_renameat2},
	{__NR_link, sys_link},
	{__NR_linkat, sys_linkat},
	{__NR_symlink, sys_symlink},
	{__NR_symlinkat, sys_symlinkat},
	{__NR_readlink, sys_readlink},
	{__NR_readlinkat, sys_readlinkat},
	{__NR_truncate, sys_truncate},
	{__NR_getcwd, sys_getcwd},
	{__NR_chdir, sys_chdir},
	{__NR_fchdir, sys_fchdir},
	{__NR_chroot, sys_chroot},
	{__NR_statfs, sys_statfs},
	{__NR_fstatfs, sys_fstatfs},
	{__NR_sync, syscall_nothing},
	{0, NULL},
};
