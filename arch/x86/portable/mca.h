/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * mca.h - hardware errors that the CPU records in its machine-check banks: Intel SDM vol. 3,
 * "Machine-Check Architecture", "Interpreting Machine-Check Error Codes". Any context.
 */
#ifndef ARCH_X86_PORTABLE_MCA_H
#define ARCH_X86_PORTABLE_MCA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The registers of a bank; `address` and `misc` are valid where `status` says so. */
struct mca_bank {
	uint64_t status, address, misc;
};

#define MCA_VALID       (1ull << 63)
#define MCA_OVERFLOW    (1ull << 62) /* another error came before this one was read */
#define MCA_UNCORRECTED (1ull << 61)
#define MCA_ENABLED     (1ull << 60)
#define MCA_MISC        (1ull << 59)
#define MCA_ADDRESS     (1ull << 58)
#define MCA_CORRUPT     (1ull << 57) /* the processor's context is corrupt */

#define MCA_BANKS_MOST 64

/* mca_banks() - the number of banks, up to MCA_BANKS_MOST; 0: the CPU has none, or does not report
 * them. mca_read() - reads a bank. False: it holds no error. */
unsigned mca_banks(void);
bool mca_read(unsigned bank, struct mca_bank *b);

/*
 * mca_text() - describes the error in one line: "uncorrected, context corrupt: cache, data read,
 * data, level 0"; `text` has `size` bytes. Returns `text`.
 */
#define MCA_TEXT_MAX 128
char *mca_text(uint64_t status, char *text, size_t size);

#endif
