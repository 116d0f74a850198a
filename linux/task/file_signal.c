// SPDX-License-Identifier: BSD-2-Clause
/* file_signal.c - see file_signal.h. */
#include "linux/task/file_signal.h"

#include "linux/file/file.h"
#include "linux/task/task_parts.h"

/* si_band, by si_code. */
static const unsigned bands[] = {
	[POLL_IN] = POLLIN | POLLRDNORM,
	[POLL_OUT] = POLLOUT | POLLWRNORM | POLLWRBAND,
	[POLL_HUP] = POLLHUP | POLLERR,
};

/* Without F_SETSIG the signal is SIGIO without details. */
static siginfo_t info_of(const struct file *f, int code)
{
	siginfo_t info;

	if (!f->signal)
		return signal_info(SIGIO, SI_KERNEL);
	info = signal_info(f->signal, code);
	info.si_band = (long)bands[code];
	info.si_fd = f->signal_fd;
	return info;
}

static bool is_owner(const struct file *f, const struct task *t)
{
	return (uint32_t)f->owner == t->tid && !t->gone;
}

static void send_to_task(const struct file *f, const siginfo_t *info)
{
	for (struct task *t = task_tree.first; t; t = t->next_task)
		if (is_owner(f, t))
			signal_send_task(t, info);
}

static void send_to_processes(const struct file *f, const siginfo_t *info)
{
	for (struct process *p = task_tree.processes; p; p = p->next)
		if ((uint32_t)f->owner == (f->owner_kind == F_OWNER_PGRP ? p->group : p->pid) &&
		    p->threads)
			signal_send_process(p, info);
}

void file_signal(const struct file *f, int code)
{
	const siginfo_t info = info_of(f, code);
	const uint64_t flags = task_lock_tree();

	if (f->owner_kind == F_OWNER_TID)
		send_to_task(f, &info);
	else
		send_to_processes(f, &info);
	task_unlock_tree(flags);
}
