// SPDX-License-Identifier: BSD-2-Clause
/*
 * branchy.c - a program for Linux with all kinds of branches in ring 3: loops, calls, calls by
 * pointer, deeper nesting than a CPU remembers, system calls.
 */
static int twice(int x)
{
	return 2 * x;
}

static int thrice(int x)
{
	return 3 * x;
}

static int (*volatile functions[])(int) = {twice, thrice};

static long system_call(long number, long argument)
{
	long result;

	__asm__ volatile("syscall"
			 : "=a"(result)
			 : "a"(number), "D"(argument)
			 : "rcx", "r11", "memory");
	return result;
}

__attribute__((noinline)) static int sum(int n)
{
	int s = 0;

	for (int i = 0; i < n; i++)
		s += functions[i & 1](i) ^ (i % 3 ? 1 : 2);
	return s;
}

__attribute__((noinline)) static int deep(int n)
{
	return n ? deep(n - 1) + 1 : 0;
}

void _start(void)
{
	volatile int s = 0;

	for (int i = 0; i < 10; i++) {
		s += sum(20) + deep(80);
		system_call(39, 0); /* getpid */
	}
	system_call(60, 0); /* exit */
}
