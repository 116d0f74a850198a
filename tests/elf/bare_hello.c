// SPDX-License-Identifier: BSD-2-Clause
/*
 * bare_hello.c - a program without libc, so that all its instructions are in this file.
 * It prints its arguments, and executes a loop as often as the last one says.
 * It needs no relocation.
 */
#include "apps/workloads/sys.h"

/* Data and zeros: all of it is checked. */
static uint64_t initialized = 42;
static uint8_t zeros[5 * 4096];
#ifdef ZEROED /* so many zeros more, each page of which is written to */
uint8_t zeroed[ZEROED];
#endif
#ifdef FILED /* so many bytes of data more */
uint8_t filed[FILED] = {1};
#endif

static void print(const char *text)
{
	linux_write(1, text, text_length(text));
}

static uint64_t parse_decimal(const char *text)
{
	uint64_t n = 0;

	while (*text >= '0' && *text <= '9')
		n = 10 * n + (uint64_t)(*text++ - '0');
	return n;
}

__attribute__((noinline)) void turn(uint64_t n);

void turn(uint64_t n)
{
	while (n--)
		__asm__ volatile("");
}

static int all_well(void)
{
	for (unsigned i = 0; i < sizeof(zeros); i += 512)
		if (zeros[i])
			return 0;
	zeros[0] = 1;
#ifdef ZEROED
	for (uint64_t i = 0; i < sizeof(zeroed); i += 4096)
		zeroed[i]++;
#endif
	return initialized++ == 42;
}

_Noreturn void begin(uint64_t *stack);

void begin(uint64_t *stack)
{
	const uint64_t argc = stack[0];
	char *const *argv = (char **)(stack + 1);

#ifdef UNKNOWN_CALL
	linux_syscall3(UNKNOWN_CALL, 0, 0, 0);
#endif
	print("hello from ring 3\n");
	for (uint64_t i = 1; i < argc; i++) {
		print(argv[i]);
		print("\n");
	}
	turn(argc > 1 ? parse_decimal(argv[argc - 1]) : 0);
	print("bye\n");
	linux_exit_group(all_well() && !argv[argc] ? 0 : 1);
}

__asm__(".globl _start\n"
	"_start:\n\t"
	"mov %rsp, %rdi\n\t"
	"xor %ebp, %ebp\n\t"
	"call begin\n\t"
	"ud2");
