// SPDX-License-Identifier: BSD-2-Clause
/*
 * test_trap.c - the exception table, interrupts and NMIs: preserved registers and nesting. No NMI
 * interrupts another one, not even after a fault in its handler.
 */
#include "arch/x86/dev/apic.h"
#include "arch/x86/insn.h"
#include "arch/x86/mem/paging.h"
#include "arch/x86/dev/tsc.h"
#include "tests/image/fixture.h"
#include "rt/base/image_test.h"
#include "rt/base/vectors.h"
#include "tests/image/user_code.h"

#define NO_SUCH_COUNTER 0x3fffffff
#define NO_SUCH_MSR     0xbadc0de
#define SETTLE_NS       200000u

static const char *test_safe_forms_tell_success(void)
{
	uint64_t value = 1;

	if (!rdmsr_safe(MSR_IA32_APIC_BASE, &value) || value != rdmsr(MSR_IA32_APIC_BASE))
		return "rdmsr_safe() of an MSR that exists";
	if (!wrmsr_safe(MSR_IA32_APIC_BASE, value) || rdmsr(MSR_IA32_APIC_BASE) != value)
		return "wrmsr_safe() of an MSR that exists";
	return NULL;
}
IMAGE_TEST(test_safe_forms_tell_success);

/* Read now: the compiler does not know that a faulting instruction counts here. */
static uint64_t fixups(void)
{
	return *(const volatile uint64_t *)&trap_counts()->fixups;
}

static const char *test_rdpmc_safe_survives_a_fault(void)
{
	uint64_t before = fixups(), value = 1;

	if (rdpmc_safe(NO_SUCH_COUNTER, &value) || value)
		return "a counter that does not exist was read";
	return fixups() == before + 1 ? NULL : "the fault was not counted";
}
IMAGE_TEST(test_rdpmc_safe_survives_a_fault);

static const char *test_msr_forms_survive_a_fault(void)
{
	uint64_t value = 1;

	if (rdmsr_safe(NO_SUCH_MSR, &value))
		return IMAGE_TEST_SKIP("this CPU faults on no MSR (QEMU's TCG)");
	if (value)
		return "a failed rdmsr_safe() left a value";
	return wrmsr_safe(NO_SUCH_MSR, 0) ? "an MSR that does not exist was written" : NULL;
}
IMAGE_TEST(test_msr_forms_survive_a_fault);

static const char *test_trap_names(void)
{
	if (trap_name(VEC_PF)[1] != 'P' || trap_name(VEC_NMI)[0] != 'N')
		return "an exception has the wrong name";
	return trap_name(200)[0] == 'I' ? NULL : "an interrupt has no name";
}
IMAGE_TEST(test_trap_names);

static const char *test_stray_interrupt_is_counted(void)
{
	uint64_t before = trap_counts()->stray_irqs;

	__asm__ volatile("int %0" : : "i"(VEC_FREE_LAST) : "memory");
	return trap_counts()->stray_irqs == before + 1 ? NULL : "it was not";
}
IMAGE_TEST(test_stray_interrupt_is_counted);

static volatile unsigned irqs;

static void count_irq(struct trap_frame *frame)
{
	(void)frame;
	irqs++;
	apic_eoi();
}

/* Loads registers with a pattern, and waits until `*flag` is set. Returns the changed bits. */
static uint64_t registers_over(volatile unsigned *flag)
{
	uint64_t damage;

	__asm__ volatile("push %%rbp\n\t"
			 "mov $-1, %%rbx; mov $-1, %%rcx; mov $-1, %%rsi; mov $-1, %%rdi\n\t"
			 "mov $-1, %%r8; mov $-1, %%r9; mov $-1, %%r10; mov $-1, %%r11\n\t"
			 "mov $-1, %%r12; mov $-1, %%r13; mov $-1, %%r14; mov $-1, %%r15\n\t"
			 "mov $-1, %%rbp\n"
			 "1: cmpl $0, (%%rdx)\n\t"
			 "je 1b\n\t"
			 "mov %%rbp, %%rax\n\t"
			 "and %%rbx, %%rax; and %%rcx, %%rax; and %%rsi, %%rax\n\t"
			 "and %%rdi, %%rax; and %%r8, %%rax; and %%r9, %%rax\n\t"
			 "and %%r10, %%rax; and %%r11, %%rax; and %%r12, %%rax\n\t"
			 "and %%r13, %%rax; and %%r14, %%rax; and %%r15, %%rax\n\t"
			 "not %%rax\n\t"
			 "pop %%rbp"
			 : "=a"(damage)
			 : "d"(flag)
			 : "rbx", "rcx", "rsi", "rdi", "r8", "r9", "r10", "r11", "r12", "r13",
			   "r14", "r15", "memory", "cc");
	return damage;
}

static const char *test_interrupt_keeps_registers(void)
{
	trap_handler *old = trap_set_irq(VECTOR_TIMER, count_irq);
	uint64_t damage;

	irqs = 0;
	fixture_arm_timer(SETTLE_NS);
	irq_enable();
	damage = registers_over(&irqs);
	irq_disable();
	trap_set_irq(VECTOR_TIMER, old);
	return damage ? "an interrupt changed a register" : NULL;
}
IMAGE_TEST(test_interrupt_keeps_registers);

static volatile unsigned nmis, nmi_depth, nmi_deepest, nmis_to_send;
static bool nmi_frame_seen;

static void enter_nmi(void)
{
	nmis++;
	if (++nmi_depth > nmi_deepest)
		nmi_deepest = nmi_depth;
}

/* Faults in three ways with another NMI waiting, which must not come before the end. */
static bool faulting_nmi(struct trap_frame *frame)
{
	uint64_t value;

	(void)frame;
	enter_nmi();
	if (nmis_to_send) {
		nmis_to_send--;
		apic_send_self_nmi();
	}
	if (rdpmc_safe(NO_SUCH_COUNTER, &value) || probe_read(0, &value))
		nmi_deepest = 99;
	if (!copy_from_user(&value, FIXTURE_STACK - PAGE_SIZE, sizeof(value)))
		nmi_deepest = 99;
	clock_spin_ns(SETTLE_NS);
	nmi_depth--;
	return true;
}

static bool quiet_nmi(struct trap_frame *frame)
{
	nmi_frame_seen = frame->rsp != 0;
	enter_nmi();
	nmi_depth--;
	return true;
}

static void reset_nmis(unsigned more)
{
	nmis = nmi_depth = nmi_deepest = 0;
	nmis_to_send = more;
}

static void wait_nmis(unsigned n)
{
	uint64_t start = clock_ns();

	while (nmis < n && clock_ns() - start < 100 * SETTLE_NS)
		cpu_pause();
}

static const char *test_nmis_do_not_nest_behind_faults(void)
{
	trap_nmi_handler *old = trap_set_nmi(faulting_nmi);

	reset_nmis(3);
	apic_send_self_nmi();
	wait_nmis(4);
	trap_set_nmi(old);
	if (nmis != 4)
		return "an NMI that waited behind another was lost";
	return nmi_deepest == 1 ? NULL : "an NMI came into an NMI handler, or a fault was missed";
}
IMAGE_TEST(test_nmis_do_not_nest_behind_faults);

static const char *test_nmi_keeps_registers(void)
{
	trap_nmi_handler *old = trap_set_nmi(quiet_nmi);
	uint64_t damage;

	reset_nmis(0);
	apic_send_self_nmi();
	damage = registers_over(&nmis);
	trap_set_nmi(old);
	return damage || !nmi_frame_seen ? "an NMI changed a register" : NULL;
}
IMAGE_TEST(test_nmi_keeps_registers);

static bool unknown_nmi(struct trap_frame *frame)
{
	(void)frame;
	nmis++;
	return false;
}

static const char *test_unknown_nmi_is_counted(void)
{
	trap_nmi_handler *old = trap_set_nmi(unknown_nmi);
	uint64_t before = trap_counts()->unknown_nmis;

	reset_nmis(0);
	apic_send_self_nmi();
	wait_nmis(1);
	trap_set_nmi(old);
	return trap_counts()->unknown_nmis == before + 1 ? NULL : "it was not";
}
IMAGE_TEST(test_unknown_nmi_is_counted);

static uint64_t address_before, address_after;

/* A page fault of ring 3, in whose handler an NMI faults on its own. */
static void nmi_in_fault(struct trap_frame *frame)
{
	(void)frame;
	address_before = trap_fault_address();
	reset_nmis(1);
	apic_send_self_nmi();
	wait_nmis(2);
	address_after = trap_fault_address();
	user_leave((long)nmis);
}

static const char *test_nmi_in_a_fault_leaves_cr2(void)
{
	static const uint64_t args[6] = {0, 0x10}; /* the piece jumps to RSI */
	trap_nmi_handler *old = trap_set_nmi(faulting_nmi);
	long code;

	code = fixture_run(fixture_fault("run the stack"), args, nmi_in_fault, NULL);
	trap_set_nmi(old);
	if (code != 2 || nmi_deepest != 1)
		return "the NMIs did not come one after the other";
	return address_before == 0x10 && address_after == 0x10 ? NULL : "CR2 changed";
}
IMAGE_TEST(test_nmi_in_a_fault_leaves_cr2);

static void nmi_in_irq(struct trap_frame *frame)
{
	(void)frame;
	apic_send_self_nmi();
	wait_nmis(1);
	irqs++;
	apic_eoi();
}

static const char *test_nmi_in_an_interrupt(void)
{
	trap_nmi_handler *old_nmi = trap_set_nmi(faulting_nmi);
	trap_handler *old_irq = trap_set_irq(VECTOR_TIMER, nmi_in_irq);

	reset_nmis(0);
	irqs = 0;
	fixture_arm_timer(0);
	irq_enable();
	wait_nmis(1);
	clock_spin_ns(SETTLE_NS);
	irq_disable();
	trap_set_irq(VECTOR_TIMER, old_irq);
	trap_set_nmi(old_nmi);
	return nmis == 1 && irqs == 1 ? NULL : "the interrupt or its NMI did not come back";
}
IMAGE_TEST(test_nmi_in_an_interrupt);
