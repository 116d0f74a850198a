/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * world.h - two programs take turns on the boot CPU, and each has all of it while it runs: the
 * firmware, which lends the machine (mode=borrow), and the runtime. Each has a stack, on which it
 * waits inside of a call while the other one runs, page tables, GDT, IDT, control registers and
 * MSRs; a turn exchanges them all.
 *
 * The firmware runs on page tables whose lower half is its own, and whose upper half is ring 0's:
 * so the code and the data of a turn are mapped before and behind it, and what the runtime hands
 * over can be read. It enters by functions of this file at their addresses of the upper half.
 */
#ifndef ARCH_X86_WORLD_WORLD_H
#define ARCH_X86_WORLD_WORLD_H

#include "include/perf0/firmware.h"

#include <stdbool.h>
#include <stdint.h>

/* --- The firmware's side: boot/, interrupts off. Arguments are addresses of the upper half. --- */

/*
 * world_lend() - the runtime starts at `entry` with `stack_top`, and the CPU as it is. Returns the
 * first call that the runtime makes. world_go_on() - that one is answered; returns the next one.
 */
#define WORLD_ENTRY __attribute__((visibility("hidden"))) /* no address of it lies in memory */
WORLD_ENTRY struct firmware_call *world_lend(void (*entry)(void), uint64_t stack_top);
WORLD_ENTRY struct firmware_call *world_go_on(void);

/* --- The runtime's side --- */

/*
 * world_init() - `root` is what CR3 was when world_lend() was called, 0: it was not. Behind
 * paging_init(), before any device is touched. world_is_lent() - the firmware is still there. Any
 * context.
 */
void world_init(uint64_t root);
bool world_is_lent(void);

/*
 * world_call() - the firmware has the machine, devices as it left them, until it has answered.
 * Returns call->result. Task context on the boot CPU, no task runs, no timer is armed.
 */
int world_call(struct firmware_call *call);

/*
 * world_start_cpu() - has the firmware start the CPU whose APIC has this id: it goes to `entry`,
 * with the CPU as the firmware had it, but for the stack, which is a small one. 0: it is on its
 * way; -ENODEV: the firmware does not lend it; -ENOMEM. Task context on the boot CPU.
 *
 * world_return_cpu() - on that CPU, interrupts off, its APIC as it was found: the firmware has it
 * again.
 */
struct world_cpu;
int world_start_cpu(uint32_t apic_id, void (*entry)(void), struct world_cpu **cpu);
_Noreturn void world_return_cpu(struct world_cpu *cpu);

/*
 * world_lend_device() - `give` is called before each turn of the firmware, the last one first, and
 * `take` behind it, interrupts off. Devices register themselves at start-up, before the first turn.
 */
struct world_device {
	void (*give)(void), (*take)(void);
};
void world_lend_device(const struct world_device *device);

#endif
