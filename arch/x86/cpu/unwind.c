// SPDX-License-Identifier: BSD-2-Clause
/* unwind.c - see unwind.h. */
#include "arch/x86/cpu/unwind.h"

#include "arch/x86/mem/image.h"
#include "arch/x86/insn.h"
#include "arch/x86/cpu/stack.h"
#include "arch/x86/cpu/trap.h"
#include "arch/x86/cpu/user.h"

#include <stdbool.h>

struct link {
	uint64_t fp, ip; /* the caller's */
};

unsigned unwind_user(uint64_t fp, uint64_t *to, unsigned most)
{
	uint64_t cr2 = read_cr2(), next, ip;
	uint64_t *const end = to + most;
	int64_t at = -(int64_t)most; /* of `end`: it counts up to 0 */
	uint64_t down = -RING3_START, bytes = USER_BYTES, top = RING3_START + USER_BYTES;

	/* Keeps these values in registers, so that no frame computes them again: this loop
	 * dominates the cost of a sample. */
	__asm__("" : "+r"(down), "+r"(bytes), "+r"(top));
	if (!most || fp < RING3_START)
		return 0;
	user_access_begin();
	/* A frame that begins right below the end of the user half extends into unmapped memory and
	 * faults. Frames only go up. */
	do {
		if (fp >= top)
			break;
		__asm__ goto("1: mov (%[fp]), %[next]\n"
			     "2: mov 8(%[fp]), %[ip]\n\t" INSN_EXTABLE("1b", "%l[fault]")
				     INSN_EXTABLE("2b", "%l[fault]")
			     : [next] "=&r"(next), [ip] "=&r"(ip)
			     : [fp] "r"(fp)
			     : "memory"
			     : fault);
		if (ip + down >= bytes)
			break;
		end[at++] = ip;
		if (next <= fp)
			break;
		fp = next;
	} while (at);
	user_access_end();
	return (unsigned)(at + (int64_t)most);
fault:
	write_cr2(cr2);
	user_access_end();
	return (unsigned)(at + (int64_t)most);
}

static bool is_image_code(uint64_t ip)
{
	return ip - (uintptr_t)__text_start < (uintptr_t)(__text_end - __text_start);
}

/* The end of the chain of callers on the stack at `rsp`: user_run()'s data on that stack do not
 * belong to a caller of this code. 0: the stack is not known. */
static uint64_t end_of_stack(uint64_t rsp)
{
	const struct trap_frame *frame = trap_user_frame();
	const uint64_t end = stack_end(rsp);
	uint64_t user_end;

	if (!frame)
		return end;
	user_end = (uintptr_t)(frame + 1);
	return rsp <= user_end && user_end < end ? user_end : end;
}

unsigned unwind_kernel(const struct trap_frame *frame, uint64_t *to, unsigned most,
		       uint64_t *user_fp)
{
	uint64_t low = frame->rsp, end = end_of_stack(low), fp = frame->rbp;
	unsigned n = 0;

	while (fp >= low && fp < end && end - fp >= sizeof(struct link)) {
		const struct link *link = (const struct link *)fp;

		if (!is_image_code(link->ip))
			break;
		if (n < most)
			to[n++] = link->ip;
		low = fp + sizeof(*link);
		fp = link->fp;
	}
	*user_fp = user_range(fp, 1) ? fp : 0;
	return n;
}
