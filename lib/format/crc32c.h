/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * crc32c.h - CRC-32C (Castagnoli, reflected polynomial 0x82f63b78) as in iSCSI (RFC 3720, appendix
 * B.4). Any context.
 */
#ifndef LIB_FORMAT_CRC32C_H
#define LIB_FORMAT_CRC32C_H

#include <stddef.h>
#include <stdint.h>

/*
 * crc32c() - continues the CRC `crc` with `n` bytes and returns the new one; the first `crc` is 0.
 */
uint32_t crc32c(uint32_t crc, const void *data, size_t n);

#endif
