// SPDX-License-Identifier: BSD-2-Clause
/* pt.c - see pt.h. */
#include "pmu/soft/pt.h"

#include "lib/panic.h"
#include "lib/string.h"

/* The first byte of each packet; of packets with an address, its low five bits. */
#define PT_EXTENDED   0x02
#define PT_PSB        0x82 /* follows PT_EXTENDED; both are repeated eight times */
#define PT_PSBEND     0x23 /* follows PT_EXTENDED */
#define PT_TSC        0x19
#define PT_MODE       0x99
#define PT_EXEC_64BIT 0x01 /* MODE leaf 0: CS.L, not CS.D */
#define PT_TIP        0x0d
#define PT_TIP_PGE    0x11
#define PT_TIP_PGD    0x01
#define PT_FUP        0x1d

/* The encoding of an address: bits 7 to 5 of the first byte. */
enum ip_bytes {
	IP_NONE = 0,
	IP_LOW_16 = 1, /* the other bits are those of the last address */
	IP_LOW_32 = 2,
	IP_LOW_48 = 3, /* the other bits are copies of bit 47 */
};
#define IP_SHIFT 5

#define TNT_MOST 6 /* branches in a short TNT */

static void put_packet(struct pt *pt, const void *bytes, size_t n)
{
	ASSERT(n <= sizeof(pt->out) - pt->n);
	memcpy(pt->out + pt->n, bytes, n);
	pt->n += n;
}

static void put_byte(struct pt *pt, unsigned byte)
{
	const uint8_t b = (uint8_t)byte;

	put_packet(pt, &b, 1);
}

/* Packets are little endian, as the CPU is. */
static void put_low(struct pt *pt, uint64_t value, size_t bytes)
{
	put_packet(pt, &value, bytes);
}

/* A 1 before the oldest branch marks how many there are; the lowest bit is 0. */
void pt_flush(struct pt *pt)
{
	if (!pt->nbranches)
		return;
	put_byte(pt, (1u << pt->nbranches | pt->branches) << 1);
	pt->branches = pt->nbranches = 0;
}

void pt_branch(struct pt *pt, bool taken)
{
	pt->branches = (uint8_t)(pt->branches << 1 | taken);
	if (++pt->nbranches == TNT_MOST)
		pt_flush(pt);
}

static void put_ip(struct pt *pt, unsigned packet, uint64_t ip)
{
	const uint64_t differs = ip ^ pt->last_ip;
	enum ip_bytes how = IP_LOW_48;

	pt_flush(pt);
	if (!(differs >> 16))
		how = IP_LOW_16;
	else if (!(differs >> 32))
		how = IP_LOW_32;
	put_byte(pt, packet | (unsigned)how << IP_SHIFT);
	put_low(pt, ip, 2 * (size_t)how);
	pt->last_ip = ip;
}

void pt_tip(struct pt *pt, uint64_t ip)
{
	put_ip(pt, PT_TIP, ip);
}

void pt_fup(struct pt *pt, uint64_t ip)
{
	put_ip(pt, PT_FUP, ip);
}

void pt_pge(struct pt *pt, uint64_t ip)
{
	put_ip(pt, PT_TIP_PGE, ip);
}

void pt_pgd(struct pt *pt)
{
	pt_flush(pt);
	put_byte(pt, PT_TIP_PGD | IP_NONE << IP_SHIFT);
}

void pt_tsc(struct pt *pt, uint64_t tsc)
{
	pt_flush(pt);
	put_byte(pt, PT_TSC);
	put_low(pt, tsc, 7);
}

void pt_sync(struct pt *pt, bool timed, uint64_t tsc, bool inside, uint64_t ip)
{
	pt_flush(pt);
	for (size_t i = 0; i < PT_PSB_BYTES / 2; i++) {
		put_byte(pt, PT_EXTENDED);
		put_byte(pt, PT_PSB);
	}
	pt->last_ip = 0;
	if (timed)
		pt_tsc(pt, tsc);
	put_byte(pt, PT_MODE);
	put_byte(pt, PT_EXEC_64BIT);
	if (inside)
		pt_fup(pt, ip);
	put_byte(pt, PT_EXTENDED);
	put_byte(pt, PT_PSBEND);
}
