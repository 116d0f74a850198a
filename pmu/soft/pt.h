/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * pt.h - writes packets of Intel PT, one after the other, into a small buffer that the caller
 * empties. SDM vol. 3, "Intel Processor Trace", "Trace Packets and Data Types".
 *
 * Up to six conditional branches are gathered into one byte. They are written before any packet
 * whose place among them matters. Addresses are compressed against the last one that was written.
 * Pure; any context.
 */
#ifndef PMU_SOFT_PT_H
#define PMU_SOFT_PT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The greatest length of each packet, in bytes. */
#define PT_TNT_BYTES    1
#define PT_IP_BYTES     7 /* an address has 48 bits */
#define PT_TSC_BYTES    8
#define PT_PSB_BYTES    16
#define PT_PSBEND_BYTES 2
#define PT_MODE_BYTES   2

/* pt_sync() with all the packets that it writes. */
#define PT_SYNC_BYTES \
	(PT_TNT_BYTES + PT_PSB_BYTES + PT_TSC_BYTES + PT_MODE_BYTES + PT_IP_BYTES + PT_PSBEND_BYTES)

#define PT_ROOM 128

struct pt {
	uint8_t out[PT_ROOM];
	size_t n;         /* bytes of `out` in use */
	uint64_t last_ip; /* 0: no address since the last PSB */
	uint8_t branches; /* 1: taken; the oldest in the highest bit */
	uint8_t nbranches;
};

/* pt_branch() - TNT: a conditional branch was taken or not. */
void pt_branch(struct pt *pt, bool taken);

/* pt_flush() - writes the branches gathered so far. */
void pt_flush(struct pt *pt);

/*
 * pt_tip() - TIP: an indirect branch went to `ip`. pt_fup() - FUP: the next packet's event happened
 * before the instruction at `ip`. pt_pge() - TIP.PGE: the traced code goes on at `ip`. pt_pgd() -
 * TIP.PGD: the traced code stops here; the packet has no address.
 */
void pt_tip(struct pt *pt, uint64_t ip);
void pt_fup(struct pt *pt, uint64_t ip);
void pt_pge(struct pt *pt, uint64_t ip);
void pt_pgd(struct pt *pt);

/* pt_tsc() - TSC: the low 56 bits of the time stamp counter. */
void pt_tsc(struct pt *pt, uint64_t tsc);

/*
 * pt_sync() - PSB to PSBEND, where a decoder can begin: the time (with `timed`), MODE.Exec for
 * 64-bit code, and the traced code's address `ip` (with `inside`).
 */
void pt_sync(struct pt *pt, bool timed, uint64_t tsc, bool inside, uint64_t ip);

#endif
