// SPDX-License-Identifier: BSD-2-Clause
/*
 * elf_image.c - see elf_image.h. elfutils parse the file: libelf the headers, libdw the build-id.
 */
#include "tools/symbols/elf_image.h"

#include <elfutils/libdwelf.h>
#include <errno.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>

#include "tools/symbols/elf_file.h"
#include "tools/util/artifact.h"

static int read_segments(struct elf_image *image, Elf *elf, struct reason *why)
{
	size_t n;

	if (elf_getphdrnum(elf, &n))
		return refuse(why, EINVAL, "%s: %s", image->path, elf_errmsg(-1));
	for (size_t i = 0; i < n && image->nsegments < ELF_SEGMENTS_MAX; i++) {
		GElf_Phdr header;

		if (!gelf_getphdr(elf, (int)i, &header) || header.p_type != PT_LOAD ||
		    !(header.p_flags & PF_X))
			continue;
		image->segments[image->nsegments++] = (struct elf_segment){
			.vaddr = header.p_vaddr,
			.offset = header.p_offset,
			.size = header.p_filesz,
		};
	}
	return 0;
}

static void read_build_id(struct elf_image *image, Elf *elf)
{
	const void *bits;
	ssize_t n = dwelf_elf_gnu_build_id(elf, &bits);

	if (n <= 0 || n > ELF_BUILD_ID_MAX)
		return;
	memcpy(image->build_id, bits, (size_t)n);
	image->build_id_size = (size_t)n;
}

int elf_image_read(struct elf_image *image, const char *path, struct reason *why)
{
	struct elf_file file;
	int err;

	*image = (struct elf_image){0};
	if (!realpath(path, image->path))
		return refuse(why, errno, "%s: %s", path, strerror(errno));
	err = elf_file_open(&file, image->path, why);
	if (err)
		return err;
	read_build_id(image, file.elf);
	err = read_segments(image, file.elf, why);
	elf_file_close(&file);
	return err;
}

uint64_t elf_image_vaddr(const struct elf_image *image, uint64_t offset)
{
	for (size_t i = 0; i < image->nsegments; i++)
		if (offset - image->segments[i].offset < image->segments[i].size)
			return offset - image->segments[i].offset + image->segments[i].vaddr;
	return offset;
}

bool elf_image_is_of(const struct elf_image *image, const struct wire_hello *hello)
{
	return image->build_id_size && image->build_id_size == hello->build_id_size &&
	       !memcmp(image->build_id, hello->build_id, image->build_id_size);
}

int elf_image_find(struct elf_image *image, const struct wire_hello *hello, struct reason *why)
{
	char path[PATH_MAX];
	int err = artifact_path(path, sizeof(path), ARTIFACT_ELF, why);

	if (!err)
		err = elf_image_read(image, path, why);
	if (!err && !elf_image_is_of(image, hello))
		err = refuse(why, ENOENT, "the image was not made from %s (build-ids differ)",
			     image->path);
	return err;
}
