/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * result_json.h - what a command gave as one object of JSON, made of the frames that it sent, for
 * the files on the stick:
 *
 *	{"perf0" : "1.0", "cpu" : "...", "command" : "stat -e ...",
 *	 "counts" : [
 *	  {"cpu" : 0, "event" : "instructions:u", "value" : 2000005, "enabled-ns" : 1,
 *	   "running-ns" : 1, "truth" : "exact"},
 *	  {"cpu" : 0, "event" : "x", "errno" : 2}],
 *	 "status" : 0,
 *	 "samples" : {"overflows" : 0, "written" : 0, "lost" : 0, "refused" : 0}}
 *
 * A `value` is what was counted while the event ran, for `running-ns` of `enabled-ns`. A command
 * without a result has no "status". Portable; contexts as heap_alloc()'s.
 */
#ifndef RT_PORTABLE_RESULT_JSON_H
#define RT_PORTABLE_RESULT_JSON_H

#include "lib/format/frame.h"
#include "rt/portable/memory_pieces.h"

#include <stdbool.h>

struct result_json {
	struct frame_reader reader;
	struct pieces *to;
	bool has_begun, has_count, has_room;
	struct wire_result result;
	bool has_result;
};

/* result_json() - of the frames in `stream`, behind what `to` has; `room` is for this function.
 * False: there was no memory for all of it. */
bool result_json(struct result_json *room, struct pieces *to, const struct pieces *stream);

#endif
