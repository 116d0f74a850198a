// SPDX-License-Identifier: BSD-2-Clause
/*
 * guest_apic.c - the local APIC: writing its registers by all kinds of instructions, and its
 * interrupts after its base register has switched it off and on.
 */
#include "tests/guests/guests.h"

#include "arch/x86/dev/apic.h"
#include "arch/x86/insn.h"
#include "arch/x86/msr.h"

#define APIC_PAGE       0xfee00000ull
#define APIC_PAGE_BYTES 4096
#define APIC_ELSE       0xfef00000ull
#define VECTOR          0x51

static volatile uint32_t taken;

uint32_t guest_apic_read(uint32_t offset)
{
	return *(volatile uint32_t *)(APIC_PAGE + offset);
}

void guest_apic_write(uint32_t offset, uint32_t value)
{
	*(volatile uint32_t *)(APIC_PAGE + offset) = value;
}

static void __attribute__((interrupt)) count_interrupt(void *frame)
{
	(void)frame;
	taken++;
	guest_apic_write(APIC_EOI, 0);
}

static void write_variously(void)
{
	volatile uint32_t *const reg = (volatile uint32_t *)(APIC_PAGE + APIC_LVT_THERM);
	const uint32_t source = APIC_LVT_MASKED | 0x66, before = *reg;
	uint32_t swapped = APIC_LVT_MASKED | 0x55;
	const void *from = &source;
	volatile void *to = reg;

	__asm__ volatile("movl %1, %0" : "=m"(*reg) : "i"(APIC_LVT_MASKED | 0x44));
	guest_print("MOV %x", *reg);
	__asm__ volatile("xchgl %1, %0" : "+m"(*reg), "+r"(swapped));
	guest_print("XCHG %x, was %x", *reg, swapped);
	__asm__ volatile("movsl" : "+S"(from), "+D"(to)::"memory");
	guest_print("MOVS %x, %d bytes on", *reg, (int)((uint64_t)to - (uint64_t)reg));
	__asm__ volatile("orl $0x700, %0" : "+m"(*reg));
	guest_print("OR %x", *reg);
	__asm__ volatile("addl $1, %0" : "+m"(*reg));
	guest_print("ADD %x", *reg);
	*reg = before;
}

static void send_self(void)
{
	guest_apic_write(APIC_ICR, APIC_ICR_SELF | APIC_ICR_ASSERT | VECTOR);
	irq_enable();
	guest_spin();
	irq_disable();
}

/* A counter's overflow, by the same vector. */
static void overflow_once(void)
{
	guest_apic_write(APIC_LVT_PC, VECTOR);
	irq_enable();
	guest_count_once(1000);
	guest_spin();
	irq_disable();
	guest_apic_write(APIC_LVT_PC, APIC_LVT_MASKED | VECTOR);
}

/* QEMU accepts the address, but does not move the registers. */
static void move_registers(uint64_t base)
{
	wrmsr(MSR_IA32_APIC_BASE, (base & (APIC_PAGE_BYTES - 1)) | APIC_ELSE);
	guest_print("base %llx, version there %x, and where it was %x",
		    (unsigned long long)rdmsr(MSR_IA32_APIC_BASE),
		    *(volatile uint32_t *)(APIC_ELSE + APIC_VERSION),
		    guest_apic_read(APIC_VERSION));
	taken = 0;
	send_self();
	guest_print("moved: interrupts %u", taken);
	taken = 0;
	overflow_once();
	guest_print("PMU: moved: PMIs %u", taken);
	wrmsr(MSR_IA32_APIC_BASE, base);
}

void guest_apic(void)
{
	const uint64_t base = rdmsr(MSR_IA32_APIC_BASE);
	const uint32_t svr = guest_apic_read(APIC_SVR);

	write_variously();
	guest_take_idt(VECTOR, (void (*)(void))count_interrupt);
	send_self();
	guest_print("interrupts %u", taken);
	wrmsr(MSR_IA32_APIC_BASE, base & ~APIC_BASE_EN);
	wrmsr(MSR_IA32_APIC_BASE, base);
	guest_apic_write(APIC_SVR, svr | APIC_SVR_ENABLE);
	send_self();
	guest_print("and on again %u", taken);
	taken = 0;
	overflow_once();
	guest_print("PMU: PMIs %u", taken);
	move_registers(base);
	guest_return_idt();
}
