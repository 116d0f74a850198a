/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * standard.h - what the rest of the tool takes for granted of its process: that descriptors 0 to 2
 * are standard input, output and error and no file that it opened itself, and that a file which may
 * not grow is an error of a write and no signal.
 */
#ifndef TOOLS_UTIL_STANDARD_H
#define TOOLS_UTIL_STANDARD_H

/*
 * standard_open() - call it before any file is opened. Replaces a closed standard descriptor by one
 * on which reading (0) or writing (1, 2) fails with EBADF. So lost output is an error, and no later
 * file gets its number.
 */
void standard_open(void);

/*
 * standard_close() - flushes and closes standard output. Returns `status`. If output could not be
 * written and `status` is 0, returns the status of that after a message, but without one if the
 * reader has gone.
 */
int standard_close(int status);

/*
 * standard_failed() - the status of output to `name` that failed with `error`, an errno. Prints a
 * message unless the reader has gone.
 */
int standard_failed(const char *name, int error);

#endif
