/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * pt.h - packets of Intel PT, one after the other into a small buffer that the caller empties. SDM
 * vol. 3, "Intel Processor Trace", "Trace Packets and Data Types".
 *
 * Conditional branches are gathered, up to six of them in one byte, and come out before any packet
 * whose place among them means something. Addresses are compressed against the last one that was
 * written. Pure; any context.
 */
#ifndef PMU_SOFT_PT_H
#define PMU_SOFT_PT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The longest packets, in bytes. */
#define PT_TNT_BYTES    1
#define PT_IP_BYTES     7 /* 48 bits of address, which is all that there are */
#define PT_TSC_BYTES    8
#define PT_PSB_BYTES    16
#define PT_PSBEND_BYTES 2
#define PT_MODE_BYTES   2

/* pt_sync(), with all that it writes. */
#define PT_SYNC_BYTES \
	(PT_TNT_BYTES + PT_PSB_BYTES + PT_TSC_BYTES + PT_MODE_BYTES + PT_IP_BYTES + PT_PSBEND_BYTES)

#define PT_ROOM 128

struct pt {
	uint8_t out[PT_ROOM];
	size_t n;         /* bytes of `out` in use */
	uint64_t last_ip; /* 0: PSB came since */
	uint8_t branches; /* taken or not, oldest in the highest place */
	uint8_t nbranches;
};

/* pt_branch() - TNT: a conditional branch was taken, or not. */
void pt_branch(struct pt *pt, bool taken);

/* pt_flush() - the branches that were gathered. */
void pt_flush(struct pt *pt);

/*
 * pt_tip() - TIP: an indirect branch went to `ip`. pt_fup() - FUP: what follows happened before the
 * instruction at `ip`. pt_pge() - TIP.PGE: what is traced goes on at `ip`. pt_pgd() - TIP.PGD: it
 * ends here, at an address that is not told.
 */
void pt_tip(struct pt *pt, uint64_t ip);
void pt_fup(struct pt *pt, uint64_t ip);
void pt_pge(struct pt *pt, uint64_t ip);
void pt_pgd(struct pt *pt);

/* pt_tsc() - TSC: the low 56 bits of the time stamp counter. */
void pt_tsc(struct pt *pt, uint64_t tsc);

/*
 * pt_sync() - PSB to PSBEND, where decoders can begin: the time (`timed`), MODE.Exec for 64-bit
 * code, and with `inside` where the traced code stands.
 */
void pt_sync(struct pt *pt, bool timed, uint64_t tsc, bool inside, uint64_t ip);

#endif
