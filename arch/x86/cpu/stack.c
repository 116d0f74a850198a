// SPDX-License-Identifier: BSD-2-Clause
/* stack.c - see stack.h. */
#include "arch/x86/cpu/stack.h"

#include "arch/x86/cpu/this_cpu.h"
#include "lib/printf.h"

static PERCPU struct stack *stacks;
static bool guards_unmapped;

void *stack_register(struct stack *stack)
{
	stack->next = stacks;
	stacks = stack;
	if (guards_unmapped)
		paging_unmap_guard(stack->guard);
	return (void *)stack_top(stack);
}

static void unmap_guards(void)
{
	guards_unmapped = true;
	for (struct stack *s = stacks; s; s = s->next)
		paging_unmap_guard(s->guard);
}

void stack_init(const struct handoff *handoff)
{
	static struct stack boot_stack = {.name = "boot_stack"};

	unmap_guards();
	boot_stack.guard = virt_of(handoff->stack_guard);
	boot_stack.bytes = handoff->stack_bytes;
	stack_register(&boot_stack);
}

_Static_assert(sizeof(struct stack) % 16 == 0, "the top of a stack is 16-byte aligned");

/* The description lies above the top, where an overflow of this stack cannot reach it. */
struct stack *stack_make(size_t bytes, const char *name, unsigned cpu)
{
	size_t pages = (bytes + sizeof(struct stack) + PAGE_SIZE - 1) / PAGE_SIZE;
	uint8_t *memory = page_alloc(pages + 1);
	struct stack *stack;

	if (!memory)
		return NULL;
	stack = (struct stack *)(memory + (pages + 1) * PAGE_SIZE) - 1;
	*stack = (struct stack){
		.guard = memory,
		.bytes = pages * PAGE_SIZE - sizeof(*stack),
	};
	fmt_print(stack->name, sizeof(stack->name), cpu ? "%s of CPU %u" : "%s", name, cpu);
	return stack;
}

void *stack_alloc(size_t bytes, const char *name)
{
	struct stack *stack = stack_make(bytes, name, smp_cpu());

	return stack ? stack_register(stack) : NULL;
}

const char *stack_guard_name(uint64_t va)
{
	for (const struct stack *s = stacks; s; s = s->next)
		if (va - (uintptr_t)s->guard < PAGE_SIZE)
			return s->name;
	return NULL;
}

uint64_t stack_end(uint64_t rsp)
{
	for (const struct stack *s = stacks; s; s = s->next)
		if (stack_holds(s, rsp))
			return stack_top(s);
	return 0;
}
