/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * perf.h - the contract between the runtime and programs in ring 3 that measure themselves: the
 * system calls 32 to 63 (include/perf0/workload.h says how one is made; user.h has a function for
 * each). Attributes, operations, layouts of what is read, records and control pages are those of
 * <linux/perf_event.h>, unchanged; perf_event_open(2) describes them.
 *
 * Events are known by handles: small numbers, PERF_HANDLES_MAX at most for each process, whose
 * threads share them. All are closed when the process ends, or becomes another program.
 *
 * What a program may measure: its own process, with attr.exclude_kernel, and its children by
 * attr.inherit. Other tasks, CPUs as such, ring 0, what the system traces and physical addresses
 * are refused with EACCES, unless it was started with `--allow-system`.
 *
 * Results below 0 are -errno, with the meaning that perf_event_open(2) gives it; LAST_REASON says
 * why in a sentence. EFAULT: memory that the program does not have, or may not write; EBADF: no
 * such handle; EINVAL: anything that is not described here.
 */
#ifndef PERF0_PERF_H
#define PERF0_PERF_H

#include "include/perf0/layout.h"

#include <linux/perf_event.h>
#include <stdint.h>

/*
 * perf_event_open(const struct perf_open *) -> handle. attr.size as the kernel has it: what a
 * program knows that the runtime does not must be zero (E2BIG; attr.size then says what it knows).
 * EMFILE: no handle is free; ENOMEM: no memory.
 */
#define PERF_SYS_OPEN 32
struct perf_open {
	const struct perf_event_attr *attr;
	int32_t task;   /* 0: the caller; a number: that task; -1: every task on `cpu` */
	int32_t cpu;    /* -1: any */
	int32_t group;  /* handle of the group's leader, -1: it is one itself */
	uint32_t flags; /* PERF_FLAG_FD_NO_GROUP, _FD_OUTPUT, _PID_CGROUP, _FD_CLOEXEC */
};

/*
 * (handle, buffer, bytes) -> bytes written, in the layout of attr.read_format; 0: a pinned event
 * that found no counter. ENOSPC: the buffer is too small.
 */
#define PERF_SYS_READ 33

/*
 * (handle, PERF_EVENT_IOC_..., argument) -> 0. ENABLE, DISABLE, RESET (argument: 0 or
 * PERF_IOC_FLAG_GROUP), REFRESH (overflows), PERIOD (uint64_t *), ID (uint64_t *), SET_OUTPUT
 * (handle, -1: nowhere), PAUSE_OUTPUT (0 or 1), SET_FILTER (text), MODIFY_ATTRIBUTES (attr).
 */
#define PERF_SYS_IOCTL 34

/* (handle) -> 0. Its ring goes with it: no event's records come there any more. */
#define PERF_SYS_CLOSE 35

/*
 * (handle, data pages, PROT_READ or PROT_READ | PROT_WRITE) -> address of the control page
 * (struct perf_event_mmap_page), which the data pages follow: a power of two, or 0 for the control
 * page alone. Read only, the ring is overwritten; else the program gives room back by data_tail.
 * From then on the process may use RDPMC: see selfread.h. EBUSY: it has a ring already; EPERM: more
 * than PERF_RINGS_MAX_PAGES in all; ENOMEM.
 */
#define PERF_SYS_MMAP        36
#define PERF_RINGS_MAX_PAGES 2048
#define PERF_PROT_READ       1
#define PERF_PROT_WRITE      2

/* (handle) -> 0. Events that wrote into its ring write nowhere from now on. */
#define PERF_SYS_MUNMAP 37

/*
 * (handle, ns or -1) -> PERF_POLL_ bits: waits until there is something to say of the event, for so
 * long at most; 0: nothing came. IN: its ring has what attr.wakeup_events or wakeup_watermark ask
 * to be told of, said once; HUP: it came to its limit. EBUSY: another thread waits there; EBADF: it
 * was closed meanwhile.
 */
#define PERF_SYS_POLL 38
#define PERF_POLL_IN  0x01
#define PERF_POLL_HUP 0x10

/* () -> 0. Each event of the calling task, as PR_TASK_PERF_EVENTS_ENABLE and _DISABLE of prctl(2).
 */
#define PERF_SYS_TASK_ENABLE  39
#define PERF_SYS_TASK_DISABLE 40

/* (buffer, bytes) -> bytes of the sentence that told why the process was refused last, without a
 * zero at the end; 0: nothing was. It is cut where the buffer ends. */
#define PERF_SYS_LAST_REASON 41

/*
 * (name, bytes) -> 0: a region of this task begins and ends. What the events that `stat` was asked
 * for counted in it is added up by name, over all its calls and all tasks, and printed behind the
 * counts; without `stat` both do nothing. Regions nest and overlap as they like. EINVAL: a name has
 * 1 to PERF_REGION_NAME_MAX characters that can be printed; EBUSY: it has begun already; ENOSPC:
 * there are 32 regions, or the task is in PERF_REGIONS_OPEN; ENOENT: END without BEGIN; ENOMEM.
 */
#define PERF_SYS_REGION_BEGIN 42
#define PERF_SYS_REGION_END   43
#define PERF_REGION_NAME_MAX  31
#define PERF_REGIONS_OPEN     8

/*
 * (handler, stack) -> 0: the next fault of this task that would end it does not; it goes on at
 * `handler` with RSP = `stack`, the exception's vector in RDI, its error code in RSI, of a page
 * fault the address in RDX, and in RCX where it came from; all other registers are as they were,
 * the flags as at the start. That is once: a fault in the handler, before it asked for the next,
 * ends the task. (0, 0): no more.
 */
#define PERF_SYS_ON_FAULT 56

#endif
