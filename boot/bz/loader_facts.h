/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * loader_facts.h - what struct boot_params of <asm/bootparam.h> says, by any loader: nothing
 * of it is trusted. Linux, Documentation/arch/x86/zero-page.rst. Pure, but for the memory that
 * addresses in it name; the functions follow only those below `reach`.
 */
#ifndef BOOT_BZ_LOADER_FACTS_H
#define BOOT_BZ_LOADER_FACTS_H

#include "boot/bz/memory_map.h"

#include <asm/bootparam.h>
#include <stdbool.h>

/* facts_memory() - stores at most `most` ranges, and returns their number. */
size_t facts_memory(const struct boot_params *params, struct map_range *ranges, size_t most,
		    uint64_t reach);

/*
 * facts_options() - copies the command line, without the words that only loaders add. -E2BIG: it
 * does not fit; -EFAULT: it is not below `reach`.
 */
int facts_options(const struct boot_params *params, char *to, size_t size, uint64_t reach);

/* facts_archive() - the place of the initrd; false: there is none. */
bool facts_archive(const struct boot_params *params, uint64_t *at, uint64_t *bytes);

/* facts_screen() - notes the framebuffer, or that there is one with other pixels. */
void facts_screen(const struct boot_params *params, struct handoff *handoff);

/* facts_has_text() - the screen shows text of the VGA. */
bool facts_has_text(const struct boot_params *params);

/* facts_rsdp() - the RSDP's address by the loader, else in the tables of UEFI; 0: neither. */
uint64_t facts_rsdp(const struct boot_params *params, uint64_t reach);

/* facts_smbios() - the entry point of SMBIOS in the tables of UEFI; 0: none. */
uint64_t facts_smbios(const struct boot_params *params, uint64_t reach);

#endif
