/* SPDX-License-Identifier: BSD-2-Clause */
/* exit_status.h - exit statuses of commands, as a shell knows them. */
#ifndef RT_BASE_EXIT_STATUS_H
#define RT_BASE_EXIT_STATUS_H

#define STATUS_FAILED      1
#define STATUS_USAGE       2
#define STATUS_TIMEOUT     124
#define STATUS_INCOMPLETE  125 /* results are not where they should be */
#define STATUS_NOT_FOUND   127
#define STATUS_PANIC       134 /* 128 + SIGABRT */
#define STATUS_KILLED      137 /* 128 + SIGKILL */
#define STATUS_FAULTED     139 /* 128 + SIGSEGV, for every fault of a workload */
#define STATUS_INTERRUPTED 130 /* 128 + SIGINT */

#endif
