// SPDX-License-Identifier: BSD-2-Clause
/* as_user.c - `as_user ID PROGRAM ARGUMENT...`: runs a program as user and group ID, alone. */
#include <grp.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	const id_t id = argc > 2 ? (id_t)strtoul(argv[1], NULL, 10) : 0;

	if (!id) {
		fprintf(stderr, "usage: as_user ID PROGRAM ARGUMENT...\n");
		return 2;
	}
	if (setgroups(0, NULL) || setgid(id) || setuid(id)) {
		perror("as_user");
		return 1;
	}
	execv(argv[2], argv + 2);
	perror(argv[2]);
	return 127;
}
