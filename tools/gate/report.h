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
	const struct gate_results *old, *got;
	const struct comparison *comparison;
	const struct unsteady_list *unsteady, *by_chance;
	bool explains_chance;          /* prints a line for each event that differs by chance */
	const struct sources *sources; /* sources of functions; NULL: unknown */
};

/* report_text() - appends the table of changes, the functions that moved, and a line of summary. */
void report_text(struct buf *out, const struct gate_report *report);

/*
 * report_junit() - appends JUnit's XML, with a test case for each benchmark. report_github() -
 * appends a line for each regression, which GitHub shows beside the code. report_summary() -
 * appends Markdown for the step's page. report_gitlab() - appends code quality: an array of JSON.
 */
void report_junit(struct buf *out, const struct gate_report *report);
void report_github(struct buf *out, const struct gate_report *report);
void report_summary(struct buf *out, const struct gate_report *report);
void report_gitlab(struct buf *out, const struct gate_report *report);

/* report_change() - appends "instructions:u 5 -> 6 (+1, +20%)". report_moved() - appends "work 5
 * -> 6 instructions, code 58 -> 61 bytes". */
void report_change(struct buf *out, const struct change *change);
void report_moved(struct buf *out, const struct moved *moved);

/* report_unsteady() - appends "instructions:u 5, then 6, most of it in work". */
void report_unsteady(struct buf *out, const struct unsteady *unsteady);

#endif
