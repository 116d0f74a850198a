// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_results.c - results on a simulated stick: each call fails at some time, in each way, once or
 * from then on. In the end all results are on the stick, or still in memory.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/test.h"

#include "rt/base/heap.h"
#include "rt/portable/results.h"
#include "tests/shim/shim_heap.h"

#include <linux/errno.h>

#define ENTRIES   64
#define FILE_ROOM 200000

/* A stick. */
static struct stick {
	struct {
		char path[RESULTS_PATH_MAX];
		bool is_folder, synced;
		size_t n;
		uint8_t *bytes;
	} entry[ENTRIES];
	unsigned nentries;
	size_t used, room;                   /* bytes of files; room 0: without end */
	unsigned calls, fail_at, fail_calls; /* fail_at 0: none; fail_calls 0: from there on */
	int error;
} stick;

static struct results results;

static int count_call(void)
{
	const unsigned call = ++stick.calls;

	if (!stick.fail_at || call < stick.fail_at)
		return 0;
	return !stick.fail_calls || call < stick.fail_at + stick.fail_calls ? stick.error : 0;
}

static int entry_index(const char *path)
{
	for (unsigned i = 0; i < stick.nentries; i++)
		if (strcasecmp(stick.entry[i].path, path) == 0)
			return (int)i;
	return -ENOENT;
}

static bool has_parent(const char *path)
{
	char parent[RESULTS_PATH_MAX];
	char *end;

	assert_int_equal(path[0], '\\');
	strcpy(parent, path);
	end = strrchr(parent, '\\');
	*end = '\0';
	return end == parent || entry_index(parent) >= 0;
}

static int add_entry(const char *path, bool is_folder)
{
	if (!has_parent(path))
		return -ENOENT;
	assert_true(stick.nentries < ENTRIES);
	memset(&stick.entry[stick.nentries], 0, sizeof(stick.entry[0]));
	strcpy(stick.entry[stick.nentries].path, path);
	stick.entry[stick.nentries].is_folder = is_folder;
	stick.entry[stick.nentries].bytes = is_folder ? NULL : malloc(FILE_ROOM);
	return (int)stick.nentries++;
}

static int list_direct_entries(void *ctx, const char *folder,
			       void (*entry)(void *to, const char *name), void *to)
{
	const size_t n = strlen(folder);
	const int err = count_call();

	assert_ptr_equal(ctx, &stick);
	if (err)
		return err;
	if (entry_index(folder) < 0)
		return -ENOENT;
	entry(to, ".");
	entry(to, "..");
	for (unsigned i = 0; i < stick.nentries; i++)
		if (!strncmp(stick.entry[i].path, folder, n) && stick.entry[i].path[n] == '\\' &&
		    !strchr(stick.entry[i].path + n + 1, '\\'))
			entry(to, stick.entry[i].path + n + 1);
	return 0;
}

static int add_folder(void *ctx, const char *folder)
{
	int err = count_call();

	assert_ptr_equal(ctx, &stick);
	if (err)
		return err;
	if (entry_index(folder) >= 0)
		return -EEXIST;
	err = add_entry(folder, true);
	return err < 0 ? err : 0;
}

static int store_entry(void *ctx, const char *path, uint64_t offset, const void *bytes, size_t n)
{
	int i = entry_index(path), err = count_call();

	assert_ptr_equal(ctx, &stick);
	if (err)
		return err;
	if (!offset && i >= 0 && !n) {
		stick.used -= stick.entry[i].n;
		stick.entry[i].n = 0;
	}
	if (i < 0 && !offset)
		i = add_entry(path, false);
	if (i < 0)
		return -ENOENT;
	assert_int_equal(offset, stick.entry[i].n);
	assert_true(offset + n <= FILE_ROOM);
	if (stick.room && stick.used + n > stick.room)
		return -ENOSPC;
	memcpy(stick.entry[i].bytes + offset, bytes, n);
	stick.entry[i].n += n;
	stick.used += n;
	stick.entry[i].synced = false;
	return 0;
}

static int sync_file(void *ctx, const char *path)
{
	const int i = entry_index(path), err = count_call();

	assert_ptr_equal(ctx, &stick);
	assert_true(i >= 0);
	stick.entry[i].synced = !err;
	return err;
}

static int delete_entry(void *ctx, const char *path)
{
	const int i = entry_index(path), err = count_call();

	assert_ptr_equal(ctx, &stick);
	if (err || i < 0)
		return err ? err : -ENOENT;
	stick.used -= stick.entry[i].n;
	free(stick.entry[i].bytes);
	stick.entry[i] = stick.entry[--stick.nentries];
	return 0;
}

static const struct results_disk disk = {list_direct_entries, add_folder,   store_entry,
					 sync_file,           delete_entry, &stick};

static void empty_stick(void)
{
	for (unsigned i = 0; i < stick.nentries; i++)
		free(stick.entry[i].bytes);
	memset(&stick, 0, sizeof(stick));
}

FIXTURE(begin)
{
	empty_stick();
	memset(&shim_heap, 0, sizeof(shim_heap));
	results_init(&results, &disk, "X11DPi-N", "20261123");
	return 0;
}

FIXTURE(end)
{
	results_free(&results);
	assert_int_equal(results.nkept, 0);
	assert_int_equal(results.kept_bytes, 0);
	assert_int_equal(shim_heap.pieces, 0);
	empty_stick();
	return 0;
}

/* Makes a file whose bytes depend on the file's number and their offsets. */
static uint8_t byte_of(unsigned file, size_t at)
{
	return (uint8_t)(file * 37 + at + at / 251);
}

static void add_result(unsigned file, size_t n)
{
	struct pieces content = {0};
	char name[RESULTS_NAME_MAX];

	for (size_t at = 0; at < n; at++) {
		const uint8_t byte = byte_of(file, at);

		assert_true(pieces_add(&content, &byte, 1));
	}
	results_name(name, file, "stat", RESULTS_STREAM);
	assert_int_equal(results_add(&results, name, &content), 0);
	assert_int_equal(content.bytes, 0);
	assert_null(content.first);
}

static void check_file(const char *folder, unsigned file, size_t n)
{
	char path[RESULTS_PATH_MAX], name[RESULTS_NAME_MAX];
	int i;

	snprintf(path, sizeof(path), "%s\\%s", folder,
		 results_name(name, file, "stat", RESULTS_STREAM));
	i = entry_index(path);
	if (i < 0)
		fail_msg("%s is not there", path);
	assert_true(stick.entry[i].synced);
	assert_int_equal(stick.entry[i].n, n);
	for (size_t at = 0; at < n; at++)
		assert_int_equal(stick.entry[i].bytes[at], byte_of(file, at));
}

#define FIRST "\\perf0\\results\\0001-X11DPi-N-20261123"

/* Sizes of four files: nothing, a few bytes, exactly a piece, more than two pieces. */
static const size_t sizes[] = {0, 5, PIECE_FIRST, PIECE_FIRST + 2 * PIECE_BYTES + 7};
#define FILES (sizeof(sizes) / sizeof(sizes[0]))

static void add_results(void)
{
	for (unsigned i = 0; i < FILES; i++)
		add_result(i, sizes[i]);
}

/* If a call reported the folder as missing, there are two folders. */
static void check_spread(void)
{
	for (unsigned i = 0; i < FILES; i++) {
		char path[RESULTS_PATH_MAX], name[RESULTS_NAME_MAX];
		int at;

		results_name(name, i, "stat", RESULTS_STREAM);
		snprintf(path, sizeof(path), FIRST "\\%s", name);
		at = entry_index(path);
		check_file(at >= 0 && stick.entry[at].synced ? FIRST : results.folder, i, sizes[i]);
	}
	assert_int_equal(results.nkept, 0);
}

static void check_results(const char *folder)
{
	for (unsigned i = 0; i < FILES; i++)
		check_file(folder, i, sizes[i]);
	assert_int_equal(results.nkept, 0);
	assert_int_equal(shim_heap.pieces, 0);
}

TEST_WITH(all_is_written, begin, end)
{
	struct reason why;

	add_results();
	assert_int_equal(results.nkept, FILES);
	assert_int_equal(results_write(&results, &why), 0);
	check_results(FIRST);
	assert_int_equal(results.nwritten, FILES);
	assert_int_equal(results_write(&results, &why), 0);
	add_result(9, 100);
	assert_int_equal(results_write(&results, &why), 0);
	check_file(FIRST, 9, 100);
	assert_int_equal(stick.nentries, 3 + FILES + 1);
}

static void check_note(const char *text)
{
	const int at = entry_index(FIRST "\\" RESULTS_UNWRITTEN);

	assert_true(at >= 0 && stick.entry[at].synced);
	assert_int_equal(stick.entry[at].n, strlen(text));
	assert_memory_equal(stick.entry[at].bytes, text, strlen(text));
}

TEST_WITH(what_is_not_written_is_noted, begin, end)
{
	struct reason why;
	char names[256];

	results_note_unwritten(&results);
	assert_int_equal(stick.nentries, 0); /* no folder yet */
	add_result(1, 5);
	assert_int_equal(results_write(&results, &why), 0);
	results_note_unwritten(&results);
	check_note("0\n");
	add_result(2, 5);
	add_result(3, 5);
	stick.calls = 0;
	stick.fail_at = 1;
	stick.fail_calls = 2;
	stick.error = -ENOSPC;
	assert_true(results_write(&results, &why) < 0);
	stick.fail_at = 0;
	results_note_unwritten(&results);
	snprintf(names, sizeof(names), "%u\n", results.nkept);
	for (const struct results_file *f = results.first; f; f = f->next)
		snprintf(names + strlen(names), sizeof(names) - strlen(names), "%s\n", f->name);
	assert_true(results.nkept > 0);
	check_note(names);
	assert_int_equal(results_write(&results, &why), 0);
	results_note_unwritten(&results);
	check_note("0\n");
}

TEST_WITH(numbers_go_on, begin, end)
{
	static const char *const there[] = {"\\perf0",
					    "\\perf0\\results",
					    "\\perf0\\results\\0003-x",
					    "\\perf0\\results\\0041-other-1",
					    "\\perf0\\results\\9000old",
					    "\\perf0\\results\\12-x",
					    "\\perf0\\results\\notes",
					    "\\perf0\\results\\00x9-a",
					    "\\PERF0\\RESULTS\\0042-x11dpi-n-20261123"};
	struct reason why;

	for (size_t i = 0; i < sizeof(there) / sizeof(there[0]); i++)
		assert_true(add_entry(there[i], true) >= 0);
	add_results();
	assert_int_equal(results_write(&results, &why), 0);
	check_results("\\perf0\\results\\0043-X11DPi-N-20261123");
}

TEST_WITH(numbers_are_used_up, begin, end)
{
	struct reason why;

	assert_true(add_entry("\\perf0", true) >= 0);
	assert_true(add_entry("\\perf0\\results", true) >= 0);
	assert_true(add_entry("\\perf0\\results\\9999-x", true) >= 0);
	add_results();
	assert_true(results_write(&results, &why) < 0);
	assert_non_null(strstr(why.text, "all numbers up to 9999 are used"));
	assert_int_equal(results.nkept, FILES);
}

/* Every call fails in every way, once or for ever; then the stick works again. */
static void fail_at_call(unsigned call, unsigned calls, int error)
{
	struct reason why = {0};
	int err;

	begin(NULL);
	add_results();
	stick.fail_at = call;
	stick.fail_calls = calls;
	stick.error = error;
	err = results_write(&results, &why);
	/* If the call that makes a folder finds it existing, the results go there. */
	if (err) {
		assert_non_null(strstr(why.text, "are kept in memory"));
		assert_null(strchr(why.text, '\n'));
		assert_true(results.nkept > 0);
	}
	stick.fail_at = 0;
	assert_int_equal(results_write(&results, &why), 0);
	assert_int_equal(results.nwritten, FILES);
	if (error == -ENOENT)
		check_spread();
	else
		check_results(results.folder);
	end(NULL);
}

TEST_WITH(each_call_fails, begin, end)
{
	static const int errors[] = {-ENOSPC, -EROFS, -ENODEV, -EIO, -ENOENT, -EEXIST, -EINVAL};
	unsigned calls;
	struct reason why;

	add_results();
	assert_int_equal(results_write(&results, &why), 0);
	calls = stick.calls;
	assert_true(calls > 10);
	end(NULL);
	for (unsigned call = 1; call <= calls; call++)
		for (size_t i = 0; i < sizeof(errors) / sizeof(errors[0]); i++)
			for (unsigned times = 0; times < 3; times++) {
				/* The search for a name ends even if the file system says that each
				 * name is taken. */
				if (errors[i] == -EEXIST && !times)
					continue;
				fail_at_call(call, times, errors[i]);
			}
	begin(NULL);
}

TEST_WITH(reasons_are_told, begin, end)
{
	static const struct {
		int error;
		const char *why;
	} rows[] = {
		{-ENOSPC, "the stick is full: results (4 files, "},
		{-EROFS, "the stick is write-protected: results (4 files, "},
		{-ENODEV, "the stick is gone: results (4 files, "},
		{-EIO, "the stick can not be written (error 5): results (4 files, "},
	};
	struct reason why;

	add_results();
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		stick.calls = 0;
		stick.fail_at = 1;
		stick.error = rows[i].error;
		assert_int_equal(results_write(&results, &why), rows[i].error);
		assert_non_null(strstr(why.text, rows[i].why));
	}
	results.disk = NULL;
	assert_int_equal(results_write(&results, &why), -ENODEV);
	assert_int_equal(results.nkept, FILES);
}

/* A small file is written although the file before it was too large. */
TEST_WITH(a_full_stick_takes_what_fits, begin, end)
{
	struct reason why;

	stick.room = 1000;
	add_result(1, 100000);
	add_result(2, 600);
	add_result(3, 600);
	add_result(4, 300);
	assert_int_equal(results_write(&results, &why), -ENOSPC);
	assert_non_null(strstr(why.text, "(2 files, 100,600 bytes)"));
	check_file(FIRST, 2, 600);
	check_file(FIRST, 4, 300);
	assert_int_equal(stick.used, 900);
	add_result(5, 50);
	assert_int_equal(results_write(&results, &why), -ENOSPC);
	check_file(FIRST, 5, 50);
	stick.room = 0;
	assert_int_equal(results_write(&results, &why), 0);
	check_file(FIRST, 1, 100000);
	check_file(FIRST, 3, 600);
}

/* The stick is replaced by another one. */
TEST_WITH(another_stick, begin, end)
{
	struct reason why;

	add_result(1, 10);
	assert_int_equal(results_write(&results, &why), 0);
	empty_stick();
	add_result(2, 20);
	assert_int_equal(results_write(&results, &why), 0);
	check_file(FIRST, 2, 20);
}

TEST_WITH(names_fit_any_file_system, begin, end)
{
	static const struct {
		const char *board, *date, *label;
	} rows[] = {
		{"X11DPi-N", "20261123", "X11DPi-N-20261123"},
		{NULL, NULL, "unknown-nodate"},
		{"", "", "unknown-nodate"},
		{"  ", "20261123", "unknown-20261123"},
		{"To be filled by O.E.M.", "1", "To-be-filled-by-O.E.M-1"},
		{"a/b\\c:d*e?f\"g<h>i|j", "1", "a-b-c-d-e-f-g-h-i-j-1"},
		{"..\\..", "1", "unknown-1"},
		{".hidden", "1", "hidden-1"},
		{"\303\244\001\177x", "1", "x-1"},
		{"0123456789012345678901234567890123456789", "1", "012345678901234567890123-1"},
	};
	char name[RESULTS_NAME_MAX];

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		results_init(&results, &disk, rows[i].board, rows[i].date);
		assert_string_equal(results.label, rows[i].label);
	}
	assert_string_equal(results_name(name, 1, "stat", RESULTS_TEXT), "001-stat.txt");
	assert_string_equal(results_name(name, 12, "/perf0/bin/my prog", RESULTS_JSON),
			    "012-my-prog.json");
	assert_string_equal(results_name(name, 1234, "", RESULTS_STREAM), "1234-command.perf0");
	assert_string_equal(results_name(name, 4000000000u, "a:\\b\\c/", RESULTS_STREAM),
			    "4000000000-c.perf0");
}

/* Some allocations fail: the kept frames are whole, and the others are counted. */
TEST_WITH(memory_ends, begin, end)
{
	static uint8_t bytes[PIECE_FIRST + PIECE_BYTES * 2];
	struct pieces pieces = {0};

	for (uint64_t at = 1; at <= 3; at++) {
		shim_heap.calls = 0;
		shim_heap.fail_at = at;
		assert_false(pieces_add(&pieces, bytes, sizeof(bytes)));
		assert_int_equal(pieces.bytes, 0);
		assert_int_equal(pieces.lost, at * sizeof(bytes));
		assert_int_equal(shim_heap.pieces, 0);
	}
	shim_heap.fail_at = 0;
	assert_true(pieces_add(&pieces, bytes, 10));
	shim_heap.fail_at = shim_heap.calls + 2;
	assert_false(pieces_add(&pieces, bytes, sizeof(bytes)));
	assert_true(pieces_add(&pieces, bytes, PIECE_FIRST - 10));
	assert_int_equal(pieces.first->n, PIECE_FIRST);
	assert_ptr_equal(pieces.first, pieces.last);
	shim_heap.fail_at = shim_heap.calls + 1;
	assert_int_equal(results_add(&results, "x", &pieces), -ENOMEM);
	assert_int_equal(pieces.bytes, PIECE_FIRST);
	pieces_free(&pieces);
	shim_heap.fail_at = 0;
	pieces.most = 100;
	assert_true(pieces_add(&pieces, bytes, 100));
	assert_false(pieces_add(&pieces, bytes, 1));
	assert_true(pieces_add(&pieces, bytes, 0));
	pieces_free(&pieces);
	assert_int_equal(pieces.most, 100);
}
