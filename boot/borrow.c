// SPDX-License-Identifier: BSD-2-Clause
/*
 * borrow.c - see borrow.h.
 *
 * This side runs in the lower half, on the firmware's stack, with interrupts on: data that it hands
 * to the firmware lie where devices find them. The runtime's side waits in world_call() meanwhile.
 */
#include "boot/borrow.h"

#include "arch/x86/insn.h"
#include "arch/x86/msr.h"
#include "arch/x86/world/world.h"
#include "boot/mp_services.h"
#include "boot/files.h"
#include "boot/keys.h"
#include "boot/lines.h"
#include "boot/efi_memory.h"
#include "boot/stash_memory.h"
#include "boot/upper.h"
#include "lib/string.h"

#include <linux/errno.h>

/* --- Calls --- */

static int reset_machine(EFI_SYSTEM_TABLE *st, const struct firmware_reset *reset)
{
	if (!memory_is_callable(st, (const void *)st->RuntimeServices->ResetSystem))
		return -ENOSYS;
	st->RuntimeServices->ResetSystem(reset->off ? EfiResetShutdown : EfiResetCold, EFI_SUCCESS,
					 0, NULL);
	return -EIO;
}

static int answer_call(EFI_SYSTEM_TABLE *st, struct firmware_call *call)
{
	switch (call->service) {
	case FIRMWARE_KEYS:
		return keys_wait(st, &call->keys);
	case FIRMWARE_RESET:
		return reset_machine(st, &call->reset);
	case FIRMWARE_FILE:
		return files_answer(&call->file);
	case FIRMWARE_SERIAL:
		return lines_answer(st, &call->serial);
	case FIRMWARE_CPU:
		return cpus_start(st, &call->cpu);
	default:
		return -ENOSYS;
	}
}

/* The function's address in the upper half: the code of a turn is executed where both worlds map
 * it. */
static struct firmware_call *lend_first(void (*entry)(void), void *stack_top)
{
	struct firmware_call *(*lend)(void (*)(void), uint64_t) =
		(void *)in_upper_half((const void *)world_lend);

	return lend((void (*)(void))in_upper_half((const void *)entry), in_upper_half(stack_top));
}

static struct firmware_call *resume_runtime(void)
{
	struct firmware_call *(*fn)(void) = (void *)in_upper_half((const void *)world_go_on);

	return fn();
}

static void answer_until_exit(EFI_SYSTEM_TABLE *st, void (*entry)(void), void *stack_top)
{
	struct firmware_call *call = lend_first(entry, stack_top);

	while (call->service != FIRMWARE_EXIT) {
		call = in_lower_half((uintptr_t)call);
		irq_enable();
		call->result = answer_call(st, call);
		irq_disable();
		call = resume_runtime();
	}
}

static void run_runtime(EFI_SYSTEM_TABLE *st, struct handoff *handoff, void (*entry)(void),
			void *stack_top)
{
	const uint64_t flags = irq_save(), efer = rdmsr(MSR_EFER);

	upper_map();
	handoff->firmware_root = upper_old_root();
	handoff->load_end_tsc = rdtsc();
	answer_until_exit(st, entry, stack_top);
	cpus_wait();
	upper_unmap(read_cr3());
	wrmsr(MSR_EFER, efer);
	irq_restore(flags);
}

EFI_STATUS borrow_machine(EFI_HANDLE self, EFI_SYSTEM_TABLE *st, struct handoff *handoff,
			  void *stack_top, void (*entry)(void))
{
	EFI_STATUS status;

	st->BootServices->SetWatchdogTimer(0, 0, 0, NULL);
	status = memory_take_pool(st);
	if (!EFI_ERROR(status)) {
		/* A terminal of a line is no keyboard: the lines go first. */
		lines_begin(st, handoff->odd_screens && !handoff->nscreens);
		handoff->keyboards = keys_begin(st);
		handoff->has_volume = files_begin(self, st);
		status = memory_read_map(st);
	}
	if (!EFI_ERROR(status)) {
		memory_note(handoff);
		run_runtime(st, handoff, entry, stack_top);
	}
	cpus_end(st);
	memory_give_pool(st);
	stash_give_back(st, handoff);
	keys_end(st);
	lines_end(st);
	if (!EFI_ERROR(status))
		st->ConOut->ClearScreen(st->ConOut);
	return status;
}
