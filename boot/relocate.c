// SPDX-License-Identifier: BSD-2-Clause
/* relocate.c - see relocate.h. System V ABI, AMD64 supplement, "Relocation": the linker leaves only
 * the type RELATIVE in the images. */
#include "boot/relocate.h"

#include <elf.h>

#include <stddef.h>

extern const Elf64_Dyn _DYNAMIC[] __attribute__((visibility("hidden")));

void relocate_again(char *image, uint64_t distance)
{
	const Elf64_Rela *rela = NULL;
	size_t size = 0;

	for (const Elf64_Dyn *d = _DYNAMIC; d->d_tag != DT_NULL; d++) {
		if (d->d_tag == DT_RELA)
			rela = (const Elf64_Rela *)(ImageBase + d->d_un.d_ptr);
		else if (d->d_tag == DT_RELASZ)
			size = d->d_un.d_val;
	}
	for (size_t i = 0; i < size / sizeof(*rela); i++)
		if (ELF64_R_TYPE(rela[i].r_info) == R_X86_64_RELATIVE)
			*(uint64_t *)(image + rela[i].r_offset) += distance;
}
