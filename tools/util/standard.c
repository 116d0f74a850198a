// SPDX-License-Identifier: BSD-2-Clause
/* standard.c - see standard.h. */
#include "tools/util/standard.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "tools/util/message.h"
#include "tools/util/status.h"

/*
 * Opens a closed descriptor in the wrong direction, so that its use fails. open() takes the lowest
 * free number.
 */
static void fill_descriptor(int fd)
{
	const int flags = fd == STDIN_FILENO ? O_WRONLY : O_RDONLY;

	if (fcntl(fd, F_GETFD) >= 0 || errno != EBADF)
		return;
	if (open("/dev/null", flags) != fd && open("/", O_RDONLY | O_DIRECTORY) != fd)
		_exit(STATUS_FAILED);
}

void standard_open(void)
{
	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
		fill_descriptor(fd);
	signal(SIGXFSZ, SIG_IGN);
}

int standard_failed(const char *name, int error)
{
	if (error == EPIPE)
		return STATUS_SIGNAL + SIGPIPE;
	message("perf0: %s: %s", name, error ? strerror(error) : "could not be written");
	return STATUS_FAILED;
}

int standard_close(int status)
{
	bool failed = ferror(stdout);
	int error = 0;

	errno = 0;
	if (fclose(stdout)) {
		failed = true;
		error = errno;
	}
	return failed && !status ? standard_failed("standard output", error) : status;
}
