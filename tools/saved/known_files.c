// SPDX-License-Identifier: BSD-2-Clause
/*
 * known_files.c - see known_files.h. Several runs may append at once: each writes a whole entry at
 * a time. Nothing depends on that the hashes can be kept.
 */
#include "tools/saved/known_files.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "tools/saved/state_path.h"
#include "tools/saved/trust.h"
#include "tools/util/filehash.h"

#define NS_PER_S UINT64_C(1000000000)

static uint64_t nanoseconds(struct timespec t)
{
	return (uint64_t)t.tv_sec * NS_PER_S + (uint64_t)t.tv_nsec;
}

static int identify(struct known_file *file, int fd)
{
	struct stat st;

	if (fstat(fd, &st))
		return -errno;
	*file = (struct known_file){.device = st.st_dev,
				    .inode = st.st_ino,
				    .bytes = (uint64_t)st.st_size,
				    .modified = nanoseconds(st.st_mtim),
				    .changed = nanoseconds(st.st_ctim)};
	return 0;
}

static bool is_same_file(const struct known_file *a, const struct known_file *b)
{
	return a->device == b->device && a->inode == b->inode && a->bytes == b->bytes &&
	       a->modified == b->modified && a->changed == b->changed;
}

/* Opens the list for reading and appending; -1: there is none. */
static int open_list(void)
{
	char path[PATH_MAX];
	struct reason ignored;
	int fd;

	if (state_path(path, KNOWN_FILES_NAME, &ignored))
		return -1;
	fd = open(path, O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0600);
	if (fd >= 0 && trust_check(fd, path, S_IFREG, &ignored)) {
		close(fd);
		return -1;
	}
	return fd;
}

static bool find_hash(int list, struct known_file *file)
{
	static struct known_file known[KNOWN_MOST];
	const ssize_t bytes = pread(list, known, sizeof(known), 0);
	const size_t n = bytes > 0 ? (size_t)bytes / sizeof(*known) : 0;

	for (size_t i = 0; i < n; i++)
		if (is_same_file(&known[i], file)) {
			file->hash = known[i].hash;
			return true;
		}
	return false;
}

/* Returns whether a later change of the file changes its times, too. */
static bool is_old(const struct known_file *file)
{
	struct timespec now;

	return !clock_gettime(CLOCK_REALTIME, &now) &&
	       file->changed + KNOWN_AGE_S * NS_PER_S < nanoseconds(now);
}

/* Appends the file to the list, which begins anew if it is long, or has an incomplete entry. */
static bool remember(int list, const struct known_file *file)
{
	struct stat st;
	bool is_done = true;

	if (fstat(list, &st))
		return false;
	if (st.st_size % (off_t)sizeof(*file) || st.st_size >= (off_t)(KNOWN_MOST * sizeof(*file)))
		is_done = !ftruncate(list, 0);
	if (is_done)
		is_done = write(list, file, sizeof(*file)) == (ssize_t)sizeof(*file);
	return is_done;
}

/* Computes the hash. It is remembered only if the file did not change meanwhile. */
static int compute_hash(int list, struct known_file *file, int fd)
{
	struct known_file now;
	int err = file_hash(fd, 0, file->bytes, &file->hash);

	if (!err)
		err = identify(&now, fd);
	if (!err && list >= 0 && is_old(file) && is_same_file(&now, file))
		remember(list, file);
	return err;
}

int known_file_hash(int fd, uint64_t *hash)
{
	struct known_file file;
	int err = identify(&file, fd), list;

	if (err)
		return err;
	list = open_list();
	if (list < 0 || !find_hash(list, &file))
		err = compute_hash(list, &file, fd);
	if (list >= 0)
		close(list);
	*hash = file.hash;
	return err;
}
