/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * result_json.h - the results of a command as one JSON object, made from the frames that it sent,
 * for the files on the stick:
 *
 * 	{"perf0" : "1.0", "cpu" : "...", "command" : "stat -e ...",
 * 	 "counts" : [
 * 	  {"cpu" : 0, "event" : "instructions:u", "value" : 2000005, "enabled-ns" : 1,
 * 	   "running-ns" : 1, "truth" : "exact"},
 * 	  {"cpu" : 0, "event" : "x", "errno" : 2}],
 * 	 "status" : 0,
 * 	 "samples" : {"overflows" : 0, "written" : 0, "lost" : 0, "refused" : 0}}
 *
 * A `value` is the count while the event ran, for `running-ns` of `enabled-ns`. A command without a
 * result has no "status". Portable; contexts as for heap_alloc().
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

/* result_json() - appends the object for the frames in `stream` to `to`. `room` is memory for this
 * function. False: there was no memory for all of it. */
bool result_json(struct result_json *room, struct pieces *to, const struct pieces *stream);

#endif
