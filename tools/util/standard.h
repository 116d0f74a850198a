/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * standard.h - what the rest of the tool takes for granted of its process: that descriptors 0 to 2
 * are standard input, output and error and no file that it opened itself, and that a file which may
 * not grow is an error of a write and no signal.
 */
#ifndef TOOLS_UTIL_STANDARD_H
#define TOOLS_UTIL_STANDARD_H

/*
 * standard_open() - before any file is opened. A standard descriptor that is closed becomes one on
 * which reading (0) or writing (1, 2) fails with EBADF: what has to be written is an error then,
 * and whatever is opened later has another number.
 */
void standard_open(void);

/*
 * standard_close() - flushes standard output and closes it. Returns `status`; or, if what was
 * printed could not be written and `status` is 0, the status of that, after a line about it - but
 * without one where the reader has gone.
 */
int standard_close(int status);

/*
 * standard_failed() - the status of output to `name` that failed with `error`, an errno: with a
 * line, but for a reader that has gone.
 */
int standard_failed(const char *name, int error);

#endif
