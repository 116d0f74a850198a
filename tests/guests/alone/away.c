// SPDX-License-Identifier: BSD-2-Clause
/*
 * away.c - away CONFIG TIMES: a program for Linux that moves the memory of a PCI device away and
 * back, as a kernel does to find its size. CONFIG is the sysfs file with the device's
 * configuration. PCI Local Bus Specification 3.0, "Command Register".
 */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define COMMAND        4
#define COMMAND_MEMORY 2u

static int write_command(int fd, uint16_t command)
{
	return pwrite(fd, &command, sizeof(command), COMMAND) == sizeof(command);
}

int main(int argc, char **argv)
{
	const int fd = argc == 3 ? open(argv[1], O_RDWR) : -1;
	uint16_t there;

	if (fd < 0 || pread(fd, &there, sizeof(there), COMMAND) != sizeof(there)) {
		perror(argc == 3 ? argv[1] : "away CONFIG TIMES");
		return EXIT_FAILURE;
	}
	for (long left = strtol(argv[2], NULL, 10); left > 0; left--)
		if (!write_command(fd, there & (uint16_t)~COMMAND_MEMORY) ||
		    !write_command(fd, there)) {
			perror(argv[1]);
			return EXIT_FAILURE;
		}
	return EXIT_SUCCESS;
}
