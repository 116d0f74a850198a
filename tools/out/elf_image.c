// SPDX-License-Identifier: BSD-2-Clause
/* elf_image.c - see elf_image.h. By elfutils: libelf for the headers, libdw for the build-id. */
#include "tools/out/elf_image.h"

#include <elfutils/libdwelf.h>
#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

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

static int read_open(struct elf_image *image, int fd, struct reason *why)
{
	Elf *elf;
	int err;

	elf_version(EV_CURRENT);
	elf = elf_begin(fd, ELF_C_READ, NULL);
	if (!elf || elf_kind(elf) != ELF_K_ELF) {
		elf_end(elf);
		return refuse(why, ENOEXEC, "%s: not an ELF file", image->path);
	}
	read_build_id(image, elf);
	err = read_segments(image, elf, why);
	elf_end(elf);
	return err;
}

/* A path may come from a recording: a device or a pipe is not read. */
static bool is_plain_file(int fd)
{
	struct stat st;

	return !fstat(fd, &st) && S_ISREG(st.st_mode);
}

int elf_image_read(struct elf_image *image, const char *path, struct reason *why)
{
	int fd, err;

	*image = (struct elf_image){0};
	if (!realpath(path, image->path))
		return refuse(why, errno, "%s: %s", path, strerror(errno));
	fd = open(image->path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	if (fd < 0)
		return refuse(why, errno, "%s: %s", path, strerror(errno));
	err = is_plain_file(fd) ? read_open(image, fd, why)
				: refuse(why, ENOEXEC, "%s: not a plain file", path);
	close(fd);
	return err;
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
