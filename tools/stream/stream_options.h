/* SPDX-License-Identifier: BSD-2-Clause */
/* stream_options.h - the options of commands that read a stream. */
#ifndef TOOLS_STREAM_STREAM_OPTIONS_H
#define TOOLS_STREAM_STREAM_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#define ANY_COMMAND UINT32_MAX

struct stream_options {
	const char *input;   /* the stream that `top` watches; NULL: that of its own machine */
	const char *store;   /* file that stores the stream of a line; NULL: none */
	uint64_t max_size;   /* most bytes of records, unpacked */
	uint32_t command;    /* from 0, or ANY_COMMAND */
	uint32_t time_limit; /* seconds that `attach` reads; 0: no limit */
	bool joined;         /* a stored stream may begin in the middle of a run */
};

#endif
