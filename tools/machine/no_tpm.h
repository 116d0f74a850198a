/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * no_tpm.h - tells OVMF that the machine has no TPM. At a TPM's address a PC without one reads
 * ones, and QEMU reads zeros. So OVMF talks to a TPM for 1.5 s of the machine's time, half of its
 * start.
 *
 * Before the first instruction, the memory of one of the machine's devices is moved to where it
 * covers that address, with a page of ones there. The firmware moves it away again when it places
 * all devices, behind its search for a TPM. TCG PC Client Platform TPM Profile Specification,
 * "TPM Register Space".
 */
#ifndef TOOLS_MACHINE_NO_TPM_H
#define TOOLS_MACHINE_NO_TPM_H

#include <stdbool.h>

#include "tools/machine/qemu.h"

/* A device with a shared memory that nothing uses at that place. */
struct no_tpm {
	const char *device; /* the id of an ivshmem-plain; NULL: there is none */
	int fd;             /* its memory */
	uint32_t bytes;
};

/* no_tpm_device() - chooses between the devices; a descriptor of -1: there is no such device. */
struct no_tpm no_tpm_device(const struct machine_options *options, int shared, int events);

/*
 * no_tpm_begin() - moves the memory of a machine that has been started with "-S", and lets the
 * machine run. A machine whose memory cannot be moved starts as slowly as it did.
 */
void no_tpm_begin(const struct no_tpm *no_tpm, struct qmp *qmp);

#endif
