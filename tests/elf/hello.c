// SPDX-License-Identifier: BSD-2-Clause
/*
 * hello.c - a program as people write them: prints its arguments, and goes round a loop as often as the
 * last one says.
 */
#include <stdint.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Data, zeros and pointers that have to be relocated: all of it is checked. */
static const char *volatile greetings[] = {"hello from ring 3\n", "bye\n"};
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
	if (write(STDOUT_FILENO, text, strlen(text)) < 0)
		_exit(1);
}

static uint64_t number(const char *text)
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

int main(int argc, char **argv)
{
#ifdef UNKNOWN_CALL
	syscall(UNKNOWN_CALL, 0, 0, 0);
#endif
	print(greetings[0]);
	for (int i = 1; i < argc; i++) {
		print(argv[i]);
		print("\n");
	}
	turn(argc > 1 ? number(argv[argc - 1]) : 0);
	print(greetings[1]);
	return all_well() && !argv[argc] ? 0 : 1;
}
