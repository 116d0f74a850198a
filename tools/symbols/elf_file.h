/* SPDX-License-Identifier: BSD-2-Clause */
/* elf_file.h - opens ELF files for reading. */
#ifndef TOOLS_SYMBOLS_ELF_FILE_H
#define TOOLS_SYMBOLS_ELF_FILE_H

#include <libelf.h>
#include <stdbool.h>
#include <stddef.h>

#include "lib/reason.h"
#include "tools/util/buf.h"

/* An open ELF file; a zeroed one is closed. */
struct elf_file {
	Elf *elf; /* NULL: closed */
	int fd;   /* -1: the file is in `memory` */
	struct buf memory;
};

/*
 * elf_file_open() - opens the regular file at `path`. Paths come from recordings and from other
 * files, so pipes and devices are refused without waiting for them. Returns 0, or -E with the
 * reason.
 */
int elf_file_open(struct elf_file *file, const char *path, struct reason *why);

/* elf_file_take() - like elf_file_open(), for a descriptor, which it takes over even on error. */
int elf_file_take(struct elf_file *file, int fd, const char *path, struct reason *why);

/* elf_file_of_memory() - like elf_file_open(), for bytes in memory, which it takes over. */
bool elf_file_of_memory(struct elf_file *file, struct buf *bytes);

void elf_file_close(struct elf_file *file);

/* elf_file_section() - returns the section of that name; NULL: none. */
Elf_Scn *elf_file_section(Elf *elf, const char *name);

/* elf_file_code() - returns the bytes at `address` of an executable segment, and in `n` their
 * number up to its end; NULL: there is no code. */
const uint8_t *elf_file_code(const struct elf_file *file, uint64_t address, uint64_t *n);

/* elf_file_has_id() - returns whether the file's build-id consists of these bytes. */
bool elf_file_has_id(const struct elf_file *file, const void *id, size_t n);

#endif
