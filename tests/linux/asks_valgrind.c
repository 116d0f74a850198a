// SPDX-License-Identifier: BSD-2-Clause
/*
 * asks_valgrind.c - asks whether Valgrind runs it: from its own code, from a library, from code
 * that it has copied, from code that ends a page, with words in constant memory, and in a child. A
 * shared library with -DLIBRARY. The request is that of Valgrind's core ("Valgrind User Manual",
 * 3.1), written out for x86-64.
 */
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define RUNNING_ON_VALGRIND 0x1001
#define PAGE                4096

#define SEQUENCE                                                                \
	"rolq $3, %%rdi; rolq $13, %%rdi; rolq $61, %%rdi; rolq $51, %%rdi\n\t" \
	"xchgq %%rbx, %%rbx"

static inline unsigned long request_at(volatile const unsigned long *words, unsigned long otherwise)
{
	unsigned long result = otherwise;

	__asm__ volatile(SEQUENCE : "+d"(result) : "a"(words) : "cc", "memory");
	return result;
}

__attribute__((noinline)) static unsigned long ask(void)
{
	volatile unsigned long words[6] = {RUNNING_ON_VALGRIND};

	return request_at(words, 0);
}

#ifdef LIBRARY
unsigned long ask_in_library(void);
unsigned long ask_in_library(void)
{
	return ask();
}
#else
__attribute__((weak)) unsigned long ask_in_library(void);

static const volatile unsigned long constant_words[6] = {RUNNING_ON_VALGRIND};

/* mov %rdi, %rax; xor %edx, %edx; the sequence; mov %rdx, %rax; ret */
static const unsigned char code[] = {
	0x48, 0x89, 0xf8, 0x31, 0xd2, 0x48, 0xc1, 0xc7, 0x03, 0x48, 0xc1, 0xc7, 0x0d, 0x48,
	0xc1, 0xc7, 0x3d, 0x48, 0xc1, 0xc7, 0x33, 0x48, 0x87, 0xdb, 0x48, 0x89, 0xd0, 0xc3,
};

/* `offset`: of the code in its two pages. */
static unsigned long ask_in_copy(size_t offset)
{
	unsigned char *pages =
		mmap(NULL, 2 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	unsigned long (*copy)(const volatile unsigned long *) = (void *)(pages + offset);
	unsigned long result;

	memcpy(pages + offset, code, sizeof(code));
	if (mprotect(pages, 2 * PAGE, PROT_READ | PROT_EXEC))
		return 99;
	result = copy(constant_words);
	munmap(pages, 2 * PAGE);
	return result;
}

static unsigned long ask_in_child(void)
{
	const pid_t pid = fork();
	int status = 0;

	if (!pid)
		_exit((int)ask());
	waitpid(pid, &status, 0);
	return (unsigned long)WEXITSTATUS(status);
}

int main(void)
{
	unsigned long cut = 0, other;
	volatile unsigned long unknown[6] = {0x1fff};

	for (size_t i = 1; i <= sizeof(code); i++)
		cut += ask_in_copy(PAGE - i);
	other = request_at(unknown, 7);
	printf("own %lu, constant %lu, copied %lu, cut %lu of %zu, child %lu, other %lu\n", ask(),
	       request_at(constant_words, 0), ask_in_copy(64), cut, sizeof(code), ask_in_child(),
	       other);
	if (ask_in_library)
		printf("library %lu\n", ask_in_library());
	return 0;
}
#endif
