// SPDX-License-Identifier: BSD-2-Clause
/*
 * signal_file.c - signals of the reading process as a file, for signalfd(2). One queue serves
 * all processes, since a waiter may outlive each of them.
 */
#include "linux/task/signal_parts.h"

#include "lib/string.h"
#include "linux/file/wait.h"
#include "linux/task/sched.h"

#include <linux/signalfd.h>

static struct wait_queue watchers;

struct wait_queue *signal_file_queue(void)
{
	return &watchers;
}

void signal_file_tell(void)
{
	if (!wait_is_empty(&watchers))
		wait_wake(&watchers);
}

bool signal_file_pending(uint64_t mask)
{
	const struct task *t = sched_current();

	return t && mask & (t->signals.queue.pending | t->process->signals.queue.pending);
}

bool signal_file_take(uint64_t mask, void *to)
{
	struct task *t = sched_current();
	struct signalfd_siginfo *out = to;
	siginfo_t info;

	if (!signal_file_pending(mask) || !signal_take(t, mask, &info))
		return false;
	memset(out, 0, sizeof(*out));
	out->ssi_signo = (uint32_t)info.si_signo;
	out->ssi_errno = info.si_errno;
	out->ssi_code = info.si_code;
	out->ssi_pid = (uint32_t)info.si_pid;
	out->ssi_uid = info.si_uid;
	if (info.si_code == SI_TIMER) {
		out->ssi_tid = (uint32_t)info.si_tid;
		out->ssi_overrun = (uint32_t)info.si_overrun;
	}
	if (info.si_signo == SIGCHLD) {
		out->ssi_status = info.si_status;
	} else {
		out->ssi_int = info.si_value.sival_int;
		out->ssi_ptr = (uint64_t)info.si_value.sival_ptr;
	}
	return true;
}
