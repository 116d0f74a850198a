// SPDX-License-Identifier: BSD-2-Clause
/* sums.c - a program for Linux that executes exactly 2 * 1000000 + 4 instructions in ring 3. */
__attribute__((naked, noreturn)) void _start(void)
{
	__asm__("mov $1000000, %ecx\n"
		"1: dec %ecx\n"
		"jnz 1b\n"
		"mov $60, %eax\n" /* exit */
		"xor %edi, %edi\n"
		"syscall\n");
}
