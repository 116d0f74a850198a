/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * elf.h - reads ELF files of programs for Linux: 64-bit x86, at fixed addresses or anywhere
 * (System V ABI, AMD64 supplement). Programs relocate themselves, or their interpreter does.
 * Nothing in a file is trusted. Pure.
 */
#ifndef LINUX_PORTABLE_ELF_H
#define LINUX_PORTABLE_ELF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define ELF_SEGMENTS 16
#define ELF_BUILD_ID 20

/* One PT_LOAD, in whole pages. */
struct elf_segment {
	uint64_t address, bytes; /* in memory; multiples of 4096 */
	uint64_t offset, skip,
		filed; /* `filed` bytes of the file, from `offset` on, belong at address + skip */
	unsigned prot; /* bits of enum elf_prot */
};

enum elf_prot { ELF_READ = 4, ELF_WRITE = 2, ELF_EXEC = 1 }; /* as PF_R, PF_W, PF_X */

/* The source of a file. `read` copies `n` bytes from `offset` on, all within `bytes`; false: it
 * cannot. */
struct elf_source {
	bool (*read)(void *arg, uint64_t offset, void *to, size_t n);
	void *arg;
	uint64_t bytes;
};

#define ELF_INTERPRETER 256

struct elf {
	struct elf_source file;
	uint64_t base; /* added to all addresses of the file */
	uint64_t entry;
	uint64_t headers; /* where the program headers are in memory; 0: nowhere */
	unsigned nheaders;
	struct elf_segment segment[ELF_SEGMENTS];
	unsigned nsegments;
	uint64_t end;                      /* behind the highest segment */
	bool executable_stack;             /* asked for, by PT_GNU_STACK */
	char interpreter[ELF_INTERPRETER]; /* its path; empty: it is linked statically */
};

/*
 * elf_read() - reads the headers of a program. A position-independent program gets the base
 * `anywhere`. All segments have to lie within [low, high). NULL, or one sentence that says why the
 * program cannot run. elf_build_id() - writes the GNU build-id to `build_id`, and returns its
 * length in bytes; 0: none. The file may be any ELF file with program headers, so also a library
 * without an entry point.
 */
const char *elf_read(struct elf *e, const struct elf_source *file, uint64_t anywhere, uint64_t low,
		     uint64_t high);
size_t elf_build_id(const struct elf_source *file, uint8_t build_id[ELF_BUILD_ID]);

#endif
