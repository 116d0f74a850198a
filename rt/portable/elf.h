/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * elf.h - reads ELF files of programs: 64-bit x86, linked statically, at a fixed address within
 * ring 3's or position-independent with no other relocations than R_X86_64_RELATIVE (System V ABI,
 * AMD64 supplement). Nothing in a file is believed. Pure.
 */
#ifndef RT_PORTABLE_ELF_H
#define RT_PORTABLE_ELF_H

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

struct elf {
	const uint8_t *file;
	size_t bytes;
	uint64_t base; /* what is added to addresses of the file */
	uint64_t entry;
	uint64_t headers; /* where the program headers are in memory; 0: nowhere */
	unsigned nheaders;
	struct elf_segment segment[ELF_SEGMENTS];
	unsigned nsegments;
	uint64_t rela, rela_bytes; /* offset in the file of the table of relocations; 0: none */
	const uint8_t *build_id;   /* NULL: none */
	size_t build_id_bytes;
};

/*
 * elf_read() - `file`, whose memory stays as long as `e` is used; files that can lie anywhere are
 * put at `anywhere`, all have to be within [low, high). NULL, or why it cannot be run: one
 * sentence; what elf_relocate() would refuse for itself is among it.
 */
const char *elf_read(struct elf *e, const void *file, size_t bytes, uint64_t anywhere, uint64_t low,
		     uint64_t high);

/*
 * elf_relocate() - calls `store` for each relocation: 8 bytes at an address of memory become
 * `value`. NULL, or why not.
 */
const char *elf_relocate(const struct elf *e,
			 int (*store)(void *arg, uint64_t address, uint64_t value), void *arg);

#endif
