/* SPDX-License-Identifier: BSD-2-Clause */
/* pt_packet.h - packets of Intel Processor Trace, as bytes. SDM vol. 3, "Intel Processor Trace",
 * "Trace Packets and Data Types". Any context: all state is the caller's. */
#ifndef VPMU_MODEL_PT_PACKET_H
#define VPMU_MODEL_PT_PACKET_H

#include <stdbool.h>
#include <stdint.h>

#define PT_PACKET_BYTES 16 /* the longest packet */

struct pt_packet {
	uint8_t n;
	uint8_t byte[PT_PACKET_BYTES];
};

/* The bits of CR3 that packets carry and filters compare. */
#define PT_CR3_BITS 0xfffffffffffe0ull

/* Packets with an address. */
enum pt_ip_packet { PT_TIP_PGD = 0x01, PT_TIP = 0x0d, PT_TIP_PGE = 0x11, PT_FUP = 0x1d };

/* A short TNT: up to PT_TNT_MOST outcomes, the oldest in the highest bit. */
#define PT_TNT_MOST 6
struct pt_packet packet_tnt(unsigned outcomes, unsigned n);

/* packet_ip() - compresses `ip` against `last`, the address of the last such packet, and updates
 * it. packet_no_ip(): without an address. */
struct pt_packet packet_ip(enum pt_ip_packet kind, uint64_t ip, uint64_t *last);
struct pt_packet packet_no_ip(enum pt_ip_packet kind);

struct pt_packet packet_psb(void);
struct pt_packet packet_psbend(void);
struct pt_packet packet_ovf(void);
struct pt_packet packet_tsc(uint64_t tsc);
struct pt_packet packet_cbr(uint8_t ratio);
struct pt_packet packet_pip(uint64_t cr3);
struct pt_packet packet_mode_exec(uint8_t mode); /* enum vpmu_mode */

#endif
