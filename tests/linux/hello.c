// SPDX-License-Identifier: BSD-2-Clause
/* hello.c - prints its arguments, and ends with status 0. */
#include <stdio.h>

int main(int argc, char **argv)
{
	printf("hello, %d words", argc);
	for (int i = 1; i < argc; i++)
		printf(" [%s]", argv[i]);
	printf("\n");
	return 0;
}
