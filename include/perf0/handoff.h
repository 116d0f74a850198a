/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * handoff.h - what boot/ hands to the runtime: everything that only the firmware could tell, and
 * nothing that the machine can tell by itself. Addresses are physical.
 */
#ifndef PERF0_HANDOFF_H
#define PERF0_HANDOFF_H

#include <stddef.h>
#include <stdint.h>

enum handoff_mem_type {
	HANDOFF_MEM_FREE,     /* ours to use, boot services memory included */
	HANDOFF_MEM_IMAGE,    /* perf0 itself, its stack and this structure's arrays */
	HANDOFF_MEM_ACPI,     /* tables: read only */
	HANDOFF_MEM_MMIO,     /* map uncached */
	HANDOFF_MEM_RESERVED, /* the firmware's: never touch */
};

struct handoff_mem {
	uint64_t base;  /* bytes, 4 KiB aligned */
	uint64_t pages; /* of 4 KiB */
	uint32_t type;  /* enum handoff_mem_type */
	uint32_t efi_type;
};

/* A linear framebuffer of 32-bit pixels. */
struct handoff_framebuffer {
	uint64_t base;
	uint32_t width, height; /* pixels */
	uint32_t stride;        /* pixels from one line to the next */
	uint32_t masks[3];      /* of red, green and blue in a pixel */
};
#define HANDOFF_MAX_SCREENS 4

#define HANDOFF_MAX_MEM 1024

/*
 * The longest command line, in bytes without its end: at the console, and behind the boot options
 * of what the firmware hands over. A longer one is refused as a whole.
 */
#define COMMAND_LINE_MAX 65535

/* Load options: boot options, a command line, and its end. */
#define HANDOFF_MAX_ARGS (1024 + COMMAND_LINE_MAX + 1)

struct handoff {
	uint64_t image_base;   /* where the firmware loaded the image */
	uint64_t image_size;   /* bytes */
	uint64_t acpi_rsdp;    /* 0 when the firmware named none */
	uint64_t smbios;       /* its entry point; 0 when the firmware named none */
	uint64_t load_end_tsc; /* TSC when the boot services were left */
	uint64_t stack_guard; /* the page below the stack of rt_start(), for the runtime to unmap */
	uint64_t stack_bytes; /* of that stack, which begins right above that page */
	/*
	 * mode=borrow: what CR3 was; the firmware is still there, all memory but what is said to be
	 * free is its own, and its devices are in use (firmware.h). 0: mode=own.
	 */
	uint64_t firmware_root;
	uint32_t keyboards;   /* that the firmware has; borrowed only */
	uint32_t has_volume;  /* the image came from one that has files; borrowed only */
	uint64_t stash;       /* STASH_BYTES for results over a reset (stash.h); 0: none */
	uint32_t stash_found; /* 1: those of the start before are there */
	char date[12];        /* YYYYMMDD, "": the firmware does not know */
	uint32_t nscreens;
	struct handoff_framebuffer screens[HANDOFF_MAX_SCREENS];
	uint64_t unreached; /* pages of free memory at HANDOFF_REACH and beyond, which are not
			       listed */
	uint32_t nmem;
	struct handoff_mem mem[HANDOFF_MAX_MEM]; /* sorted by base, neighbours of one kind merged */
	char args[HANDOFF_MAX_ARGS]; /* load options in UTF-8, terminated; "" when there were none
				      */
};

/* Physical addresses that ring 0 can have: its half of the address space has as many. */
#define HANDOFF_REACH (1ull << 47)

/*
 * handoff_add_memory() - lists the bytes from `base` to `end`, multiples of 4096, behind what is
 * listed. Empty pieces are left out, so is what finds no room, and so is what lies beyond
 * HANDOFF_REACH: memory that is not listed is not used. Any context.
 */
static inline void handoff_add_memory(struct handoff *handoff, uint64_t base, uint64_t end,
				      uint32_t type, uint32_t efi_type)
{
	const uint64_t from = base > HANDOFF_REACH ? base : HANDOFF_REACH;

	if (type == HANDOFF_MEM_FREE && end > from)
		handoff->unreached += (end - from) / 4096;
	end = end < HANDOFF_REACH ? end : HANDOFF_REACH;
	if (base < end && handoff->nmem < HANDOFF_MAX_MEM)
		handoff->mem[handoff->nmem++] =
			(struct handoff_mem){base, (end - base) / 4096, type, efi_type};
}

/*
 * rt_start() - the runtime's entry: boot services are gone or wait, interrupts are off, the CPU is
 * in long mode, on a stack inside the image. What the firmware had mapped one to one is mapped in
 * the upper half, too (arch/x86/mem/direct.h), and there the image is executed. Task context; never
 * returns.
 */
_Noreturn void rt_start(const struct handoff *handoff);

#endif
