/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * report.h - writes the reports of a gate, for people and for CI: JUnit's XML, GitHub's annotations
 * and step summary, GitLab's code quality.
 */
#ifndef TOOLS_GATE_REPORT_H
#define TOOLS_GATE_REPORT_H

#include "tools/gate/compare.h"
#include "tools/gate/functions.h"
#include "tools/gate/measure.h"
#include "tools/util/buf.h"

struct gate_report {
	const char *baseline; /* path */
	bool can_update;      /* the baseline is a file that --update writes */
	const struct gate_results *old, *got;
	const struct comparison *comparison;
	const struct layouts *layouts;
	const struct unsteady_list *unsteady, *by_chance;
	bool explains_chance;            /* prints a line for each event that differs by chance */
	const struct sources *sources;   /* sources of functions; NULL: unknown */
	const struct stack_tree *stacks; /* of functions, before and now; NULL: unknown */
	const char *commit_url;          /* of a commit, without its hash; NULL: unknown */
	const char *old_commit, *commit; /* hashes; "": unknown */
};

/* report_text() - appends the table of changes, the functions that moved, and a line of summary. */
void report_text(struct buf *out, const struct gate_report *report);

/* report_json() - appends one object of JSON, whose form docs/GATE.md tells. report_sarif() -
 * appends SARIF 2.1.0 (OASIS), which code scanning takes. report_markdown() - appends a table for
 * the page of a job, or for a comment. */
void report_json(struct buf *out, const struct gate_report *report);
void report_sarif(struct buf *out, const struct gate_report *report);
void report_markdown(struct buf *out, const struct gate_report *report);

/*
 * report_junit() - appends JUnit's XML, with a test case for each benchmark. report_github() -
 * appends a line for each regression, which GitHub shows beside the code. report_summary() -
 * appends Markdown for the step's page. report_gitlab() - appends code quality: an array of JSON.
 */
void report_junit(struct buf *out, const struct gate_report *report);
void report_github(struct buf *out, const struct gate_report *report);
void report_summary(struct buf *out, const struct gate_report *report);
void report_gitlab(struct buf *out, const struct gate_report *report);

/*
 * report_change() - appends "instructions:u 5 -> 6 (+1, +20%)".
 * report_moved() - appends "work 50 -> 60 (+10) instructions: 5 -> 6 (+1) in each of 10 calls, code
 * 58 -> 61 bytes, work.c:12"; `sources` may be NULL.
 * report_others() - appends "3 others +12".
 * report_rebuilt() - appends "libc.so.6 is another build ...".
 * report_verdict() - returns "worse", or "" for VERDICT_SAME.
 */
void report_change(struct buf *out, const struct change *change);
void report_moved(struct buf *out, const struct moved *moved, const struct sources *sources);
void report_others(struct buf *out, const struct moved_list *list);
void report_rebuilt(struct buf *out, const struct rebuilt *rebuilt);
const char *report_verdict(enum verdict verdict);

/* report_unsteady() - appends "instructions:u 5, then 6, most of it in work". */
void report_unsteady(struct buf *out, const struct unsteady *unsteady);

#endif
