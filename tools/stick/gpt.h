/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * gpt.h - the partition table of a stick: a protective MBR, and one EFI system partition in a GPT
 * (UEFI specification, "GUID Partition Table (GPT) Disk Layout").
 */
#ifndef TOOLS_STICK_GPT_H
#define TOOLS_STICK_GPT_H

#include <stdint.h>

#include "lib/reason.h"

#define GPT_SECTOR 512

/* Partitions begin at multiples of this number of bytes, and their sizes are multiples of it. */
#define GPT_ALIGN (UINT64_C(1) << 20)

/* The last bytes of a disk hold the second table and its header. */
#define GPT_TAIL (33 * GPT_SECTOR)

/*
 * gpt_part_bytes() - returns the size of the largest partition of a disk of `bytes`. `bytes` is a
 * multiple of GPT_ALIGN and more than two of it: one lies before the partition, and one behind it.
 */
uint64_t gpt_part_bytes(uint64_t bytes);

/*
 * gpt_write() - writes the tables of a disk of `disk` bytes into the file or device `fd`. The
 * partition has `bytes` bytes and begins at GPT_ALIGN. Equal values of `seed` make equal GUIDs. -E
 * with the reason.
 */
int gpt_write(int fd, uint64_t disk, uint64_t bytes, uint64_t seed, struct reason *why);

#endif
