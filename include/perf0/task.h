/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * task.h - the system calls with which ring 3 handles tasks and memory; see workload.h for how a
 * system call is made. Any pointer may be refused with EFAULT.
 */
#ifndef PERF0_TASK_H
#define PERF0_TASK_H

#include "include/perf0/workload.h"

#include <stdint.h>

/* () -> 0: tasks that wait for this CPU run first. */
#define WORKLOAD_SYS_YIELD 5

/*
 * (const struct workload_spawn *, bytes) -> tid of a new task. EINVAL: sizes, flags, an entry that
 * is no address of ring 3; ENOENT: no such program; E2BIG: too many arguments; EAGAIN: too many
 * tasks, those counted that have ended and that their parent did not WAIT for; ENOMEM. With
 * WORKLOAD_SPAWN_THREAD it shares the memory and the pid of its parent; else it is a process of its
 * own, with fresh memory. `argc` not 0: a program by its name in argv[0], with arguments as they
 * are typed; 0: this program, at `entry` with the numbers `args`. The parent's events with
 * attr.inherit count for it.
 */
#define WORKLOAD_SYS_SPAWN    6
#define WORKLOAD_SPAWN_THREAD 1
struct workload_spawn {
	uint64_t flags;
	uint64_t entry;
	uint64_t args[6];
	uint64_t argv; /* address of `argc` addresses of strings */
	uint64_t argc;
};
#define WORKLOAD_ARGV_MAX   16  /* strings */
#define WORKLOAD_ARGV_BYTES 512 /* of all strings, with their ends */

/*
 * (address of argc addresses of strings, argc): the task becomes another program, with fresh memory
 * and the name of that; its events with attr.enable_on_exec start. Returns where it cannot only:
 * errors as SPAWN, and EBUSY: there are other threads.
 */
#define WORKLOAD_SYS_EXEC 7

/*
 * (tid, or -1: any child; address of an int32_t for its exit status, or 0; flags) -> tid of a child
 * that has ended, which is forgotten then. Waits for it, but with WORKLOAD_WAIT_NO_HANG: 0. ECHILD:
 * there is no such child. The status of one that did not end by EXIT is 128 + a signal's number, as
 * shells tell it.
 */
#define WORKLOAD_SYS_WAIT     8
#define WORKLOAD_WAIT_NO_HANG 1

#define WORKLOAD_SYS_GETPID 9  /* () -> pid: of the process, which is that of its first thread */
#define WORKLOAD_SYS_GETTID 10 /* () -> tid */
#define WORKLOAD_SYS_GETCPU 11 /* () -> the CPU that this runs on, from 0 */
#define WORKLOAD_SYS_NCPUS  12 /* () -> how many there are */

/*
 * (tid, 0: this one; address of a mask, bit n of word n / 64 for CPU n; its bytes, a multiple of 8)
 * -> 0: it runs on these CPUs alone, from now on. EINVAL: none of them exists. ESRCH. GET writes
 * the mask, and returns the bytes written.
 */
#define WORKLOAD_SYS_SET_AFFINITY 13
#define WORKLOAD_SYS_GET_AFFINITY 14

/* (text, bytes) -> 0: the name of the task, of which 15 bytes are kept. */
#define WORKLOAD_SYS_SET_NAME 15

/*
 * (bytes, flags, offset) -> address of as many bytes, rounded up to pages, that come into being
 * with the first access to each page: zeros, a minor fault, or with WORKLOAD_MAP_FILE a copy of the
 * program's own file from `offset` on (a multiple of 4096), a major fault, with zeros behind its
 * end. ENOMEM: too much. UNMAP (address, bytes) -> 0: takes a whole mapping back; EINVAL: there is
 * none such.
 */
#define WORKLOAD_SYS_MAP       16
#define WORKLOAD_SYS_UNMAP     17
#define WORKLOAD_MAP_READ_ONLY 1
#define WORKLOAD_MAP_FILE      2

/* (tid) -> 0: ends a task of this process, or a child with all its threads. ESRCH; EPERM: neither.
 */
#define WORKLOAD_SYS_KILL 18

/*
 * WAIT_ON (address of a uint32_t, value, ns or -1) -> 0: sleeps until a WAKE of that address in
 * this process, if the value is still there; EAGAIN: it is not; ETIMEDOUT. WAKE (address, n) -> how
 * many tasks it woke, up to `n`.
 */
#define WORKLOAD_SYS_WAIT_ON 19
#define WORKLOAD_SYS_WAKE    20

#endif
