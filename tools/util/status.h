/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * status.h - exit statuses of perf0 itself. The image's own statuses (1 failed, 2 usage, 127 no
 * such command, 128 + signal) pass through.
 */
#ifndef TOOLS_UTIL_STATUS_H
#define TOOLS_UTIL_STATUS_H

#define STATUS_FAILED    1   /* a file could not be read or written */
#define STATUS_USAGE     2   /* wrong command line; nothing was started */
#define STATUS_NOT_FOUND 127 /* the image has no such command; nothing was started */
#define STATUS_TIMEOUT   124 /* a timeout ended the machine or its workload */
#define STATUS_MACHINE   125 /* no machine, a machine that died, or counts that do not add up */
#define STATUS_SIGNAL    128 /* plus the number of the signal that ended the run */

#endif
