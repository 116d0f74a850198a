// SPDX-License-Identifier: BSD-2-Clause
/* results.c - see results.h. */
#include "rt/portable/results.h"

#include "lib/printf.h"
#include "lib/string.h"
#include "rt/base/heap.h"

#include <linux/errno.h>

#define NUMBER_DIGITS 4
#define BOARD_MOST    24  /* characters of the board in the name of a folder */
#define WORD_MOST     16  /* characters of the command in the name of a file */
#define NOTE_BYTES    512 /* a cluster has as many */

/* An error that no disk returns: no number is left for a folder. */
#define NUMBERS_USED EMLINK

/* --- Names --- */

static bool is_name_char(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
	       c == '_' || c == '.';
}

/* Makes a name from the first `most` characters of `from`. One dash replaces each run of other
 * characters. The name neither begins nor ends with a dash or a point: FAT drops a point at the
 * end. */
static void make_name(char *to, size_t most, const char *from, const char *without)
{
	size_t n = 0;

	for (; from && *from && n < most; from++) {
		if (is_name_char(*from) && (n || *from != '.'))
			to[n++] = *from;
		else if (n && to[n - 1] != '-')
			to[n++] = '-';
	}
	while (n && (to[n - 1] == '-' || to[n - 1] == '.'))
		n--;
	to[n] = '\0';
	if (!n)
		fmt_print(to, most + 1, "%s", without);
}

static const char *last_part(const char *path)
{
	const char *part = path;

	for (; *path; path++)
		if ((*path == '/' || *path == '\\') && path[1])
			part = path + 1;
	return part;
}

char *results_name(char name[RESULTS_NAME_MAX], unsigned number, const char *word,
		   enum results_form form)
{
	static const char *const suffixes[RESULTS_FORMS] = {
		[RESULTS_TEXT] = "txt",
		[RESULTS_JSON] = "json",
		[RESULTS_STREAM] = "perf0",
	};
	char plain[WORD_MOST + 1];

	make_name(plain, WORD_MOST, last_part(word), "command");
	fmt_print(name, RESULTS_NAME_MAX, "%03u-%s.%s", number, plain, suffixes[form]);
	return name;
}

void results_init(struct results *results, const struct results_disk *disk, const char *board,
		  const char *date)
{
	char plain_board[BOARD_MOST + 1], plain_date[BOARD_MOST + 1];

	make_name(plain_board, BOARD_MOST, board, "unknown");
	make_name(plain_date, BOARD_MOST, date, "nodate");
	*results = (struct results){.disk = disk};
	results->end = &results->first;
	fmt_print(results->label, sizeof(results->label), "%s-%s", plain_board, plain_date);
}

/* --- Kept files --- */

int results_add(struct results *results, const char *name, struct pieces *content)
{
	struct results_file *file = heap_alloc(sizeof(*file));

	if (!file)
		return -ENOMEM;
	fmt_print(file->name, sizeof(file->name), "%s", name);
	pieces_move(&file->content, content);
	*results->end = file;
	results->end = &file->next;
	results->nkept++;
	results->kept_bytes += file->content.bytes;
	return 0;
}

/* Frees the file that `*at` points to. `*at` then points to the next file. */
static void drop_file(struct results *results, struct results_file **at)
{
	struct results_file *file = *at;

	*at = file->next;
	if (results->end == &file->next)
		results->end = at;
	results->nkept--;
	results->kept_bytes -= file->content.bytes;
	pieces_free(&file->content);
	heap_free(file);
}

void results_free(struct results *results)
{
	while (results->first)
		drop_file(results, &results->first);
}

/* --- The folder --- */

/* The number at the begin of a folder's name; 0: the folder is none of ours. */
static unsigned number_of(const char *name)
{
	unsigned number = 0;

	for (size_t i = 0; i < NUMBER_DIGITS; i++, name++) {
		if (*name < '0' || *name > '9')
			return 0;
		number = number * 10 + (unsigned)(*name - '0');
	}
	return *name == '-' || !*name ? number : 0;
}

static void note_number(void *to, const char *name)
{
	unsigned *last = to;
	const unsigned number = number_of(name);

	*last = number > *last ? number : *last;
}

static int make_parents(const struct results_disk *disk)
{
	static const char *const folders[] = {"\\perf0", RESULTS_ROOT};

	for (size_t i = 0; i < sizeof(folders) / sizeof(folders[0]); i++) {
		const int err = disk->make_folder(disk->ctx, folders[i]);

		if (err && err != -EEXIST)
			return err;
	}
	return 0;
}

/* A number whose name exists, though the list did not show it, is skipped. */
static int make_numbered(struct results *results)
{
	const struct results_disk *disk = results->disk;
	char folder[RESULTS_FOLDER_MAX];
	unsigned number = 0;
	int err = disk->list(disk->ctx, RESULTS_ROOT, note_number, &number);

	if (err)
		return err;
	do {
		if (++number > RESULTS_NUMBERS)
			return -NUMBERS_USED;
		fmt_print(folder, sizeof(folder), RESULTS_ROOT "\\%04u-%s", number, results->label);
		err = disk->make_folder(disk->ctx, folder);
	} while (err == -EEXIST);
	if (!err)
		memcpy(results->folder, folder, sizeof(folder));
	return err;
}

static int have_folder(struct results *results)
{
	int err;

	if (results->folder[0])
		return 0;
	err = make_parents(results->disk);
	return err ? err : make_numbered(results);
}

/* --- Files --- */

static int write_pieces(const struct results_disk *disk, const char *path,
			const struct pieces *content)
{
	uint64_t at = 0;
	int err = disk->write(disk->ctx, path, 0, "", 0);

	for (const struct piece *piece = content->first; piece && !err; piece = piece->next) {
		err = disk->write(disk->ctx, path, at, piece->bytes, piece->n);
		at += piece->n;
	}
	return err ? err : disk->sync(disk->ctx, path);
}

static int write_there(struct results *results, const struct results_file *file)
{
	const struct results_disk *disk = results->disk;
	char path[RESULTS_PATH_MAX];
	int err = have_folder(results);

	if (err)
		return err;
	fmt_print(path, sizeof(path), "%s\\%s", results->folder, file->name);
	err = write_pieces(disk, path, &file->content);
	if (err == -ENOSPC)
		disk->remove(disk->ctx, path);
	return err;
}

/* Another stick may be there by now, without the folder. */
static int write_result(struct results *results, const struct results_file *file)
{
	const bool had_folder = results->folder[0];
	int err = write_there(results, file);

	if (err != -ENOENT || !had_folder)
		return err;
	results->folder[0] = '\0';
	return write_there(results, file);
}

static int tell_kept(const struct results *results, int err, struct reason *why)
{
	static const struct {
		int err;
		const char *what;
	} rows[] = {
		{-ENOSPC, "the stick is full"},
		{-EROFS, "the stick is write-protected"},
		{-ENODEV, "the stick is gone"},
		{-NUMBERS_USED, "all numbers up to 9999 are used in " RESULTS_ROOT
				", from which old folders may be removed"},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (rows[i].err == err)
			return refuse(why, -err,
				      "%s: results (%u files, %'llu bytes) are kept in memory, and "
				      "are written with the next ones",
				      rows[i].what, results->nkept,
				      (unsigned long long)results->kept_bytes);
	return refuse(
		why, -err,
		"the stick can not be written (error %d): results (%u files, %'llu bytes) are "
		"kept in memory, and are written with the next ones",
		-err, results->nkept, (unsigned long long)results->kept_bytes);
}

/* Only a file without room is skipped: a later one may be smaller. */
int results_write(struct results *results, struct reason *why)
{
	struct results_file **at = &results->first;
	int first = 0, err = 0;

	while (*at && (!err || err == -ENOSPC)) {
		err = results->disk ? write_result(results, *at) : -ENODEV;
		if (err) {
			first = first ? first : err;
			at = &(*at)->next;
		} else {
			results->nwritten++;
			drop_file(results, at);
		}
	}
	return first ? tell_kept(results, first, why) : 0;
}

void results_note_unwritten(struct results *results)
{
	const struct results_disk *disk = results->disk;
	char text[NOTE_BYTES], path[RESULTS_PATH_MAX];
	int n;

	if (!disk || !results->folder[0] ||
	    (results->has_note && results->nnoted == results->nkept))
		return;
	n = fmt_print(text, sizeof(text), "%u\n", results->nkept);
	for (const struct results_file *f = results->first;
	     f && (size_t)n + RESULTS_NAME_MAX < sizeof(text); f = f->next)
		n += fmt_print(text + n, sizeof(text) - (size_t)n, "%s\n", f->name);
	fmt_print(path, sizeof(path), "%s\\" RESULTS_UNWRITTEN, results->folder);
	if (disk->write(disk->ctx, path, 0, "", 0) ||
	    disk->write(disk->ctx, path, 0, text, (size_t)n) || disk->sync(disk->ctx, path))
		return;
	results->has_note = true;
	results->nnoted = results->nkept;
}
