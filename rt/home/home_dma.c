// SPDX-License-Identifier: BSD-2-Clause
/* home_dma.c - see home_dma.h. */
#include "rt/home/home_dma.h"

#include "arch/x86/dev/pci.h"
#include "lib/printf.h"
#include "rt/console/keep.h"
#include "rt/print/print.h"

#define MASTERS_MOST 64
#define MASTER_MAX   48 /* bytes of a device's line */

static size_t print_master(char *text, size_t room, const struct pci_device *device)
{
	const uint32_t ids = pci_ids(device);

	return (size_t)fmt_print(text, room, "%02x:%02x.%x %04x:%04x\n", device->bus, device->slot,
				 device->function, ids & 0xffff, ids >> 16);
}

void home_dma_tell(bool quiet)
{
	static char text[MASTERS_MOST * MASTER_MAX];
	struct pci_device masters[MASTERS_MOST];
	const unsigned n = pci_list_masters(masters, MASTERS_MOST);
	size_t used = 0;

	for (unsigned i = 0; i < n; i++) {
		used += print_master(text + used, sizeof(text) - used, &masters[i]);
		if (quiet)
			pci_end_master(&masters[i]);
	}
	if (n)
		keep_file("dma.txt", text, used);
	if (n && quiet)
		out("perf0: %u devices could write to memory (DMA), and cannot now\n%s", n, text);
	else if (n)
		out("perf0: %u devices may write to memory (DMA) while commands run; --quiet-dma ends "
		    "that\n%s",
		    n, text);
}
