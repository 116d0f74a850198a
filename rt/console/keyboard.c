// SPDX-License-Identifier: BSD-2-Clause
/* keyboard.c - see keyboard.h. */
#include "rt/console/keyboard.h"

#include "arch/x86/cpu/trap.h"
#include "arch/x86/dev/apic.h"
#include "arch/x86/dev/ioapic.h"
#include "arch/x86/insn.h"
#include "arch/x86/portable/ps2.h"
#include "arch/x86/portable/serial.h"
#include "arch/x86/world/world.h"
#include "lib/time.h"
#include "linux/task/task.h"
#include "rt/base/vectors.h"

static bool is_heard;
static bool is_typed; /* the line that runs was typed */

static void on_key(struct trap_frame *frame)
{
	const bool interrupt = ps2_is_interrupt();

	(void)frame;
	apic_eoi();
	if (interrupt)
		task_interrupt();
}

void keyboard_init(void)
{
	if (!world_is_lent() || ps2_init())
		return;
	trap_set_irq(VECTOR_KEYBOARD, on_key);
	trap_name_irq(VECTOR_KEYBOARD, "keyboard");
	is_heard = !ioapic_route_isa(PS2_IRQ, VECTOR_KEYBOARD);
}

void keyboard_listen(bool on)
{
	const uint64_t flags = irq_save();

	if (is_heard)
		ps2_listen(on);
	irq_restore(flags);
}

bool keyboard_is_heard(void)
{
	return is_heard;
}

void keyboard_note_line(bool begins)
{
	is_typed = begins;
}

bool keyboard_line_is_typed(void)
{
	return is_typed;
}

uint64_t keyboard_limit_ns(void)
{
	if (!is_typed || is_heard || serial_has_partner() || !world_is_lent())
		return 0;
	return KEYBOARD_LIMIT_S * NSEC_PER_SEC;
}
