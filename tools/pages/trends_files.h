/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * trends_files.h - reads a file of results for trends: results of the gate, or JSON of
 * `gate --json`, `stat -j`, `bench -j` or `latency -j`.
 */
#ifndef TOOLS_PAGES_TRENDS_FILES_H
#define TOOLS_PAGES_TRENDS_FILES_H

#include "lib/reason.h"
#include "tools/pages/trends.h"

/*
 * trends_file_read() - adds the counts of the file at `path` to the version. Where the file does
 * not name benchmarks, it is of `benchmark`. -E with the reason, which names the file; then nothing
 * is added.
 */
int trends_file_read(struct trends *trends, size_t version, const char *path, const char *benchmark,
		     struct reason *why);

/* trends_text_read() - the same for the text of a file. The reason does not name it. */
int trends_text_read(struct trends *trends, size_t version, const char *text, size_t n,
		     const char *benchmark, struct reason *why);

/* trends_page_title() - returns the title of a page of perf0, allocated; NULL: the file is none. */
char *trends_page_title(const char *path);

#endif
