/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * handoff.h - the data that boot/ passes to the runtime: all facts that only the firmware knows,
 * and none that the machine itself tells. Addresses are physical.
 */
#ifndef PERF0_HANDOFF_H
#define PERF0_HANDOFF_H

#include "include/perf0/handoff_args.h"

#include <stddef.h>
#include <stdint.h>

enum handoff_mem_type {
	HANDOFF_MEM_FREE,     /* free to use, including memory of the boot services */
	HANDOFF_MEM_IMAGE,    /* perf0 itself, its stack and the arrays of this structure */
	HANDOFF_MEM_ACPI,     /* tables, read-only */
	HANDOFF_MEM_MMIO,     /* to be mapped uncached */
	HANDOFF_MEM_RESERVED, /* the firmware's; never accessed */
};

struct handoff_mem {
	uint64_t base;  /* aligned to 4 KiB */
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

/*
 * The way home to the Linux that has started the image (there.h). Its kernel lies where it can
 * start; all of this memory is listed as reserved. kernel 0: there is no way home.
 */
struct handoff_home {
	uint64_t kernel, kernel_bytes; /* the kernel, and all memory that its start takes */
	uint64_t entry;                /* its entry for 64 bits */
	uint64_t params, params_bytes; /* its struct boot_params, and its command line */
	uint64_t results;              /* struct setup_data, whose `len` is 0, and its data */
	uint64_t results_bytes;        /* all of it */
};

#define HANDOFF_MAX_MEM 1024

struct handoff {
	uint64_t image_base;   /* load address of the image */
	uint64_t image_size;   /* bytes */
	uint64_t acpi_rsdp;    /* 0 when the firmware named none */
	uint64_t smbios;       /* entry point of SMBIOS; 0 when the firmware named none */
	uint64_t load_end_tsc; /* TSC at the exit from boot services */
	uint64_t stack_guard; /* the page below the stack of rt_start(), which the runtime unmaps */
	uint64_t stack_bytes; /* size of that stack, which begins right above that page */
	/*
	 * mode=borrow: the firmware's CR3. The firmware still owns all memory that is not free, and
	 * uses its devices (firmware.h). 0: mode=own.
	 */
	uint64_t firmware_root;
	uint32_t keyboards;   /* number of the firmware's keyboards; borrow mode only */
	uint32_t has_volume;  /* the image came from a volume with files; borrow mode only */
	uint64_t stash;       /* STASH_BYTES that keep results over a reset (stash.h); 0: none */
	uint32_t stash_found; /* 1: it holds results of the previous start */
	uint64_t archive;     /* a cpio archive of files that the loader left; 0: none */
	uint64_t archive_bytes;
	struct handoff_home home;
	char date[12];        /* YYYYMMDD; "": the firmware does not know */
	uint32_t odd_screens; /* screens that only the firmware can draw on */
	uint32_t nscreens;
	struct handoff_framebuffer screens[HANDOFF_MAX_SCREENS];
	uint64_t unreached; /* pages of free memory at HANDOFF_REACH and above, which are not listed
			     */
	uint32_t dropped;   /* ranges for which the list has no room */
	uint32_t nmem;
	struct handoff_mem
		mem[HANDOFF_MAX_MEM]; /* sorted by base, with adjacent ranges of one type merged */
	char args[HANDOFF_MAX_ARGS];  /* load options in UTF-8, terminated; "": none */
};

/* The limit of the physical addresses that ring 0 can map: its half of the address space. */
#define HANDOFF_REACH (1ull << 47)

/*
 * handoff_add_memory() - appends the range from `base` to `end`, multiples of 4096, to the list.
 * Empty ranges and addresses from HANDOFF_REACH on are left out. Ranges that find no room in the
 * list are counted in `dropped`. Memory that is not listed is not used. Any context.
 */
static inline void handoff_add_memory(struct handoff *handoff, uint64_t base, uint64_t end,
				      uint32_t type, uint32_t efi_type)
{
	const uint64_t from = base > HANDOFF_REACH ? base : HANDOFF_REACH;

	if (type == HANDOFF_MEM_FREE && end > from)
		handoff->unreached += (end - from) / 4096;
	end = end < HANDOFF_REACH ? end : HANDOFF_REACH;
	if (base >= end)
		return;
	if (handoff->nmem >= HANDOFF_MAX_MEM)
		handoff->dropped++;
	else
		handoff->mem[handoff->nmem++] =
			(struct handoff_mem){base, (end - base) / 4096, type, efi_type};
}

/*
 * rt_start() - the entry of the runtime. Boot services have ended or wait, interrupts are off, the
 * CPU is in long mode, on a stack inside the image. The firmware's identity mapping is repeated in
 * the upper half (arch/x86/mem/direct.h), where the image executes. Task context; never returns.
 */
_Noreturn void rt_start(const struct handoff *handoff);

#endif
