/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * standard.h - establishes two assumptions of the tool about its process. Descriptors 0 to 2 are
 * standard input, output and error, and no other files. Exceeding the file size limit is an error
 * of a write, and no signal.
 */
#ifndef TOOLS_UTIL_STANDARD_H
#define TOOLS_UTIL_STANDARD_H

/*
 * standard_open() - to call before any file is opened. Replaces a closed standard descriptor by one
 * on which reading (0) or writing (1, 2) fails with EBADF. So lost output is an error, and no later
 * file gets its number.
 */
void standard_open(void);

/*
 * standard_close() - flushes and closes standard output. Returns `status`; if that is 0 and the
 * output could not be written, returns the status of a failure, after a message. There is no
 * message if the reader has gone.
 */
int standard_close(int status);

/*
 * standard_failed() - returns the status for output to `name` that failed with `error`, an errno.
 * Prints a message unless the reader has gone.
 */
int standard_failed(const char *name, int error);

#endif
