/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * stack.h - kernel stacks, each with a guard page below it that is never mapped.
 *
 * A list of struct stack names each stack for the panic about its overflow. stack_register() may
 * come before the runtime's own page tables: stack_init() unmaps the guards of all stacks on the
 * list. Stacks are never freed. A stack belongs to one CPU; only that CPU registers it and looks it
 * up. Task context, except for lookups: any.
 */
#ifndef ARCH_X86_CPU_STACK_H
#define ARCH_X86_CPU_STACK_H

#include "arch/x86/mem/paging.h"
#include "lib/percpu.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define STACK_NAME 40

struct stack {
	uint8_t *guard; /* the page below; the stack begins PAGE_SIZE above it */
	size_t bytes;   /* of the stack itself */
	char name[STACK_NAME];
	struct stack *next;
};

/* STACK_STATIC() - a stack of `kib` KiB inside of the image. */
#define STACK_STATIC(id, kib)                                                              \
	static uint8_t id##_memory[PAGE_SIZE + (kib)*1024] __attribute__((aligned(4096))); \
	static struct stack id = {id##_memory, (kib)*1024, #id, NULL}

/* stack_register() - adds a stack to this CPU's list; its guard is unmapped now, or later by
 * stack_init(). Returns the top. */
void *stack_register(struct stack *stack);

/* stack_init() - after paging_init(): unmaps the guards of all stacks, and registers the stack that
 * boot/ has made. */
void stack_init(const struct handoff *handoff);

/*
 * stack_alloc() - a stack of at least `bytes` with a guard page below, for this CPU. Returns the
 * top, 16-byte aligned; NULL without memory. `name` shows in the panic about its overflow, beside
 * the number of a CPU that is not the first.
 */
void *stack_alloc(size_t bytes, const char *name);

/* stack_make() - the same for CPU `cpu`, which registers it itself; NULL without memory.
 * stack_top() - the address right above it, 16-byte aligned. */
struct stack *stack_make(size_t bytes, const char *name, unsigned cpu);

static inline uint64_t stack_top(const struct stack *stack)
{
	return (uintptr_t)stack->guard + PAGE_SIZE + stack->bytes;
}

/* stack_guard_name() - the name of the stack whose guard page contains `va`; NULL: no stack. Any
 * context. */
const char *stack_guard_name(uint64_t va);

/* stack_end() - the end of the stack that contains `rsp`; `rsp` may equal the end. 0: no known
 * stack. Any context. */
uint64_t stack_end(uint64_t rsp);

static inline bool stack_holds(const struct stack *stack, uint64_t rsp)
{
	return rsp - ((uintptr_t)stack->guard + PAGE_SIZE) <= stack->bytes;
}

#endif
