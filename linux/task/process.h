/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * process.h - the resources that the threads of a process share, and its exit status, which stays
 * until the parent has asked for it. The lock of the tree of tasks (task_parts.h) guards the tree
 * of processes.
 */
#ifndef LINUX_TASK_PROCESS_H
#define LINUX_TASK_PROCESS_H

#include "lib/reason.h"
#include "linux/file/fd_table.h"
#include "linux/tree/walk.h"
#include "linux/mem/mm.h"
#include "linux/program/credentials.h"
#include "linux/program/exec.h"
#include "include/perf0/programs.h"
#include "linux/task/signal.h"
#include "linux/task/usage.h"
#include "linux/program/workload.h"

#include <linux/resource.h>
#include <stdbool.h>
#include <stdint.h>

struct pmu_task;
struct ptrace_end;
struct task;
struct ptimer;
struct sem_undo;

#define PROCESS_PATH 256 /* bytes of a stored path, with the terminator */

/* I/O by system calls, as in /proc/<pid>/io. */
struct process_io {
	uint64_t read, written; /* bytes */
	uint64_t reads, writes; /* calls */
};

/* State that prctl(2) and personality(2) set. A child inherits it, except the signal. */
struct process_ways {
	int death_signal;     /* PR_SET_PDEATHSIG: sent to it when its parent ends; 0: none */
	uint32_t personality; /* personality(2): stored and reported only */
	bool undumpable, keeps_capabilities, no_new_privileges;
	bool reaps; /* PR_SET_CHILD_SUBREAPER: it adopts descendants that lose their parent */
};

struct process {
	uint32_t pid;
	struct process *next, **link; /* list of all processes */
	struct process *parent;       /* NULL: no process waits for its status */
	struct process *first_child, *next_sibling, **sibling_link;
	uint32_t group, session;

	unsigned threads; /* number of threads that have not ended */
	struct task *first_thread;
	unsigned leaving;       /* number of these that have left its memory, but not the tree */
	struct mm *mm;          /* NULL: it has ended */
	struct fd_table *files; /* NULL: it has ended */
	struct tree_view view;  /* its root and working directory */
	struct credentials credentials;
	struct reason refusal; /* reason of the last refused event: perf_refusal() */
	struct signals signals;
	struct sem_undo *sem_undo; /* linux/ipc/sem.h */
	struct ptimer *timers;     /* ptimer.h */
	bool timers_busy;          /* a thread changes them */
	const struct workload_call
		*call;           /* the command's workload; NULL: execve(2) started the program */
	char path[PROCESS_PATH]; /* path of its program */
	struct rlimit64 limits[RLIM_NLIMITS]; /* RLIMIT_NOFILE is also in `files` */
	struct process_ways ways;

	/* The end of the process. */
	bool ending;              /* all of its threads are to end */
	const struct task *stays; /* execve(2): the thread that stays; NULL: none */
	bool dead;                /* it has ended, and no wait has collected it */
	int status;               /* as wait4(2) has it */
	int exit_signal;          /* signal for its parent; 0: none */
	bool vfork; /* its parent sleeps until this process has new memory or has ended */
	struct task_usage used; /* usage of threads that have ended */

	/* linux/task/ptrace.h. */
	struct ptrace_end *traced_ends; /* ended threads that it traced, to be reported */
	struct process *leader_tracer;  /* tracer of its first thread when that thread ended */
	struct process *held_by;        /* tracer that is notified of its end before its parent */
	int stop_signal;                /* signal that stops it; 0: none */
	bool stop_complete;             /* all threads have stopped */
	bool stop_unreported, continue_unreported; /* wait4(2) has not reported it yet */

	struct task_usage children; /* usage of children that a wait has collected */
	struct process_io io;
	uint64_t began; /* times_monotonic() */
};

/*
 * process_create() - returns a process without memory; NULL: no room for it.
 * process_forget() - frees a process that a wait has collected, or whose end no process waits for.
 */
struct process *process_create(uint32_t pid);
void process_forget(struct process *p);

/* process_set_memory() - gives the process `mm`, whose reference it takes over. Returns its
 * former memory with that reference, or NULL. */
struct mm *process_set_memory(struct process *p, struct mm *mm);

/*
 * process_set_files() - gives the process a table of files, whose reference it takes over, and
 * references to the root `root` and the working directory `cwd`.
 * process_copy_files() - copies the table, as fork(2) does, or uses the same one (`share`);
 * -ENOMEM. process_close_files() - drops the table. Without any lock.
 */
void process_set_files(struct process *p, struct fd_table *files, struct inode *root,
		       struct inode *cwd);
int process_copy_files(struct process *to, struct process *from, bool share);
void process_close_files(struct process *p);

/* The place of code in its file. addr2line accepts `address`. */
struct process_place {
	const char *file;
	uint64_t address;
};

/* process_find_place() - finds the place of an address of ring 3; false: no file has code there. */
bool process_find_place(const struct process *p, uint64_t ip, struct process_place *place);

/*
 * process_announce() - writes an MMAP2 record for each named part of the process's memory, for
 * `task`.
 * process_announce_area() - writes one for an area that mmap(2) has just made.
 */
void process_announce(const struct process *p, const struct pmu_task *task);
void process_announce_area(const struct process *p, const struct pmu_task *task, uint64_t address);

#endif
