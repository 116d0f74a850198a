/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * results.h - results as files on the stick: \perf0\results\NNNN-BOARD-DATE\, a folder for each
 * start of the machine, with the next number that is free there, and in it what each command gave:
 *
 *	0007-X11DPi-N-20261123\
 *		caps.txt
 *		001-stat.txt  001-stat.json  001-stat.perf0
 *		002-record.txt ...
 *
 * What can not be written stays in memory and is tried again with what comes next: a stick that is
 * full, write-protected, or was pulled costs nothing that was measured. A file that found no
 * room is taken away again, and smaller ones may find some. Names are of letters, digits, `-`, `_`
 * and `.`, which every file system takes.
 *
 * Portable; task context, one caller at a time.
 */
#ifndef RT_PORTABLE_RESULTS_H
#define RT_PORTABLE_RESULTS_H

#include "lib/reason.h"
#include "rt/portable/memory_pieces.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define RESULTS_ROOT       "\\perf0\\results"
#define RESULTS_NUMBERS    9999
#define RESULTS_NAME_MAX   64  /* with its end */
#define RESULTS_FOLDER_MAX 128 /* with its end */
#define RESULTS_PATH_MAX   (RESULTS_FOLDER_MAX + RESULTS_NAME_MAX)

/*
 * The file system, whose paths begin with `\`. Each returns 0 or -E: -ENOSPC it is full, -EROFS it
 * is write-protected, -ENODEV it is gone, -ENOENT there is no such folder, -EEXIST (make_folder)
 * there is already; any other is told as a number.
 */
struct results_disk {
	/* Calls `entry` for each name in the folder. */
	int (*list)(void *ctx, const char *folder, void (*entry)(void *to, const char *name),
		    void *to);
	int (*make_folder)(void *ctx, const char *folder);
	/* Offset 0 makes the file, or makes it empty before; the others come in their order. */
	int (*write)(void *ctx, const char *path, uint64_t offset, const void *bytes, size_t n);
	int (*sync)(void *ctx, const char *path); /* it is on the medium */
	int (*remove)(void *ctx, const char *path);
	void *ctx;
};

struct results_file {
	struct results_file *next;
	char name[RESULTS_NAME_MAX];
	struct pieces content;
};

struct results {
	const struct results_disk *disk;   /* NULL: there is none, and all is kept */
	char label[RESULTS_NAME_MAX];      /* BOARD-DATE */
	char folder[RESULTS_FOLDER_MAX];   /* "": not made yet */
	struct results_file *first, **end; /* that are not written */
	unsigned nkept;                    /* files of these, and their bytes */
	uint64_t kept_bytes;
	unsigned nwritten; /* files */
};

/*
 * results_init() - nothing is written yet. `board` is whatever SMBIOS says, NULL or "": unknown;
 * `date` as YYYYMMDD, NULL or "": the firmware has none. `results` does not move from now on.
 */
void results_init(struct results *results, const struct results_disk *disk, const char *board,
		  const char *date);

enum results_form {
	RESULTS_TEXT,
	RESULTS_JSON,
	RESULTS_STREAM,
	RESULTS_FORMS,
};

/* results_name() - that of a file of command `number` (from 1), whose line begins with `word`; a
 * path is its last part. Returns `name`. */
char *results_name(char name[RESULTS_NAME_MAX], unsigned number, const char *word,
		   enum results_form form);

/*
 * results_add() - a file that is to be written, whose content is `results`'s from now on, and
 * `content` is empty. -ENOMEM: it was left alone.
 */
int results_add(struct results *results, const char *name, struct pieces *content);

/*
 * results_write() - writes what is kept, in the order in which it was added. 0: all of it is on the
 * medium; else the first error with the reason, one sentence that says what is kept.
 */
int results_write(struct results *results, struct reason *why);

/* results_free() - gives up what was not written. */
void results_free(struct results *results);

#endif
