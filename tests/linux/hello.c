// SPDX-License-Identifier: BSD-2-Clause
/* hello.c - what it was started with, and its exit status. */
#include <stdio.h>

int main(int argc, char **argv)
{
	printf("hello, %d words", argc);
	for (int i = 1; i < argc; i++)
		printf(" [%s]", argv[i]);
	printf("\n");
	return 0;
}
