// SPDX-License-Identifier: BSD-2-Clause
/* no_tpm.c - see no_tpm.h. */
#include "tools/machine/no_tpm.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "include/perf0/events_page.h"
#include "include/perf0/shared.h"

#define TPM_ADDRESS UINT32_C(0xfed40000)
#define TPM_BYTES   4096 /* of the first locality, which is the only one that is looked at */

/* PCI Local Bus Specification, "Configuration Mechanism" and "Configuration Space Header". */
#define PCI_ADDRESS_PORT   0xcf8
#define PCI_DATA_PORT      0xcfc
#define PCI_ENABLE         0x80000000u
#define PCI_COMMAND        0x04
#define PCI_COMMAND_MEMORY 0x02
#define PCI_BAR2           0x18
#define PCI_FUNCTION_SHIFT 8

_Static_assert((TPM_ADDRESS & (SHARED_BYTES - 1)) >= SHARED_IN_OFFSET &&
		       (TPM_ADDRESS & (SHARED_BYTES - 1)) + TPM_BYTES <=
			       SHARED_IN_OFFSET + SHARED_IN_BYTES,
	       "a machine reads there only what the tool has written");
_Static_assert((TPM_ADDRESS & (EVENTS_PAGE_BYTES - 1)) >=
		       offsetof(struct events_page, reserved_end),
	       "nothing uses the memory there");

/* With KVM nothing is slow there, and the memory would share a page with other registers. */
struct no_tpm no_tpm_device(const struct machine_options *options, int shared, int events)
{
	if (options->accel == ACCEL_KVM || options->firmware != MACHINE_OVMF)
		return (struct no_tpm){0};
	if (events >= 0)
		return (struct no_tpm){"events", events, EVENTS_PAGE_BYTES};
	if (shared >= 0)
		return (struct no_tpm){"shared", shared, SHARED_BYTES};
	return (struct no_tpm){0};
}

static bool write_ones(const struct no_tpm *no_tpm)
{
	uint8_t ones[TPM_BYTES];

	memset(ones, 0xff, sizeof(ones));
	return pwrite(no_tpm->fd, ones, sizeof(ones), TPM_ADDRESS & (no_tpm->bytes - 1)) ==
	       (ssize_t)sizeof(ones);
}

/* Returns the address of the device's configuration space; 0: QEMU does not tell. */
static uint32_t find_device(const struct no_tpm *no_tpm, struct qmp *qmp)
{
	char path[64], place[16];
	unsigned function;

	snprintf(path, sizeof(path), "/machine/peripheral/%s", no_tpm->device);
	if (qmp_property(qmp, path, "addr", place, sizeof(place)) ||
	    sscanf(place, "%u", &function) != 1)
		return 0;
	return PCI_ENABLE | function << PCI_FUNCTION_SHIFT;
}

static int write_configuration(struct qmp *qmp, uint32_t at, uint32_t value)
{
	char line[64];
	int err;

	snprintf(line, sizeof(line), "o/w 0x%x 0x%" PRIx32, PCI_ADDRESS_PORT, at);
	err = qmp_monitor(qmp, line);
	snprintf(line, sizeof(line), "o/w 0x%x 0x%" PRIx32, PCI_DATA_PORT, value);
	return err ? err : qmp_monitor(qmp, line);
}

static void cover_tpm(const struct no_tpm *no_tpm, struct qmp *qmp)
{
	const uint32_t device = write_ones(no_tpm) ? find_device(no_tpm, qmp) : 0;

	if (device &&
	    !write_configuration(qmp, device + PCI_BAR2, TPM_ADDRESS & ~(no_tpm->bytes - 1)))
		write_configuration(qmp, device + PCI_COMMAND, PCI_COMMAND_MEMORY);
}

void no_tpm_begin(const struct no_tpm *no_tpm, struct qmp *qmp)
{
	struct reason ignored; /* a QEMU that does not answer has ended, which is reported later */

	if (qmp_begin(qmp, &ignored))
		return;
	cover_tpm(no_tpm, qmp);
	qmp_go_on(qmp, &ignored);
}
