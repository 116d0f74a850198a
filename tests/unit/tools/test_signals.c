// SPDX-License-Identifier: BSD-2-Clause
/* test_signals.c - the signals that a run handles: also signals that were ignored before it began,
 * except for SIGHUP. */
#include "tools/util/signals.h"

#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/unit/test.h"

/* Returns the signal that a run gets when `number` is sent, if it began with `before`; 0: none. */
static int comes(int number, void (*before)(int), int also)
{
	void (*were)(int) = signal(number, before);
	struct signalfd_siginfo info = {0};
	sigset_t old, now;
	int signals = signals_open(also, &old);

	assert_true(signals >= 0);
	raise(number);
	if (read(signals, &info, sizeof(info)) != sizeof(info))
		info.ssi_signo = 0;
	raise(number); /* behind the end of the run: it ends nothing */
	signals_close(signals, &old);
	sigprocmask(SIG_SETMASK, NULL, &now);
	assert_int_equal(sigismember(&now, number), 0);
	signal(number, were);
	return (int)info.ssi_signo;
}

TEST(test_what_ends_a_run)
{
	static const int ending[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2};

	for (size_t i = 0; i < sizeof(ending) / sizeof(ending[0]); i++)
		assert_int_equal(comes(ending[i], SIG_DFL, 0), ending[i]);
	assert_int_equal(comes(SIGWINCH, SIG_DFL, 0), 0);
	assert_int_equal(comes(SIGWINCH, SIG_DFL, SIGWINCH), SIGWINCH);
}

TEST(test_what_was_ignored)
{
	assert_int_equal(comes(SIGINT, SIG_IGN, 0), SIGINT); /* a background job ignores it */
	assert_int_equal(comes(SIGQUIT, SIG_IGN, 0), SIGQUIT);
	assert_int_equal(comes(SIGHUP, SIG_IGN, 0), 0); /* nohup(1) */
	assert_true(comes(SIGHUP, SIG_DFL, 0));
}

/* A run that waits in read(2) for a pipe to which nothing is written. */
_Noreturn static void wait_for_ever(int said)
{
	int ends[2];
	char byte = 0;
	sigset_t old;

	signals_open(0, &old);
	if (pipe(ends) || write(said, &byte, 1) != 1)
		_exit(1);
	_exit(read(ends[0], &byte, 1) == 1);
}

TEST(test_a_wait_ends)
{
	static const int ending[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1};
	pid_t run[sizeof(ending) / sizeof(ending[0])];
	int said[2], status;
	char byte;

	assert_int_equal(pipe(said), 0);
	for (size_t i = 0; i < sizeof(ending) / sizeof(ending[0]); i++) {
		run[i] = fork();
		if (!run[i])
			wait_for_ever(said[1]);
		assert_int_equal(read(said[0], &byte, 1), 1);
		kill(run[i], SIGUSR2); /* ends nothing */
		kill(run[i], ending[i]);
	}
	for (size_t i = 0; i < sizeof(ending) / sizeof(ending[0]); i++) {
		assert_int_equal(waitpid(run[i], &status, 0), run[i]);
		assert_true(WIFSIGNALED(status));
		assert_int_equal(WTERMSIG(status), ending[i]);
	}
}
