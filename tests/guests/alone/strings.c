// SPDX-License-Identifier: BSD-2-Clause
/*
 * strings.c - a program for Linux with REP string instructions. QEMU counts each iteration, and the
 * final check that finds no iteration left. CMPS and SCAS skip that check if they end by a match.
 * In ring 3 there are 4 * 100001 + 2 * 8 + 2 + 3 of these, and 27 others.
 */
#define BYTES "$100000"

__attribute__((used)) static unsigned char from[100000], to[100000];

__attribute__((naked, noreturn)) void _start(void)
{
	__asm__("lea to(%rip), %rdi\n" /* 4 that do not repeat */
		"mov " BYTES ", %ecx\n"
		"xor %eax, %eax\n"
		"cld\n"
		"rep stosb\n"
		"lea from(%rip), %rsi\n" /* 3 */
		"lea to(%rip), %rdi\n"
		"mov " BYTES ", %ecx\n"
		"rep movsb\n"
		"lea from(%rip), %rsi\n" /* 3 */
		"lea to(%rip), %rdi\n"
		"mov " BYTES ", %ecx\n"
		"repe cmpsb\n"
		"lea to(%rip), %rdi\n" /* 2 */
		"mov " BYTES ", %ecx\n"
		"repe scasb\n"
		"lea from(%rip), %rsi\n" /* 2 */
		"mov $7, %ecx\n"
		"rep lodsq\n"
		"lea to(%rip), %rdi\n" /* 3 */
		"xor %eax, %eax\n"
		"mov $7, %ecx\n"
		"rep stosq\n"
		"xor %ecx, %ecx\n" /* 1 */
		"rep stosb\n"
		"rep movsq\n"
		"lea to(%rip), %rdi\n" /* 6: the third byte is found */
		"movb $1, 2(%rdi)\n"
		"mov $1, %eax\n"
		"mov $7, %ecx\n"
		"nop\n"
		"nop\n"
		"repne scasb\n"
		"mov $60, %eax\n" /* exit: 3 */
		"xor %edi, %edi\n"
		"syscall\n");
}
