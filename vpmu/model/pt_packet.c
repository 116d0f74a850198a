// SPDX-License-Identifier: BSD-2-Clause
/* pt_packet.c - makes the packets. */
#include "vpmu/model/pt_packet.h"

#include "lib/string.h"

#define EXTENDED 0x02 /* the first byte of two-byte headers */

/* IPBytes: the compression of an address. */
enum ip_bytes { IP_NONE, IP_LOW_16, IP_LOW_32, IP_SIGNED_48 };
#define IP_BYTES_SHIFT 5

static struct pt_packet packet(const uint8_t *bytes, unsigned n)
{
	struct pt_packet p = {.n = (uint8_t)n};

	memcpy(p.byte, bytes, n);
	return p;
}

/* Appends `n` bytes of `v`. */
static void append(struct pt_packet *p, uint64_t v, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		p->byte[p->n++] = (uint8_t)(v >> 8 * i);
}

/* Outcomes follow the highest set bit, down to bit 1. */
struct pt_packet packet_tnt(unsigned outcomes, unsigned n)
{
	const uint8_t byte = (uint8_t)((1u << n | outcomes) << 1);

	return packet(&byte, 1);
}

static enum ip_bytes bytes_for(uint64_t ip, uint64_t last)
{
	if (ip >> 16 == last >> 16)
		return IP_LOW_16;
	return ip >> 32 == last >> 32 ? IP_LOW_32 : IP_SIGNED_48;
}

struct pt_packet packet_ip(enum pt_ip_packet kind, uint64_t ip, uint64_t *last)
{
	static const uint8_t widths[] = {[IP_LOW_16] = 2, [IP_LOW_32] = 4, [IP_SIGNED_48] = 6};
	const enum ip_bytes bytes = bytes_for(ip, *last);
	const uint8_t header = (uint8_t)(kind | (unsigned)bytes << IP_BYTES_SHIFT);
	struct pt_packet p = packet(&header, 1);

	append(&p, ip, widths[bytes]);
	*last = ip;
	return p;
}

struct pt_packet packet_no_ip(enum pt_ip_packet kind)
{
	const uint8_t header = (uint8_t)kind;

	return packet(&header, 1);
}

struct pt_packet packet_psb(void)
{
	struct pt_packet p = {0};

	for (unsigned i = 0; i < PT_PACKET_BYTES / 2; i++)
		append(&p, 0x82 << 8 | EXTENDED, 2);
	return p;
}

struct pt_packet packet_psbend(void)
{
	return packet((const uint8_t[]){EXTENDED, 0x23}, 2);
}

struct pt_packet packet_ovf(void)
{
	return packet((const uint8_t[]){EXTENDED, 0xf3}, 2);
}

struct pt_packet packet_tsc(uint64_t tsc)
{
	struct pt_packet p = packet((const uint8_t[]){0x19}, 1);

	append(&p, tsc, 7);
	return p;
}

struct pt_packet packet_cbr(uint8_t ratio)
{
	return packet((const uint8_t[]){EXTENDED, 0x03, ratio, 0}, 4);
}

/* CR3's bits, above a bit that says "not in a guest". */
struct pt_packet packet_pip(uint64_t cr3)
{
	struct pt_packet p = packet((const uint8_t[]){EXTENDED, 0x43}, 2);

	append(&p, (cr3 & PT_CR3_BITS) >> 4, 6);
	return p;
}

struct pt_packet packet_mode_exec(uint8_t mode)
{
	return packet((const uint8_t[]){0x99, mode}, 2);
}
