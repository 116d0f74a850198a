// SPDX-License-Identifier: BSD-2-Clause
/*
 * crash_dump.c - prints the state as plain lines on the first serial port, then the reason, and
 * resets the machine. It serves states that must not occur: an exit without a handler, a VMRUN that
 * fails, a fault of the host.
 */
#include "vpmu/svm/vcpu/crash_dump.h"

#include "arch/x86/insn.h"
#include "include/perf0/marks.h"
#include "lib/printf.h"
#include "vpmu/svm/vcpu/vcpu.h"

#include <stdarg.h>

#define COM1           0x3f8
#define LINE_STATUS    5
#define TRANSMIT_EMPTY 0x20
#define PATIENCE       100000 /* number of polls; the machine may have no serial port */

static void put_dump_char(char c)
{
	for (int i = 0; i < PATIENCE && !(inb(COM1 + LINE_STATUS) & TRANSMIT_EMPTY); i++)
		cpu_pause();
	outb(COM1, (uint8_t)c);
}

static void print_dump(const char *format, ...) __attribute__((format(printf, 1, 2)));

static void print_dump(const char *format, ...)
{
	char line[200];
	va_list args;

	va_start(args, format);
	fmt_vprint(line, sizeof(line), format, args);
	va_end(args);
	for (const char *p = line; *p; p++) {
		if (*p == '\n')
			put_dump_char('\r');
		put_dump_char(*p);
	}
}

#define HEX "%016lx"

static void dump_guest(void)
{
	const struct vmcb *v = &vpmu_vmcb;
	const struct vpmu_cpu *c = &vpmu_cpu;

	print_dump("exit " HEX " info1 " HEX " info2 " HEX "\n", v->exit_code, v->exit_info1,
		   v->exit_info2);
	print_dump("exit_int_info " HEX " event_inj " HEX " int_ctl %08x %x int_state " HEX "\n",
		   v->exit_int_info, v->event_inj, v->int_ctl, v->int_vector, v->int_state);
	print_dump("rip " HEX " rsp " HEX " rflags " HEX " cpl %u\n", v->rip, v->rsp, v->rflags,
		   v->cpl);
	print_dump("rax " HEX " rbx " HEX " rcx " HEX " rdx " HEX "\n", v->rax, c->gpr.rbx,
		   c->gpr.rcx, c->gpr.rdx);
	print_dump("rsi " HEX " rdi " HEX " rbp " HEX "\n", c->gpr.rsi, c->gpr.rdi, c->gpr.rbp);
	print_dump("r8  " HEX " r9  " HEX " r10 " HEX " r11 " HEX "\n", c->gpr.r8, c->gpr.r9,
		   c->gpr.r10, c->gpr.r11);
	print_dump("r12 " HEX " r13 " HEX " r14 " HEX " r15 " HEX "\n", c->gpr.r12, c->gpr.r13,
		   c->gpr.r14, c->gpr.r15);
	print_dump("cr0 " HEX " cr2 " HEX " cr3 " HEX " cr4 " HEX "\n", v->cr0, v->cr2, v->cr3,
		   v->cr4);
	print_dump("dr6 " HEX " dr7 " HEX " efer " HEX "\n", v->dr6, v->dr7, v->efer);
	print_dump("cs %04x/%04x ss %04x/%04x idt " HEX " gdt " HEX "\n", v->cs.selector,
		   v->cs.attributes, v->ss.selector, v->ss.attributes, v->idtr.base, v->gdtr.base);
}

static void dump_host(void)
{
	const struct vpmu_cpu *c = &vpmu_cpu;

	print_dump(
		"run %d ring %d until %lu step %d nmi blocked %d pending %d fence %d halted %d interrupt %x\n",
		c->run.mode, c->run.ring, c->run.until, c->step.kind, c->nmi.is_blocked,
		c->nmi.is_pending, c->nmi.fence, c->interrupts.halted, c->interrupts.vector);
	print_dump("exits %lu pmis %lu instructions %lu + %lu\n", c->vmrun.exits,
		   c->interrupts.pmis, c->clock.total[VPMU_OS], c->clock.total[VPMU_USR]);
	print_dump("evtsel0 " HEX " fixed_ctrl " HEX " global_ctrl " HEX " status " HEX "\n",
		   c->model.regs.evtsel[0], c->model.regs.fixed_ctrl, c->model.regs.global_ctrl,
		   c->model.regs.global_status);
}

void vpmu_reset_machine(void)
{
	const uint16_t reset_port = 0xcf9;
	const uint8_t full_reset = 6;

	outb(reset_port, full_reset);
	for (;;)
		cpu_halt();
}

static bool is_marked;

void vpmu_dump_init(const struct vpmu_config *config)
{
	is_marked = config->marked;
}

/* A mark (marks.h) ends by LF alone. */
static void mark_death(void)
{
	static const char word[] = MARK_DIED "\n";

	if (!is_marked) {
		print_dump("\n");
		return;
	}
	put_dump_char(MARK_BYTE);
	for (const char *p = word; *p; p++)
		put_dump_char(*p);
}

_Noreturn void vpmu_die(const char *why)
{
	mark_death();
	dump_guest();
	dump_host();
	print_dump("vpmu: CPU %u: %s\n", vpmu_cpu.host.number, why);
	vpmu_reset_machine();
}

_Noreturn void vpmu_host_died(const uint64_t *stack)
{
	mark_death();
	dump_guest();
	dump_host();
	print_dump("vpmu: CPU %u: fault in the hypervisor; stack " HEX " " HEX " " HEX " " HEX
		   " cr2 " HEX "\n",
		   vpmu_cpu.host.number, stack[0], stack[1], stack[2], stack[3], read_cr2());
	vpmu_reset_machine();
}
