/* SPDX-License-Identifier: BSD-2-Clause */
/* image.h - the symbols of linker.ld: the begin and end of each part of this image. Each part
 * begins on a page, except inside of .rodata and .relro. Any context. */
#ifndef ARCH_X86_MEM_IMAGE_H
#define ARCH_X86_MEM_IMAGE_H

#include <stddef.h>
#include <stdint.h>

extern const uint8_t image_start[] __asm__("ImageBase");
extern const uint8_t __text_start[], __text_end[];
extern const uint8_t __user_text_start[], __user_text_end[];
extern const uint8_t __rodata_start[], __rodata_end[];
extern const uint8_t __user_rodata_start[], __user_rodata_end[];
extern const uint8_t __relro_start[], __relro_end[];
extern uint8_t __data_start[], __data_end[];
extern uint8_t __percpu_start[], __percpu_end[]; /* lib/percpu.h */
extern uint8_t __user_data_start[], __user_data_end[];
extern const uint8_t __build_id_start[], __build_id_end[];

/* One expected fault: both offsets are relative to their own place (see INSN_EXTABLE in insn.h). */
struct image_extable {
	int32_t from, to;
};
extern const struct image_extable __extable_start[], __extable_end[];

/* image_offset() - the ELF address of `va`; UINT64_MAX when it is not in the image. */
static inline uint64_t image_offset(uint64_t va)
{
	uint64_t offset = va - (uintptr_t)image_start;

	return offset < (uintptr_t)__user_data_end - (uintptr_t)image_start ? offset : UINT64_MAX;
}

/* image_build_id() - bytes of the build-id, at `*id`; 0: the image has none. */
size_t image_build_id(const uint8_t **id);

#endif
