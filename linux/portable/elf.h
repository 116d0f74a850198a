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
	uint64_t address, bytes;      /* in memory; multiples of 4096 */
	uint64_t offset, skip, filed; /* `filed` bytes from `offset` of the file, `skip` bytes in */
	unsigned prot;                /* bits of enum elf_prot */
};

enum elf_prot { ELF_READ = 4, ELF_WRITE = 2, ELF_EXEC = 1 }; /* as PF_R, PF_W, PF_X */

/* The source of a file: `read` copies `n` bytes from `offset`, which lie within `bytes`; false:
 * it cannot. */
struct elf_source {
	bool (*read)(void *arg, uint64_t offset, void *to, size_t n);
	void *arg;
	uint64_t bytes;
};

#define ELF_INTERPRETER 256

struct elf {
	struct elf_source file;
	uint64_t base; /* what is added to addresses of the file */
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
 * elf_read() - files that can lie anywhere are put at `anywhere`, all have to be within [low,
 * high). NULL, or why it cannot be run: one sentence. elf_build_id() - bytes of the GNU build-id,
 * put at `build_id`, of any ELF file that has program headers, so of libraries, which have no entry
 * point, too; 0: it has none.
 */
const char *elf_read(struct elf *e, const struct elf_source *file, uint64_t anywhere, uint64_t low,
		     uint64_t high);
size_t elf_build_id(const struct elf_source *file, uint8_t build_id[ELF_BUILD_ID]);

#endif
