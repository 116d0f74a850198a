// SPDX-License-Identifier: BSD-2-Clause
/*
 * profile_requests.c - see profile_requests.h. The sequence, from valgrind.h: four rotations of RDI
 * by 128 bits in all, and XCHG RBX, RBX. Requests are numbered from a base of two letters on:
 * callgrind.h, cachegrind.h. A request takes effect before the XCHG.
 */
#include "vpmu/plugin/profile_requests.h"

#include <stdlib.h>
#include <string.h>

#include "include/perf0/profile_file.h"
#include "vpmu/plugin/profile_calls.h"
#include "vpmu/plugin/profile_pieces.h"
#include "vpmu/plugin/single_blocks.h"
#include "vpmu/plugin/vcpu_registers.h"

#define ROTATIONS 16  /* bytes */
#define STEPS     512 /* instructions of a block at most */

#define TOOL_BASE(a, b) ((uint64_t)(a) << 24 | (uint64_t)(b) << 16)

enum client_request {
	RUNNING_ON_VALGRIND = 0x1001,
	CALLGRIND_DUMP_STATS = TOOL_BASE('C', 'T'),
	CALLGRIND_ZERO_STATS,
	CALLGRIND_TOGGLE_COLLECT,
	CALLGRIND_DUMP_STATS_AT,
	CALLGRIND_START_INSTRUMENTATION,
	CALLGRIND_STOP_INSTRUMENTATION,
	CACHEGRIND_START_INSTRUMENTATION = TOOL_BASE('C', 'G'),
	CACHEGRIND_STOP_INSTRUMENTATION,
};

/* ROL RDI by 3, 13, 61, 51. */
static const uint8_t rotations[ROTATIONS] = {0x48, 0xc1, 0xc7, 0x03, 0x48, 0xc1, 0xc7, 0x0d,
					     0x48, 0xc1, 0xc7, 0x3d, 0x48, 0xc1, 0xc7, 0x33};

/* A vCPU on its way to a request, in blocks of one instruction. */
struct approach {
	bool is_single;
	unsigned left; /* steps until it gives up: a fault may have led elsewhere */
};

static struct approach *approach_of; /* each vCPU */

void requests_begin(unsigned vcpus)
{
	if (!profile_file())
		return;
	approach_of = calloc(vcpus, sizeof(*approach_of));
	if (!approach_of)
		abort();
}

/* --- Requests --- */

/* Other requests are for other tools. */
static void follow_request(unsigned vcpu, uint64_t request)
{
	switch (request) {
	case RUNNING_ON_VALGRIND:
		if (profile_file()->header.is_valgrind)
			register_write(vcpu, VCPU_RDX, 1);
		break;
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
	uint64_t request;

	(void)unused;
	single_make(&approach_of[vcpu].is_single, false);
	if (memory_read(vcpu, register_read(vcpu, VCPU_RAX), &request, sizeof(request)))
		follow_request(vcpu, request);
}

/* This QEMU tells no registers. */
static void on_unread(unsigned vcpu, void *unused)
{
	(void)vcpu;
	(void)unused;
	__atomic_fetch_add(&profile_file()->header.nunread, 1, __ATOMIC_RELAXED);
}

/* --- The way to a request --- */

/* The block has a request behind its first instruction. */
static void on_way(unsigned vcpu, void *unused)
{
	struct approach *a = &approach_of[vcpu];

	(void)unused;
	a->left = STEPS;
	single_make(&a->is_single, true);
	single_leave_block(vcpu, (uintptr_t)__builtin_return_address(0));
}

static void on_request_step(unsigned vcpu, void *unused)
{
	struct approach *a = &approach_of[vcpu];

	(void)unused;
	if (a->is_single && !a->left--)
		single_make(&a->is_single, false);
}

/* --- Blocks that are translated --- */

/* The rotations before XCHG are compared as far as they lie in the same page. */
static bool is_request(const struct qemu_plugin_insn *insn)
{
	const uint8_t *code = qemu_plugin_insn_haddr(insn);
	const size_t in_page = (uintptr_t)code % PROFILE_PAGE;
	const size_t before = in_page < ROTATIONS ? in_page : ROTATIONS;

	return code && !memcmp(code - before, rotations + ROTATIONS - before, before);
}

static void attach_request(const struct qemu_plugin_tb *block, size_t i, plugin_cb cb)
{
	qemu_plugin_register_vcpu_insn_exec_cb(qemu_plugin_tb_get_insn(block, i), cb,
					       PLUGIN_NO_REGISTERS, NULL);
}

void requests_attach_block(const struct qemu_plugin_tb *block, const struct decoded *decoded,
			   size_t n)
{
	const bool can = single_can() && registers_known();
	size_t i = n;

	while (i-- && !(decoded[i].is_exchange && is_request(qemu_plugin_tb_get_insn(block, i))))
		;
	if (i < n && !can)
		attach_request(block, i, on_unread);
	else if (i < n)
		attach_request(block, 0, i ? on_way : on_request);
	else if (n == 1 && single_is_on())
		attach_request(block, 0, on_request_step);
}
