/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * gate.h - one run of `perf0 gate`: measures benchmarks on one machine, and keeps the results of
 * commits. A function that fails returns the status after a message.
 */
#ifndef TOOLS_GATE_GATE_H
#define TOOLS_GATE_GATE_H

#include "tools/gate/commits.h"
#include "tools/gate/gate_config.h"
#include "tools/gate/kept_results.h"
#include "tools/gate/measure.h"
#include "tools/profile/stack_tree.h"
#include "tools/util/buf.h"

#define STATUS_OWN_ERROR 2 /* the gate cannot judge all benchmarks */

struct gate {
	struct options options; /* options of the machine */
	const char *baseline;   /* path of the baseline */
	struct gate_config config;
	struct buf events;
	struct gate_results old, got;
	bool has_old;             /* a baseline exists */
	struct stack_tree stacks; /* of functions, for --save and the page */
	struct buf commit_url;    /* of commits, without a hash; empty: unknown */
	char commit[COMMIT_MAX];  /* of HEAD; "": not asked for */
	struct kept kept;         /* results of --against */
	struct measuring measuring;
	struct profile_run profile; /* of the machine */
	const char **failed;        /* benchmarks whose measurement failed, after a message */
	size_t nfailed;
	int status;
};

/* gate_complain() - prints the reason; returns STATUS_OWN_ERROR. */
int gate_complain(const struct reason *why);

/* gate_own_status() - the gate's status for one of a run. A signal that ended a run remains the
 * tool's status. Anything else is an error of the gate. */
int gate_own_status(int status);

/* gate_note_failure() - the first one is the gate's status; 0: none. */
void gate_note_failure(struct gate *g, int status);

/* gate_measure_all() - measures all benchmarks of the shard into `g->got`. */
int gate_measure_all(struct gate *g);

/* gate_lacks_result() - returns whether the benchmark has no result to compare. */
bool gate_lacks_result(const struct gate *g, const char *benchmark);

/* gate_write_results() - writes results to the file `path`; NULL: does nothing. gate_save_file() -
 * likewise, and frees the bytes. */
int gate_write_results(const char *path, const struct gate_results *results);
int gate_save_file(const char *path, struct buf *bytes);

/* gate_find_against() - finds the results of --against. A gate that saves may begin with none. -E
 * with the reason. */
int gate_find_against(struct gate *g, struct reason *why);

/* gate_keep_results() - keeps the results as those of HEAD, whose files they should be of. */
int gate_keep_results(const struct gate *g);

/* gate_read_stacks() - reads the stacks beside the baseline. Without them a page has no graph. */
void gate_read_stacks(struct gate *g);

/* gate_find_commits() - finds the commits of the page, and where the CI shows them. */
void gate_find_commits(struct gate *g);

#endif
