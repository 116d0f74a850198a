/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * test_files.h - a tree, a process in it, and a machine whose clock the tests move. Each test
 * begins with files_begin() and ends with files_end(), which fails if memory is still allocated.
 */
#ifndef TESTS_UNIT_FILE_TEST_FILES_H
#define TESTS_UNIT_FILE_TEST_FILES_H

#include "linux/file/fd_table.h"
#include "linux/file/file_host.h"
#include "linux/file/readdir.h"
#include "linux/file/regular.h"
#include "linux/file/text.h"
#include "linux/tree/tree.h"
#include "tests/shim/shim_heap.h"
#include "tests/shim/shim_user_copy.h"

#include <linux/errno.h>
#include <linux/fs.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/test.h"

#define BAD_ADDRESS 16 /* ring 3 has nothing there */

static struct tree_view view;
static uint64_t clock_ns[2];
static struct host_timer *armed;
static uint64_t armed_at;
static char printed[3][256];
static uint64_t pending_signals;
static struct wait_queue signal_queue;

static uint64_t files_now(enum host_clock clock)
{
	return clock_ns[clock];
}

static void files_owner(struct host_owner *owner)
{
	*owner = (struct host_owner){.pid = 42};
}

static void files_random(void *to, size_t n)
{
	memset(to, 0x5a, n);
}

static void files_memory(uint64_t *pages, uint64_t *free)
{
	*pages = 1000;
	*free = 900;
}

static void files_print(unsigned which, const void *bytes, size_t n)
{
	strncat(printed[which], bytes, n);
}

static void files_timer_arm(struct host_timer *timer, uint64_t deadline)
{
	armed = timer;
	armed_at = deadline;
}

static void files_timer_cancel(struct host_timer *timer)
{
	if (armed == timer)
		armed = NULL;
}

static bool files_signal_pending(uint64_t mask)
{
	return pending_signals & mask;
}

static struct wait_queue *files_signal_queue(void)
{
	return &signal_queue;
}

static bool files_signal_take(uint64_t mask, void *info)
{
	const uint64_t signals = pending_signals & mask;
	uint32_t number;

	if (!signals)
		return false;
	number = (uint32_t)__builtin_ctzll(signals) + 1;
	pending_signals &= ~(1ull << (number - 1));
	memset(info, 0, 128);
	memcpy(info, &number, sizeof(number));
	return true;
}

static inline void files_begin(void)
{
	file_host = (struct file_host){
		.now = files_now,
		.owner = files_owner,
		.random = files_random,
		.memory = files_memory,
		.print = files_print,
		.timer_arm = files_timer_arm,
		.timer_cancel = files_timer_cancel,
		.signal_pending = files_signal_pending,
		.signal_queue = files_signal_queue,
		.signal_take = files_signal_take,
	};
	clock_ns[HOST_REALTIME] = 1000000000;
	clock_ns[HOST_MONOTONIC] = 5000;
	armed = NULL;
	memset(printed, 0, sizeof(printed));
	pending_signals = 0;
	shim_heap = (struct shim_heap){0};
	view.root = tree_create();
	assert_non_null(view.root);
	view.cwd = inode_get(view.root);
	view.umask = 022;
}

static inline void files_end(void)
{
	inode_put(view.cwd);
	tree_destroy(view.root);
	assert_int_equal(shim_heap.pieces, 0);
	assert_int_equal(shim_heap.pages, 0);
}

/* --- Short forms, relative to the process's directory --- */

static inline struct file *must_open(const char *path, unsigned flags)
{
	struct file *f = NULL;

	assert_int_equal(tree_open(&view, NULL, path, flags, 0666, &f), 0);
	return f;
}

static inline int open_error(const char *path, unsigned flags)
{
	struct file *f = NULL;
	const int error = tree_open(&view, NULL, path, flags, 0666, &f);

	if (!error)
		file_put(f);
	return error;
}

static inline long put(struct file *f, const char *bytes, size_t n)
{
	struct io io = io_user((uintptr_t)bytes, n);

	return file_write(f, &io);
}

static inline long get(struct file *f, char *bytes, size_t n)
{
	struct io io = io_user((uintptr_t)bytes, n);

	return file_read(f, &io);
}

static inline long put_at(struct file *f, const void *bytes, size_t n, int64_t at)
{
	struct io io = io_user((uintptr_t)bytes, n);

	return file_write_at(f, &io, at);
}

static inline long get_at(struct file *f, void *bytes, size_t n, int64_t at)
{
	struct io io = io_user((uintptr_t)bytes, n);

	return file_read_at(f, &io, at);
}

static inline void make_file(const char *path, const char *content)
{
	struct file *f = must_open(path, O_CREAT | O_WRONLY | O_TRUNC);

	assert_int_equal(put(f, content, strlen(content)), strlen(content));
	file_put(f);
}

static inline void assert_content(const char *path, const char *content)
{
	char bytes[4096] = {0};
	struct file *f = must_open(path, O_RDONLY);
	const long n = get(f, bytes, sizeof(bytes) - 1);

	assert_true(n >= 0);
	assert_string_equal(bytes, content);
	file_put(f);
}

static inline struct stat stat_of(const char *path, bool follow)
{
	struct inode *inode = NULL;
	struct stat st;

	assert_int_equal(walk_inode(&view, NULL, path, follow, &inode), 0);
	inode_stat(inode, &st);
	inode_put(inode);
	return st;
}

static inline int walk_error(const char *path)
{
	struct inode *inode = NULL;
	const int error = walk_inode(&view, NULL, path, true, &inode);

	if (!error)
		inode_put(inode);
	return error;
}

static inline int make_dir(const char *path)
{
	return tree_mkdir(&view, NULL, path, 0777);
}

static inline int unlink_file(const char *path)
{
	return tree_unlink(&view, NULL, path, false);
}

static inline int remove_dir(const char *path)
{
	return tree_unlink(&view, NULL, path, true);
}

static inline int make_symlink(const char *target, const char *path)
{
	return tree_symlink(&view, NULL, path, target);
}

static inline int move(const char *from, const char *to)
{
	return tree_rename(&view, NULL, from, NULL, to, 0);
}

static inline int hard_link(const char *from, const char *to)
{
	struct inode *inode = NULL;
	int error = walk_inode(&view, NULL, from, false, &inode);

	if (error)
		return error;
	error = tree_link(inode, &view, NULL, to);
	inode_put(inode);
	return error;
}

/* Puts the names of a directory into `list`, each with a blank after it. Each getdents64(2) has
 * `room` bytes. */
static inline void list_names(const char *path, char *list, size_t room)
{
	struct file *f = must_open(path, O_RDONLY | O_DIRECTORY);
	uint8_t bytes[2048];
	long n;

	*list = 0;
	for (;;) {
		struct io io = io_user((uintptr_t)bytes, room);

		n = file_readdir(f, &io);
		assert_true(n >= 0);
		if (!n)
			break;
		for (long at = 0; at < n; at += *(uint16_t *)(bytes + at + 16)) {
			strcat(list, (char *)bytes + at + 19);
			strcat(list, " ");
		}
	}
	file_put(f);
}

#endif
