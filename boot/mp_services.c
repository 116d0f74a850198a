// SPDX-License-Identifier: BSD-2-Clause
/*
 * mp_services.c - see mp_services.h. UEFI Platform Initialization specification, volume 2, "MP
 * Services Protocol".
 *
 * A CPU is given a procedure, whose end the firmware does not wait for. It runs on the firmware's
 * tables for CPUs, not on those of the boot CPU's turns: each call has its own CR3 while it lasts.
 */
#include "boot/mp_services.h"

#include "arch/x86/insn.h"
#include "arch/x86/msr.h"
#include "boot/upper.h"

#include <linux/errno.h>
#include <stdbool.h>

#define INFORMATION_BYTES 128 /* of a processor; newer firmware returns more than is read */
#define PATIENCE_US       2000000
#define PAUSE_US          1000

/* A CPU that the firmware has not begun to run is called off at the end. */
enum stage { STAGE_ASKED, STAGE_RUNS, STAGE_OVER };

/* Each CPU that was started, newest first. */
struct started {
	struct started *next;
	struct firmware_cpu call;
	EFI_EVENT ended;
	uint32_t stage; /* enum stage */
};
static struct started *first;

static bool move_stage(struct started *started, uint32_t from, uint32_t to)
{
	return __atomic_compare_exchange_n(&started->stage, &from, to, false, __ATOMIC_ACQ_REL,
					   __ATOMIC_ACQUIRE);
}

static void EFIAPI run_on_cpu(void *arg)
{
	struct started *started = arg;
	void (*entry)(uint64_t) = (void (*)(uint64_t))started->call.entry;
	const uint64_t flags = irq_save(), root = read_cr3(), efer = rdmsr(MSR_EFER);

	if (!move_stage(started, STAGE_ASKED, STAGE_RUNS)) {
		irq_restore(flags);
		return;
	}
	wrmsr(MSR_EFER, efer | EFER_NXE);
	write_cr3(started->call.root);
	entry(started->call.arg);
	write_cr3(root);
	wrmsr(MSR_EFER, efer);
	irq_restore(flags);
	__atomic_store_n(&started->stage, STAGE_OVER, __ATOMIC_RELEASE);
}

/* False: the firmware has no CPU with this id. */
static bool find_cpu(struct mp_services *mp, uint32_t apic_id, UINTN *index)
{
	uint64_t information[INFORMATION_BYTES / sizeof(uint64_t)];
	UINTN all, enabled;

	if (mp->get_number(mp, &all, &enabled))
		return false;
	for (*index = 0; *index < all; ++*index)
		if (!mp->get_information(mp, *index, information) && information[0] == apic_id)
			return true;
	return false;
}

static int start_on_cpu(EFI_BOOT_SERVICES *bs, struct mp_services *mp, UINTN index,
			struct started *started)
{
	if (bs->CreateEvent(0, 0, NULL, NULL, &started->ended))
		return -ENOMEM;
	if (!mp->startup_this(mp, run_on_cpu, index, started->ended, 0, started, NULL))
		return 0;
	bs->CloseEvent(started->ended);
	return -ENODEV;
}

int cpus_start(EFI_SYSTEM_TABLE *st, const struct firmware_cpu *call)
{
	EFI_BOOT_SERVICES *bs = st->BootServices;
	const uint64_t turns_root = read_cr3();
	struct mp_services *mp;
	struct started *started;
	UINTN index;
	int err;

	if (bs->LocateProtocol(&efi_mp_services_guid, NULL, (void **)&mp) ||
	    !find_cpu(mp, call->apic_id, &index))
		return -ENODEV;
	if (bs->AllocatePool(EfiLoaderData, sizeof(*started), (void **)&started))
		return -ENOMEM;
	*started = (struct started){.next = first, .call = *call};
	write_cr3(upper_old_root());
	err = start_on_cpu(bs, mp, index, started);
	write_cr3(turns_root);
	if (err)
		bs->FreePool(started);
	else
		first = started;
	return err;
}

void cpus_wait(void)
{
	for (struct started *s = first; s; s = s->next)
		while (!move_stage(s, STAGE_ASKED, STAGE_OVER) &&
		       __atomic_load_n(&s->stage, __ATOMIC_ACQUIRE) != STAGE_OVER)
			cpu_pause();
}

void cpus_end(EFI_SYSTEM_TABLE *st)
{
	EFI_BOOT_SERVICES *bs = st->BootServices;
	struct started *next;

	for (; first; first = next) {
		next = first->next;
		for (unsigned us = 0; us < PATIENCE_US && bs->CheckEvent(first->ended);
		     us += PAUSE_US)
			bs->Stall(PAUSE_US);
		bs->CloseEvent(first->ended);
		bs->FreePool(first);
	}
}
