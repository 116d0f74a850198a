/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * results.h - results as files on the stick: \perf0\results\NNNN-BOARD-DATE\ is a folder for each
 * start of the machine, with the next free number. It has the results of each command:
 *
 * 	0007-X11DPi-N-20261123\
 * 		caps.txt
 * 		001-stat.txt  001-stat.json  001-stat.perf0
 * 		002-record.txt ...
 * 		unwritten.txt     how many files found no room
 *
 * Files that cannot be written stay in memory, and are tried again together with the next ones. So
 * a stick that is full, write-protected or was pulled loses no result. A file without room is
 * removed again; smaller files may still fit. Names consist of letters, digits, `-`, `_` and `.`,
 * which every file system accepts.
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
 * The file system, whose paths begin with `\`. Each function returns 0 or -E. -ENOSPC: full;
 * -EROFS: write-protected; -ENODEV: gone; -ENOENT: no such folder; -EEXIST (make_folder): it
 * exists. Any other error is reported as a number.
 */
struct results_disk {
	/* Calls `entry` for each name in the folder. */
	int (*list)(void *ctx, const char *folder, void (*entry)(void *to, const char *name),
		    void *to);
	int (*make_folder)(void *ctx, const char *folder);
	/* Offset 0 makes the file, or empties it first. Later writes come in ascending order. */
	int (*write)(void *ctx, const char *path, uint64_t offset, const void *bytes, size_t n);
	int (*sync)(void *ctx, const char *path); /* afterwards the file is on the medium */
	int (*remove)(void *ctx, const char *path);
	void *ctx;
};

struct results_file {
	struct results_file *next;
	char name[RESULTS_NAME_MAX];
	struct pieces content;
};

struct results {
	const struct results_disk *disk;   /* NULL: there is none, and all files are kept */
	char label[RESULTS_NAME_MAX];      /* BOARD-DATE */
	char folder[RESULTS_FOLDER_MAX];   /* "": not made yet */
	struct results_file *first, **end; /* files that are not written yet */
	unsigned nkept;                    /* number of these files, and their bytes */
	uint64_t kept_bytes;
	unsigned nwritten; /* number of written files */
	unsigned nnoted;   /* number of kept files that RESULTS_UNWRITTEN tells */
	bool has_note;     /* RESULTS_UNWRITTEN was written */
};

/*
 * results_init() - begins with no files. `board` is the name from SMBIOS; NULL or "": unknown.
 * `date` is YYYYMMDD; NULL or "": the firmware has none. `results` may not move from now on.
 */
void results_init(struct results *results, const struct results_disk *disk, const char *board,
		  const char *date);

enum results_form {
	RESULTS_TEXT,
	RESULTS_JSON,
	RESULTS_STREAM,
	RESULTS_FORMS,
};

/* results_name() - makes the name of a file of command `number` (from 1), whose line begins with
 * `word`; of a path the last part is used. Returns `name`. */
char *results_name(char name[RESULTS_NAME_MAX], unsigned number, const char *word,
		   enum results_form form);

/*
 * results_add() - adds a file to be written. `results` takes over the bytes of `content`, which is
 * then empty. -ENOMEM: `content` is unchanged.
 */
int results_add(struct results *results, const char *name, struct pieces *content);

/*
 * results_write() - writes the kept files in the order in which they were added. 0: all of them are
 * on the medium. Otherwise the first error with the reason, one sentence that says what is kept.
 */
int results_write(struct results *results, struct reason *why);

/*
 * results_note_unwritten() - writes RESULTS_UNWRITTEN into the folder if its number has changed:
 * how many files are not written, and the names of the first ones, a line each. The file takes its
 * room while there is some, so it can be written where nothing else can. Without a folder it does
 * nothing.
 */
#define RESULTS_UNWRITTEN "unwritten.txt"
void results_note_unwritten(struct results *results);

/* results_free() - frees the files that were not written. */
void results_free(struct results *results);

#endif
