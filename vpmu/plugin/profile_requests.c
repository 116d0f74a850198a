// SPDX-License-Identifier: BSD-2-Clause
/*
 * profile_requests.c - see profile_requests.h. The sequence, from valgrind.h: four rotations of RDI
 * by 128 bits in all, and XCHG RBX, RBX. Requests are numbered from a base of two letters on:
 * callgrind.h, cachegrind.h.
 */
#include "vpmu/plugin/profile_requests.h"

#include <string.h>

#include "include/perf0/profile_file.h"
#include "vpmu/plugin/profile_calls.h"
#include "vpmu/plugin/profile_pieces.h"

#define ROTATIONS 16 /* bytes */
#define ROTATION  4  /* bytes of the first one */
#define NEAR      64 /* bytes from a block's end to the sequence, at most */
#define WORDS     6  /* of a request: its number, and arguments */

#define TOOL_BASE(a, b) ((uint64_t)(a) << 24 | (uint64_t)(b) << 16)

enum client_request {
	CALLGRIND_DUMP_STATS = TOOL_BASE('C', 'T'),
	CALLGRIND_ZERO_STATS,
	CALLGRIND_TOGGLE_COLLECT,
	CALLGRIND_DUMP_STATS_AT,
	CALLGRIND_START_INSTRUMENTATION,
	CALLGRIND_STOP_INSTRUMENTATION,
	CACHEGRIND_START_INSTRUMENTATION = TOOL_BASE('C', 'G'),
	CACHEGRIND_STOP_INSTRUMENTATION,
};

/* ROL RDI by 3, 13, 61, 51; and XCHG RBX, RBX. */
static const uint8_t sequence[] = {0x48, 0xc1, 0xc7, 0x03, 0x48, 0xc1, 0xc7, 0x0d, 0x48, 0xc1,
				   0xc7, 0x3d, 0x48, 0xc1, 0xc7, 0x33, 0x48, 0x87, 0xdb};

static uint64_t ram_host; /* QEMU's address of physical 0 */

/* --- Stores --- */

/* QEMU 7.2 may call it for accesses of ring 0, too, which follow a block. */
static void on_store(unsigned vcpu, plugin_access info, uint64_t va, void *unused)
{
	struct stored_words *s = calls_stored(vcpu);
	const struct qemu_plugin_hwaddr *at;
	uint64_t host;

	(void)unused;
	if (!s || !qemu_plugin_mem_is_store(info) || va % 8 || va >= UPPER_HALF)
		return;
	at = qemu_plugin_get_hwaddr(info, va);
	if (!at)
		return;
	host = ram_host + qemu_plugin_hwaddr_phys_addr(at);
	for (uint64_t k = 0; k < (1ull << qemu_plugin_mem_size_shift(info)) / 8; k++) {
		if ((va + 8 * k) / PROFILE_PAGE != va / PROFILE_PAGE)
			return;
		s->last[s->next].va = va + 8 * k;
		s->last[s->next].word = (const void *)(host + 8 * k);
		s->next = (s->next + 1) % STORED_WORDS;
	}
}

static bool is_stored(const struct stored_words *s, uint64_t va)
{
	for (unsigned i = 0; i < STORED_WORDS; i++)
		if (s->last[i].va == va)
			return true;
	return false;
}

static bool are_all_stored(const struct stored_words *s, uint64_t va)
{
	for (unsigned i = 0; i < WORDS; i++)
		if (!is_stored(s, va + 8 * i))
			return false;
	return true;
}

/* Numbers of tools' requests have letters in bits 31 to 16; valgrind.h's own are 0x1000 to 0x1fff.
 */
static bool is_request_number(uint64_t word)
{
	return (word >= 0x1000 && word < 0x2000) ||
	       (word >= TOOL_BASE('A', 'A') && word < TOOL_BASE('Z', 'Z' + 1));
}

/* The newest word that begins a request; 0: none. */
static uint64_t find_request(const struct stored_words *s)
{
	for (unsigned k = 1; k <= STORED_WORDS; k++) {
		const unsigned i = (s->next + STORED_WORDS - k) % STORED_WORDS;

		if (s->last[i].word && is_request_number(*s->last[i].word) &&
		    are_all_stored(s, s->last[i].va))
			return *s->last[i].word;
	}
	return 0;
}

/* --- Requests --- */

/* Other requests are for other tools. */
static void follow_request(unsigned vcpu, uint64_t request)
{
	switch (request) {
	case CALLGRIND_DUMP_STATS:
	case CALLGRIND_DUMP_STATS_AT:
		calls_dump();
		break;
	case CALLGRIND_ZERO_STATS:
		calls_zero();
		break;
	case CALLGRIND_TOGGLE_COLLECT:
		calls_toggle(vcpu);
		break;
	case CALLGRIND_START_INSTRUMENTATION:
	case CACHEGRIND_START_INSTRUMENTATION:
		calls_ignore(false);
		break;
	case CALLGRIND_STOP_INSTRUMENTATION:
	case CACHEGRIND_STOP_INSTRUMENTATION:
		calls_ignore(true);
		break;
	default:
		break;
	}
}

static void on_request(unsigned vcpu, void *unused)
{
	struct stored_words *s = calls_stored(vcpu);
	uint64_t request;

	(void)unused;
	if (!s)
		return;
	request = find_request(s);
	memset(s, 0, sizeof(*s));
	if (!request)
		__atomic_fetch_add(&profile_file()->header.nunread, 1, __ATOMIC_RELAXED);
	follow_request(vcpu, request);
}

/* --- Blocks that are translated --- */

static size_t offset_in_page(const uint8_t *code)
{
	return (uintptr_t)code % PROFILE_PAGE;
}

/* The rotations before XCHG are compared as far as they lie in the same page. */
static bool is_request(const struct qemu_plugin_insn *insn)
{
	const uint8_t *code = qemu_plugin_insn_haddr(insn);
	const size_t exchange = sizeof(sequence) - ROTATIONS;
	size_t before;

	if (!code || qemu_plugin_insn_size(insn) != exchange ||
	    offset_in_page(code) + exchange > PROFILE_PAGE ||
	    memcmp(code, sequence + ROTATIONS, exchange) != 0)
		return false;
	before = offset_in_page(code) < ROTATIONS ? offset_in_page(code) : ROTATIONS;
	return !memcmp(code - before, sequence + ROTATIONS - before, before);
}

/* The sequence is in the block, or close behind it. A block that reaches the page's end may go on
 * with it. */
static bool leads_to_request(const uint8_t *begin, size_t bytes)
{
	const size_t rest = PROFILE_PAGE - offset_in_page(begin);

	return bytes >= rest ||
	       memmem(begin, bytes + NEAR < rest ? bytes + NEAR : rest, sequence, ROTATION);
}

static size_t block_bytes(const struct qemu_plugin_tb *block, size_t n)
{
	size_t bytes = 0;

	for (size_t i = 0; i < n; i++)
		bytes += qemu_plugin_insn_size(qemu_plugin_tb_get_insn(block, i));
	return bytes;
}

void requests_attach_block(const struct qemu_plugin_tb *block, struct decoded *decoded, size_t n,
			   uint64_t ram)
{
	const uint8_t *begin = qemu_plugin_insn_haddr(qemu_plugin_tb_get_insn(block, 0));
	const bool leads = begin && leads_to_request(begin, block_bytes(block, n));

	ram_host = ram;
	for (size_t i = 0; i < n; i++) {
		struct qemu_plugin_insn *insn = qemu_plugin_tb_get_insn(block, i);

		if (leads && decoded[i].tally.n[EVENTS_STORES])
			qemu_plugin_register_vcpu_mem_cb(insn, on_store, PLUGIN_NO_REGISTERS,
							 PLUGIN_READ_WRITE, NULL);
		decoded[i].splits = is_request(insn);
		if (decoded[i].splits)
			qemu_plugin_register_vcpu_insn_exec_cb(insn, on_request,
							       PLUGIN_NO_REGISTERS, NULL);
	}
}
