// SPDX-License-Identifier: BSD-2-Clause
/*
 * qemu.c - see qemu.h: the process. The serial line is a pair of pipes and not a socket, because
 * QEMU writes single bytes. A pipe merges them. A socket would be full after a few hundred, and
 * QEMU would drop the rest.
 */
#include "tools/machine/qemu.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "tools/machine/no_tpm.h"
#include "tools/machine/qemu_args.h"
#include "tools/machine/shared_file.h"
#include "tools/saved/pages.h"
#include "tools/util/status.h"

#define MESSAGES_KEPT 4096 /* bytes */
#define PIPE_BYTES    (1 << 20)
#define EXIT_PAUSES   100 /* pauses of 10 ms */

/* Runs in the child: becomes QEMU, or reports to the parent why it cannot. */
_Noreturn static void become_qemu(char **argv, pid_t parent, const int fds[3], int kept, int report)
{
	int error;

	sigset_t none;

	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	signal(SIGPIPE, SIG_DFL);
	signal(SIGXFSZ, SIG_DFL);
	signal(SIGUSR2, SIG_DFL);
	/* QEMU has its own process group: perf0 decides about a ^C on the terminal. */
	setpgid(0, 0);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(STATUS_MACHINE);
	for (int fd = 0; fd < 3; fd++)
		dup2(fds[fd], fd);
	fcntl(kept, F_SETFD, 0);
	execvp(argv[0], argv);
	error = errno;
	if (write(report, &error, sizeof(error)) < 0)
		_exit(STATUS_MACHINE + 1);
	_exit(STATUS_MACHINE);
}

enum { GUEST_IN, GUEST_OUT, MESSAGES, REPORT, NPIPES };

static void close_pipes(int pipes[NPIPES][2])
{
	for (int i = 0; i < NPIPES; i++)
		for (int end = 0; end < 2; end++)
			if (pipes[i][end] >= 0)
				close(pipes[i][end]);
}

static int make_pipes(int pipes[NPIPES][2], struct reason *why)
{
	memset(pipes, -1, sizeof(int[NPIPES][2]));
	for (int i = 0; i < NPIPES; i++)
		if (pipe2(pipes[i], O_CLOEXEC))
			return refuse(why, errno, "pipe: %s", strerror(errno));
	/* Best effort: a small pipe is slower, not wrong. */
	fcntl(pipes[GUEST_OUT][1], F_SETPIPE_SZ, PIPE_BYTES);
	return 0;
}

/* Keeps the parent's end of a pipe, and clears it in `pipes`. */
static int keep_end(int pipes[NPIPES][2], int which, int end)
{
	int fd = pipes[which][end];

	pipes[which][end] = -1;
	fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK);
	return fd;
}

static int spawn_qemu(struct qemu *qemu, char **argv, int kept, struct reason *why)
{
	int pipes[NPIPES][2], error = 0;
	pid_t parent = getpid();
	int err = make_pipes(pipes, why);

	if (err)
		goto out;
	qemu->pid = fork();
	if (qemu->pid < 0) {
		err = refuse(why, errno, "fork: %s", strerror(errno));
		goto out;
	}
	if (!qemu->pid) {
		const int fds[3] = {pipes[GUEST_IN][0], pipes[GUEST_OUT][1], pipes[MESSAGES][1]};

		become_qemu(argv, parent, fds, kept, pipes[REPORT][1]);
	}
	close(pipes[REPORT][1]);
	pipes[REPORT][1] = -1;
	if (read(pipes[REPORT][0], &error, sizeof(error)) == sizeof(error)) {
		waitpid(qemu->pid, NULL, 0);
		err = refuse(why, error, "%s: can not be started: %s", argv[0], strerror(error));
		goto out;
	}
	qemu->to_guest = keep_end(pipes, GUEST_IN, 1);
	qemu->from_guest = keep_end(pipes, GUEST_OUT, 0);
	qemu->messages = keep_end(pipes, MESSAGES, 0);
out:
	close_pipes(pipes);
	return err;
}

/* Opens a socket for QMP: the tool's end goes to `qemu`, and QEMU's end is returned. */
static int open_monitor(struct qemu *qemu, struct reason *why)
{
	int ends[2];

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends))
		return refuse(why, errno, "socketpair: %s", strerror(errno));
	fcntl(ends[0], F_SETFL, fcntl(ends[0], F_GETFL) | O_NONBLOCK);
	qemu->qmp = (struct qmp){.fd = ends[0]};
	return ends[1];
}

int qemu_launch(struct qemu *qemu, struct args *args, const struct no_tpm *boots, bool is_told,
		struct reason *why)
{
	const bool is_held = boots && boots->device;
	int monitor = open_monitor(qemu, why), err;

	if (monitor < 0)
		return monitor;
	if (is_held)
		qemu_args_add(args, "-S");
	qemu_args_ends(args, monitor, !boots);
	if (is_told)
		qemu_args_print(args);
	err = spawn_qemu(qemu, args->v, monitor, why);
	close(monitor);
	if (err)
		close(qemu->qmp.fd);
	else if (is_held)
		no_tpm_begin(boots, &qemu->qmp);
	return err;
}

int qemu_start(struct qemu *qemu, const struct qemu_machine *machine, bool is_restored,
	       struct reason *why)
{
	const struct no_tpm no_tpm =
		no_tpm_device(machine->options, machine->shared ? machine->shared->fd : -1,
			      machine->counting->fd);
	struct args args = {0};
	struct launch launch;
	int err = launch_find(&launch, machine->options, why);

	if (!err)
		err = launch_open(&launch, machine, why);
	if (!err && machine->shared)
		err = shared_begin(machine->shared, why);
	if (!err && machine->memory && machine->memory->fd >= 0)
		err = memory_clear(machine->memory, why);
	if (!err)
		err = counting_reset(machine->counting, why);
	if (!err) {
		qemu_args_all(&args, machine, &launch);
		err = qemu_launch(qemu, &args, is_restored ? NULL : &no_tpm, machine->verbose, why);
	}
	qemu_args_free(&args);
	launch_end(&launch);
	return err;
}

void qemu_take_messages(const struct qemu *qemu, struct buf *messages)
{
	char bytes[512];
	ssize_t n;

	while ((n = read(qemu->messages, bytes, sizeof(bytes))) > 0)
		if (messages->size < MESSAGES_KEPT)
			buf_add(messages, bytes, (size_t)n);
}

void qemu_show_messages(struct buf *messages, bool all, struct console *console)
{
	char *rest = (char *)buf_text(messages), *line;

	while ((line = strsep(&rest, "\n")))
		if (*line && (all || !strstr(line, ": warning: ")))
			console_line(console, line);
}

/* Returns whether the process exits within the time that it may take to close its last file. */
static bool exits_by_itself(struct qemu *qemu, int *status)
{
	static const struct timespec pause = {.tv_nsec = 10 * 1000 * 1000};

	for (int i = 0; i < EXIT_PAUSES; i++) {
		if (waitpid(qemu->pid, status, WNOHANG) == qemu->pid)
			return true;
		nanosleep(&pause, NULL);
	}
	return false;
}

int qemu_end(struct qemu *qemu, bool is_gone)
{
	int status = 0;

	if (is_gone && exits_by_itself(qemu, &status))
		goto out;
	kill(qemu->pid, SIGKILL);
	while (waitpid(qemu->pid, &status, 0) < 0 && errno == EINTR)
		;
out:
	close(qemu->to_guest);
	close(qemu->from_guest);
	close(qemu->messages);
	close(qemu->qmp.fd);
	qmp_end(&qemu->qmp);
	return status;
}
