// SPDX-License-Identifier: BSD-2-Clause
/* turns.c - turns N: the same as the workload `loop`, for other emulators than QEMU: two
 * instructions a turn. */
#include <stdlib.h>

int main(int argc, char **argv)
{
	unsigned long n = argc > 1 ? strtoul(argv[1], NULL, 0) : 1;

	__asm__ volatile("1: dec %0\n\t"
			 "jnz 1b"
			 : "+r"(n)
			 :
			 : "cc");
	return 0;
}
