/* SPDX-License-Identifier: BSD-2-Clause */
/* elf_file.h - an ELF file that is open for reading. */
#ifndef TOOLS_SYMBOLS_ELF_FILE_H
#define TOOLS_SYMBOLS_ELF_FILE_H

#include <libelf.h>
#include <stdbool.h>
#include <stddef.h>

#include "lib/reason.h"
#include "tools/util/buf.h"

/* Zeroed: closed. */
struct elf_file {
	Elf *elf; /* NULL: closed */
	int fd;   /* -1: the file is `memory` */
	struct buf memory;
};

/*
 * elf_file_open() - opens the regular file at `path`. Paths come from recordings and from other
 * files: a pipe or a device is refused, and none is waited for. Returns 0, or -E with the reason.
 */
int elf_file_open(struct elf_file *file, const char *path, struct reason *why);

/* elf_file_take() - the same of a descriptor, which is the file's from then on, also on error. */
int elf_file_take(struct elf_file *file, int fd, const char *path, struct reason *why);

/* elf_file_of_memory() - the same of bytes, which are the file's from then on. */
bool elf_file_of_memory(struct elf_file *file, struct buf *bytes);

void elf_file_close(struct elf_file *file);

/* elf_file_section() - the section of that name; NULL: none. */
Elf_Scn *elf_file_section(Elf *elf, const char *name);

/* elf_file_has_id() - is its build-id these bytes? */
bool elf_file_has_id(const struct elf_file *file, const void *id, size_t n);

#endif
