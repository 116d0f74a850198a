// SPDX-License-Identifier: BSD-2-Clause
/*
 * jit.c - makes a function at run time, describes it in a jitdump (jit-PID.dump in the working
 * directory, by tools/perf/Documentation/jitdump-specification.txt) and in a perf map
 * (/tmp/perf-PID.map), and spends its time in it.
 * Prints the times by CLOCK_MONOTONIC, in ns, at which that began and ended.
 */
#define _GNU_SOURCE
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#define PAGE        4096
#define NAME        "made_loop"
#define TURNS       UINT64_C(300000)
#define ELF_X86_64  62
#define DUMP_MAGIC  0x4a695444
#define DUMP_LOADED 0

/* mov rax, rdi; 1: dec rax; jnz 1b; ret */
static const uint8_t code[] = {0x48, 0x89, 0xf8, 0x48, 0xff, 0xc8, 0x75, 0xfb, 0xc3};

struct dump_header {
	uint32_t magic, version, size, machine, reserved, pid;
	uint64_t time, flags;
};

struct dump_load {
	uint32_t id, size;
	uint64_t time;
	uint32_t pid, tid;
	uint64_t vma, address, bytes, index;
};

static uint64_t monotonic_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

static void give_up(const char *what)
{
	perror(what);
	exit(1);
}

/* perf finds the file by its mapping. */
static FILE *begin_dump(uint32_t pid)
{
	const struct dump_header header = {DUMP_MAGIC, 1,   sizeof(header), ELF_X86_64,
					   0,          pid, monotonic_ns(), 0};
	char name[32];
	FILE *dump;

	snprintf(name, sizeof(name), "jit-%u.dump", pid);
	dump = fopen(name, "w+");
	if (!dump || fwrite(&header, sizeof(header), 1, dump) != 1 || fflush(dump))
		give_up(name);
	if (mmap(NULL, PAGE, PROT_READ | PROT_EXEC, MAP_PRIVATE, fileno(dump), 0) == MAP_FAILED)
		give_up("mmap of the dump");
	return dump;
}

static void tell(FILE *dump, uint32_t pid, const void *made)
{
	const struct dump_load load = {
		.id = DUMP_LOADED,
		.size = sizeof(load) + sizeof(NAME) + sizeof(code),
		.time = monotonic_ns(),
		.pid = pid,
		.tid = pid,
		.vma = (uintptr_t)made,
		.address = (uintptr_t)made,
		.bytes = sizeof(code),
	};

	fwrite(&load, sizeof(load), 1, dump);
	fwrite(NAME, sizeof(NAME), 1, dump);
	fwrite(code, sizeof(code), 1, dump);
	if (fclose(dump))
		give_up("the dump");
}

static void map(uint32_t pid, const void *made)
{
	char name[32];
	FILE *file;

	snprintf(name, sizeof(name), "/tmp/perf-%u.map", pid);
	file = fopen(name, "w");
	if (!file)
		give_up(name);
	fprintf(file, "%lx %zx " NAME "\n", (unsigned long)(uintptr_t)made, sizeof(code));
	if (fclose(file))
		give_up(name);
}

int main(void)
{
	const uint32_t pid = (uint32_t)getpid();
	FILE *dump = begin_dump(pid);
	uint64_t (*made)(uint64_t turns);
	void *page = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	uint64_t began;

	if (page == MAP_FAILED)
		give_up("mmap");
	memcpy(page, code, sizeof(code));
	if (mprotect(page, PAGE, PROT_READ | PROT_EXEC))
		give_up("mprotect");
	memcpy(&made, &page, sizeof(made));
	tell(dump, pid, page);
	map(pid, page);
	began = monotonic_ns();
	made(TURNS);
	printf("pid %u from %llu to %llu\n", pid, (unsigned long long)began,
	       (unsigned long long)monotonic_ns());
	return 0;
}
