// SPDX-License-Identifier: BSD-2-Clause
/* image.c - see image.h. */
#include "arch/x86/mem/image.h"

#include "lib/string.h"

/* ELF note header (System V gABI, "Note Section"), with the name that GNU build-ids have. */
struct note {
	uint32_t name_size, desc_size, type;
	char name[4];
	uint8_t desc[];
};

#define NOTE_GNU_BUILD_ID 3

size_t image_build_id(const uint8_t **id)
{
	const struct note *note = (const struct note *)__build_id_start;
	size_t room = (uintptr_t)__build_id_end - (uintptr_t)__build_id_start;

	if (room < sizeof(*note) || note->type != NOTE_GNU_BUILD_ID ||
	    note->desc_size > room - sizeof(*note))
		return 0;
	*id = note->desc;
	return note->desc_size;
}
