// SPDX-License-Identifier: BSD-2-Clause
/*
 * counted.c - code that is easily counted twice, or not at all: instructions across two pages,
 * accesses of more bytes than a register has after a return, and string instructions, stores and
 * calls that fault because their pages are not present yet.
 */
#include <stdlib.h>
#include <string.h>

#define PAGE  4096
#define PAGES 16

static long double values[64];
static char fresh[PAGES * PAGE], pushed[PAGES * PAGE] __attribute__((aligned(PAGE)));

void across(void);
__asm__(".text\n.balign 4096\n.skip 4090\n"
	"across: nop\n nop\n movabs $0x1234567812345678, %rax\n nop\n ret\n"
	".balign 4096\n");

__attribute__((noinline)) static void nothing(void)
{
	__asm__ volatile("");
}

static void call_on_fresh_page(char *stack)
{
	__asm__ volatile("mov %%rsp, %%r12\n mov %0, %%rsp\n call 1f\n1: mov %%r12, %%rsp"
			 :
			 : "r"(stack)
			 : "r12", "memory");
}

int main(int argc, char **argv)
{
	const int turns = argc > 1 ? atoi(argv[1]) : 100;
	void *to = fresh;
	long left = sizeof(fresh) / 2 / 8;

	for (int i = 0; i < turns; i++) {
		nothing();
		__asm__ volatile("fldt %0\n fstpt %1" : "+m"(values[1]), "+m"(values[2]));
		across();
	}
	__asm__ volatile("rep stosq" : "+D"(to), "+c"(left) : "a"(0) : "memory");
	for (int i = PAGES / 2; i < PAGES; i++)
		((volatile char *)fresh)[i * PAGE] = 1;
	for (int i = 1; i < PAGES; i++)
		call_on_fresh_page(pushed + i * PAGE);
	return 0;
}
