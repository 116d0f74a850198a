/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * world.h - two programs take turns on the boot CPU, and each has all of it while it runs: the
 * firmware, which lends the machine (mode=borrow), and the runtime. Each has a stack, on which it
 * waits inside of a call while the other one runs, page tables, GDT, IDT, control registers and
 * MSRs; a turn exchanges them all.
 *
 * The firmware runs on page tables whose lower half is its own and whose upper half is ring 0's. So
 * the code and data of a turn stay mapped across it, and the firmware's side can read the runtime's
 * data. It calls the functions of this file at their addresses in the upper half.
 */
#ifndef ARCH_X86_WORLD_WORLD_H
#define ARCH_X86_WORLD_WORLD_H

#include "include/perf0/firmware.h"

#include <stdbool.h>
#include <stdint.h>

/* --- The firmware's side: boot/, interrupts off. Arguments are addresses of the upper half. --- */

/*
 * world_lend() - starts the runtime at `entry` with `stack_top`, and the CPU as it is. Returns the
 * first call that the runtime makes. world_go_on() - returns the answer to the runtime, and then
 * its next call.
 */
#define WORLD_ENTRY __attribute__((visibility("hidden"))) /* no address of it lies in memory */
WORLD_ENTRY struct firmware_call *world_lend(void (*entry)(void), uint64_t stack_top);
WORLD_ENTRY struct firmware_call *world_go_on(void);

/* --- The runtime's side --- */

/*
 * world_init() - `root` is CR3 at the call of world_lend(), 0: there was no such call. After
 * paging_init(), before any device is touched. world_is_lent() - whether the firmware is still
 * there. Any context.
 */
void world_init(uint64_t root);
bool world_is_lent(void);

/*
 * world_comes_back() - Linux has started the image, and will be started again (rt/home/home.h): the
 * machine is left as it was found. Before any device is touched. world_is_given_back() - is that
 * so, or is the firmware still there? world_give_devices() - gives the devices back as before a
 * turn of the firmware, for good; on the boot CPU, interrupts off; any context.
 */
void world_comes_back(void);
bool world_is_given_back(void);
void world_give_devices(void);

/* world_call() - gives the firmware the machine, with the devices as it left them, until it has
 * answered. Returns call->result. Task context on the boot CPU, no task runs, no timer is armed. */
int world_call(struct firmware_call *call);

/*
 * world_start_cpu() - has the firmware start the CPU whose APIC has this id. The CPU goes to
 * `entry` in the firmware's state, except for the stack, which is a small one. 0: the CPU will
 * start; -ENODEV: the firmware does not lend it; -ENOMEM. Task context on the boot CPU.
 *
 * world_return_cpu() - gives the CPU back to the firmware; on that CPU, interrupts off, its APIC as
 * it was found.
 */
struct world_cpu;
int world_start_cpu(uint32_t apic_id, void (*entry)(void), struct world_cpu **cpu);
_Noreturn void world_return_cpu(struct world_cpu *cpu);

/*
 * world_lend_device() - registers a device: `give` is called before each turn of the firmware, the
 * last device first, and `take` after it, interrupts off. Devices register at start-up, before the
 * first turn.
 */
struct world_device {
	void (*give)(void), (*take)(void);
};
void world_lend_device(const struct world_device *device);

#endif
