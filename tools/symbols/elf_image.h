/* SPDX-License-Identifier: BSD-2-Clause */
/* elf_image.h - reads what perf.data needs to know about an ELF file: path, build-id, code. */
#ifndef TOOLS_SYMBOLS_ELF_IMAGE_H
#define TOOLS_SYMBOLS_ELF_IMAGE_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "include/perf0/wire_frames.h"
#include "lib/reason.h"

#define ELF_BUILD_ID_MAX 20
#define ELF_SEGMENTS_MAX 16

struct elf_segment {
	uint64_t vaddr, offset, size; /* bytes */
};

struct elf_image {
	char path[PATH_MAX]; /* absolute, links resolved */
	uint8_t build_id[ELF_BUILD_ID_MAX];
	size_t build_id_size;
	struct elf_segment segments[ELF_SEGMENTS_MAX]; /* executable PT_LOAD segments */
	size_t nsegments;
};

/* elf_image_read() - reads the file at `path`. Returns 0, or -E with the reason. */
int elf_image_read(struct elf_image *image, const char *path, struct reason *why);

/*
 * elf_image_find() - reads the ELF file beside the tool, if its build-id is that of `hello`.
 * Returns 0, or -E with the reason.
 */
int elf_image_find(struct elf_image *image, const struct wire_hello *hello, struct reason *why);

/*
 * elf_image_vaddr() - returns the address of the file's byte at `offset`, if it is code; otherwise
 * returns `offset`.
 */
uint64_t elf_image_vaddr(const struct elf_image *image, uint64_t offset);

/* elf_image_is_of() - returns whether the file's build-id is that of `hello`. */
bool elf_image_is_of(const struct elf_image *image, const struct wire_hello *hello);

#endif
