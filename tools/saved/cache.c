// SPDX-License-Identifier: BSD-2-Clause
/* cache.c - see cache.h. */
#include "tools/saved/cache.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

#include "include/perf0/formats.h"
#include "lib/words/option_words.h"
#include "tools/util/ending.h"

#define MAGIC       "perf0 machine " TEXT_OF(MACHINE_VERSION) "\n"
#define TEXT_OF(n)  TEXT_OF_(n)
#define TEXT_OF_(n) #n
#define SUFFIX      ".machine"
#define PAGE_BYTES  4096u
#define HEAD_MOST   (1u << 20) /* bytes of key and output */

struct cache_header {
	char magic[sizeof(MAGIC) - 1] __attribute__((nonstring));
	uint32_t key_bytes, said_bytes;
	uint64_t state_bytes;
	struct trust_mac state_mac;
	struct trust_mac head_mac; /* MAC of the header up to here, of key and output */
};

_Static_assert(sizeof(struct cache_header) == 96, "a file's layout");

int cache_folder(char folder[PATH_MAX], struct reason *why)
{
	const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
	int n;

	if (cache && *cache == '/')
		n = snprintf(folder, PATH_MAX, "%s/perf0", cache);
	else if (home && *home == '/')
		n = snprintf(folder, PATH_MAX, "%s/.cache/perf0", home);
	else
		return refuse(why, ENOENT,
			      "neither XDG_CACHE_HOME nor HOME says where a cache may be");
	return n < PATH_MAX ? 0 : refuse(why, ENAMETOOLONG, "the cache's path is too long");
}

int cache_limit(uint64_t *bytes, struct reason *why)
{
	const char *text = getenv(CACHE_SIZE_VARIABLE);

	*bytes = CACHE_SIZE_DEFAULT;
	if (!text || !*text)
		return 0;
	if (!strcmp(text, "0")) {
		*bytes = 0;
		return 0;
	}
	if (option_size(text, bytes))
		return refuse(why, EINVAL,
			      CACHE_SIZE_VARIABLE "=%s is not a size (512M, 2G; 0: none)", text);
	return 0;
}

bool cache_has_room(size_t bytes, size_t more)
{
	return bytes <= HEAD_MOST && more <= HEAD_MOST - bytes;
}

static uint64_t round_to_page(uint64_t bytes)
{
	return (bytes + PAGE_BYTES - 1) / PAGE_BYTES * PAGE_BYTES;
}

static void sum_head(struct trust_mac *mac, const struct trust_key *trust,
		     const struct cache_header *head, const void *key, const struct buf *said)
{
	struct buf bytes = {0};

	buf_add(&bytes, head, offsetof(struct cache_header, head_mac));
	buf_add(&bytes, key, head->key_bytes);
	buf_add(&bytes, said->data, said->size);
	trust_sum(mac, trust, bytes.data, bytes.size);
	buf_free(&bytes);
}

static int open_folder(bool create, struct reason *why)
{
	char folder[PATH_MAX], *slash;
	int fd, err = cache_folder(folder, why);

	if (err)
		return err;
	for (slash = create ? strchr(folder + 1, '/') : NULL; slash;
	     slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		mkdir(folder, 0700);
		*slash = '/';
	}
	if (create)
		mkdir(folder, 0700);
	fd = open(folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0)
		return refuse(why, errno == ENOTDIR || errno == ELOOP ? EPERM : errno,
			      "%s is no folder: %s", folder, strerror(errno));
	err = trust_check(fd, folder, S_IFDIR, why);
	if (!err)
		return fd;
	close(fd);
	return err;
}

void cache_key(char out[CACHE_KEY_MAX], const char *key)
{
	snprintf(out, CACHE_KEY_MAX, "%016llx", (unsigned long long)XXH3_64bits(key, strlen(key)));
}

static void name_file(char name[NAME_MAX], const char *key)
{
	char digits[CACHE_KEY_MAX];

	cache_key(digits, key);
	snprintf(name, NAME_MAX, "%s" SUFFIX, digits);
}

static bool is_cache_name(const char *name)
{
	return ends_in(name, SUFFIX);
}

/* Reads all `n` bytes at `at`, or fails. */
static bool read_whole(int fd, void *to, size_t n, uint64_t at)
{
	return pread(fd, to, n, (off_t)at) == (ssize_t)n;
}

/* Returns whether the header fits the size of the file. */
static bool is_whole(int fd, const struct cache_header *head)
{
	struct stat st;

	if (memcmp(head->magic, MAGIC, sizeof(head->magic)) || head->key_bytes > HEAD_MOST ||
	    head->said_bytes > HEAD_MOST || fstat(fd, &st))
		return false;
	return (uint64_t)st.st_size ==
	       round_to_page(sizeof(*head) + head->key_bytes + head->said_bytes) +
		       head->state_bytes;
}

/* Reads header, key and output; false: the file is damaged, or its MAC is by another key. */
static bool read_head(int fd, const struct trust_key *trust, struct cache_header *head,
		      struct buf *key, struct buf *said)
{
	struct trust_mac mac;

	if (!read_whole(fd, head, sizeof(*head), 0) || !is_whole(fd, head))
		return false;
	if (!read_whole(fd, buf_extend(key, head->key_bytes), head->key_bytes, sizeof(*head)) ||
	    !read_whole(fd, buf_extend(said, head->said_bytes), head->said_bytes,
			sizeof(*head) + head->key_bytes))
		return false;
	sum_head(&mac, trust, head, key->data, said);
	return trust_is_same(&mac, &head->head_mac);
}

static int refuse_damaged(struct reason *why)
{
	return refuse(why, EBADMSG, "the saved machine is damaged, or was saved with another key");
}

/*
 * Checks the stored key. A complete file with another key belongs to another machine: two keys have
 * the same short form.
 */
static int take_head(struct cache_file *file, const char *key, struct reason *why)
{
	struct buf stored = {0};
	struct cache_header head;
	int err = 0;

	if (!read_head(file->fd, &file->trust, &head, &stored, &file->said))
		err = refuse_damaged(why);
	else if (stored.size != strlen(key) || memcmp(stored.data, key, stored.size))
		err = refuse(why, ENOENT, "the saved machine is another one");
	buf_free(&stored);
	if (err)
		return err;
	file->state_at = round_to_page(sizeof(head) + head.key_bytes + head.said_bytes);
	file->state_bytes = head.state_bytes;
	file->state_mac = head.state_mac;
	lseek(file->fd, (off_t)file->state_at, SEEK_SET);
	return 0;
}

/* Returns 0 if the cache may be used at all, or -E with the reason. */
static int check_cache_allowed(struct reason *why)
{
	uint64_t limit;
	int err = cache_limit(&limit, why);

	if (err)
		return err;
	return limit ? 0 : refuse(why, ENOENT, CACHE_SIZE_VARIABLE " is 0");
}

/* Opens without waiting for the writer of a FIFO, and without following a link. */
static int open_trusted(int folder, const char *name, struct reason *why)
{
	int fd = openat(folder, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK), err;

	if (fd < 0 && errno == ENOENT)
		return refuse(why, ENOENT, "no such machine is saved yet");
	if (fd < 0)
		return refuse(why, errno == ELOOP ? EPERM : errno, "%s: %s", name, strerror(errno));
	err = trust_check(fd, name, S_IFREG, why);
	if (!err)
		return fd;
	close(fd);
	return err;
}

static int open_named(const char *key, struct reason *why)
{
	char name[NAME_MAX];
	int folder = open_folder(false, why), fd;

	if (folder < 0)
		return folder;
	name_file(name, key);
	fd = open_trusted(folder, name, why);
	close(folder);
	return fd;
}

static int begin_file(struct cache_file *file, struct reason *why)
{
	int err = check_cache_allowed(why);

	*file = (struct cache_file){.fd = -1};
	return err ? err : trust_find_key(&file->trust, why);
}

int cache_open(struct cache_file *file, const char *key, struct reason *why)
{
	static const struct timespec now[2] = {{.tv_nsec = UTIME_OMIT}, {.tv_nsec = UTIME_NOW}};
	int err = begin_file(file, why);

	if (err)
		return err;
	file->fd = open_named(key, why);
	if (file->fd < 0)
		return file->fd;
	err = take_head(file, key, why);
	if (!err) {
		futimens(file->fd, now);
		return 0;
	}
	cache_close(file);
	if (err == -EBADMSG)
		cache_remove(key);
	return err;
}

/* Maps `file->state_bytes` bytes at the state's place; NULL: they cannot be read. */
static const void *map_state(const struct cache_file *file)
{
	void *state = mmap(NULL, file->state_bytes, PROT_READ, MAP_PRIVATE | MAP_POPULATE, file->fd,
			   (off_t)file->state_at);

	return state == MAP_FAILED ? NULL : state;
}

const void *cache_read(struct cache_file *file)
{
	file->state = map_state(file);
	return file->state && trust_is_signed(&file->state_mac, &file->trust, file->state,
					      file->state_bytes)
		       ? file->state
		       : NULL;
}

void cache_remove(const char *key)
{
	char name[NAME_MAX];
	int folder = open_folder(false, NULL);

	if (folder < 0)
		return;
	name_file(name, key);
	unlinkat(folder, name, 0);
	close(folder);
}

/* --- Writing --- */

static int create_unnamed(int *out, struct reason *why)
{
	char path[PATH_MAX];
	int folder = open_folder(true, why);

	if (folder < 0)
		return folder;
	snprintf(path, sizeof(path), "/proc/self/fd/%d", folder);
	*out = open(path, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
	close(folder);
	if (*out < 0)
		return refuse(why, errno, "the cache can not be written: %s", strerror(errno));
	return 0;
}

int cache_check(struct reason *why)
{
	int fd, err = create_unnamed(&fd, why);

	if (!err)
		close(fd);
	return err;
}

bool cache_is_wanted(void)
{
	uint64_t limit;
	struct reason ignored;

	return cache_limit(&limit, &ignored) || limit;
}

int cache_create(struct cache_file *file, const char *key, const struct buf *said,
		 struct reason *why)
{
	int err = begin_file(file, why);

	if (!err)
		err = create_unnamed(&file->fd, why);
	if (err)
		return err;
	buf_add(&file->said, said->data, said->size);
	file->state_at = round_to_page(sizeof(struct cache_header) + strlen(key) + said->size);
	lseek(file->fd, (off_t)file->state_at, SEEK_SET);
	return 0;
}

static bool write_head(const struct cache_file *file, const char *key)
{
	const size_t n = strlen(key);
	struct cache_header head = {
		.magic = MAGIC,
		.key_bytes = (uint32_t)n,
		.said_bytes = (uint32_t)file->said.size,
		.state_bytes = file->state_bytes,
		.state_mac = file->state_mac,
	};
	struct buf bytes = {0};
	bool is_written;

	sum_head(&head.head_mac, &file->trust, &head, key, &file->said);
	buf_add(&bytes, &head, sizeof(head));
	buf_add(&bytes, key, n);
	buf_add(&bytes, file->said.data, file->said.size);
	is_written = pwrite(file->fd, bytes.data, bytes.size, 0) == (ssize_t)bytes.size;
	buf_free(&bytes);
	return is_written;
}

/*
 * Gives the file its name. A file that has this name already holds the same machine, which another
 * run saved.
 */
static int give_name(const struct cache_file *file, const char *key, struct reason *why)
{
	char path[PATH_MAX], name[NAME_MAX];
	int folder = open_folder(true, why), err = 0;

	if (folder < 0)
		return folder;
	snprintf(path, sizeof(path), "/proc/self/fd/%d", file->fd);
	name_file(name, key);
	if (linkat(AT_FDCWD, path, folder, name, AT_SYMLINK_FOLLOW) && errno != EEXIST)
		err = refuse(why, errno, "the cache can not be written: %s", strerror(errno));
	close(folder);
	return err;
}

/* Removes the oldest files first. The newest goes only if it alone exceeds the limit. */
static void evict_oldest_machines(void)
{
	struct cache_entries entries;
	uint64_t limit;
	int folder;

	if (cache_limit(&limit, NULL) || cache_list(&entries, NULL))
		return;
	folder = open_folder(false, NULL);
	for (size_t i = 0; folder >= 0 && i < entries.n && entries.bytes > limit; i++) {
		entries.bytes -= entries.entry[i].bytes;
		unlinkat(folder, entries.entry[i].name, 0);
	}
	if (folder >= 0)
		close(folder);
	free(entries.entry);
}

int cache_keep(struct cache_file *file, const char *key, struct reason *why)
{
	const off_t end = lseek(file->fd, 0, SEEK_END);
	int err;

	file->state_bytes = (uint64_t)end - file->state_at;
	file->state = end > (off_t)file->state_at ? map_state(file) : NULL;
	if (!file->state ||
	    trust_sign(&file->state_mac, &file->trust, file->state, file->state_bytes) ||
	    !write_head(file, key))
		return refuse(why, EIO, "the cache can not be written: %s", strerror(errno));
	err = give_name(file, key, why);
	if (!err)
		evict_oldest_machines();
	return err;
}

void cache_close(struct cache_file *file)
{
	if (file->state)
		munmap((void *)file->state, file->state_bytes);
	file->state = NULL;
	if (file->fd >= 0)
		close(file->fd);
	file->fd = -1;
	buf_free(&file->said);
}

/* --- Listing --- */

static void read_title(int folder, const struct trust_key *trust, struct cache_entry *entry)
{
	struct buf key = {0}, said = {0};
	struct cache_header head;
	int fd = open_trusted(folder, entry->name, NULL);

	if (fd >= 0 && read_head(fd, trust, &head, &key, &said))
		snprintf(entry->title, sizeof(entry->title), "%.*s",
			 (int)strcspn(buf_text(&key), "\n"), (const char *)key.data);
	buf_free(&key);
	buf_free(&said);
	if (fd >= 0)
		close(fd);
}

static int compare_use(const void *a, const void *b)
{
	const struct cache_entry *x = a, *y = b;

	if (x->used.tv_sec != y->used.tv_sec)
		return x->used.tv_sec < y->used.tv_sec ? -1 : 1;
	return x->used.tv_nsec < y->used.tv_nsec ? -1 : x->used.tv_nsec > y->used.tv_nsec;
}

static void add_cache_entry(struct cache_entries *entries, int folder,
			    const struct trust_key *trust, const char *name)
{
	struct cache_entry *entry;
	struct stat st;

	if (!is_cache_name(name) || fstatat(folder, name, &st, AT_SYMLINK_NOFOLLOW))
		return;
	entry = realloc(entries->entry, (entries->n + 1) * sizeof(*entry));
	if (!entry)
		return;
	entries->entry = entry;
	entry += entries->n++;
	*entry = (struct cache_entry){.bytes = (uint64_t)st.st_blocks * 512, .used = st.st_mtim};
	snprintf(entry->name, sizeof(entry->name), "%s", name);
	read_title(folder, trust, entry);
	entries->bytes += entry->bytes;
}

int cache_list(struct cache_entries *entries, struct reason *why)
{
	int fd = open_folder(false, why), err;
	struct trust_key trust;
	struct dirent *item;
	DIR *folder;

	*entries = (struct cache_entries){0};
	if (fd == -ENOENT)
		return 0;
	if (fd < 0)
		return fd;
	err = trust_find_key(&trust, why);
	if (err) {
		close(fd);
		return err;
	}
	folder = fdopendir(fd);
	if (!folder) {
		close(fd);
		return refuse(why, errno, "the cache can not be read: %s", strerror(errno));
	}
	while ((item = readdir(folder)))
		add_cache_entry(entries, fd, &trust, item->d_name);
	closedir(folder);
	if (entries->n)
		qsort(entries->entry, entries->n, sizeof(*entries->entry), compare_use);
	return 0;
}

int cache_clean(struct cache_entries *entries, struct reason *why)
{
	int err = cache_list(entries, why), folder;

	if (err || !entries->n)
		return err;
	folder = open_folder(false, why);
	if (folder < 0)
		return folder;
	for (size_t i = 0; !err && i < entries->n; i++)
		if (unlinkat(folder, entries->entry[i].name, 0) && errno != ENOENT)
			err = refuse(why, errno, "%s: %s", entries->entry[i].name, strerror(errno));
	close(folder);
	return err;
}
