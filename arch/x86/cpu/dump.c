// SPDX-License-Identifier: BSD-2-Clause
/* dump.c - see dump.h. No fault here is final: memory is read by probe_read(), the backtrace is
 * bounded, and a panic within a panic prints one line and stops. */
#include "arch/x86/cpu/dump.h"

#include "arch/x86/dev/fb.h"
#include "arch/x86/dev/hw_watchdog.h"
#include "arch/x86/portable/mca.h"
#include "arch/x86/mem/image.h"
#include "arch/x86/insn.h"
#include "arch/x86/msr.h"
#include "arch/x86/vector.h"
#include "arch/x86/dev/power.h"
#include "arch/x86/cpu/this_cpu.h"
#include "arch/x86/portable/serial.h"
#include "arch/x86/cpu/user.h"
#include "lib/panic.h"
#include "lib/percpu.h"
#include "lib/printf.h"

#define MAX_DEPTH 32
#define LINE      160

#define STOP_POLLS 10000000u /* some 0.1 s; then the panic goes on without that CPU */

static void write_everywhere(const char *text, size_t n)
{
	serial_alarm(text, n);
	fb_write(text, n);
}

static void (*output)(const char *text, size_t n) = write_everywhere;
static void (*at_end)(const char *reason);
static void (*at_stop)(void);
static void (*stop_others)(void);             /* NULL: there are none */
static PERCPU const struct trap_frame *about; /* registers to print; NULL: the caller's */
static PERCPU unsigned depth;                 /* nested panics on this CPU */
static unsigned stopped;                      /* number of CPUs that have stopped for the panic */
static unsigned panicking;                    /* the first CPU that panics, + 1; 0: none does */

__attribute__((format(printf, 1, 2))) static void say_cpu_state(const char *format, ...)
{
	char line[LINE];
	va_list args;
	int n;

	va_start(args, format);
	n = fmt_vprint(line, sizeof(line), format, args);
	va_end(args);
	output(line, (size_t)n);
}

static void say_address(const char *what, uint64_t va)
{
	uint64_t offset = image_offset(va);

	if (offset == UINT64_MAX)
		say_cpu_state("  %s %016lx\r\n", what, va);
	else
		say_cpu_state("  %s %016lx  perf0+%#lx\r\n", what, va, offset);
}

static void say_registers(const struct trap_frame *f)
{
	say_cpu_state("  %s, error code %lx, in ring %lu\r\n", trap_name((unsigned)f->vector),
		      f->error, f->cs & 3);
	say_cpu_state("  rax %016lx  rbx %016lx  rcx %016lx\r\n", f->rax, f->rbx, f->rcx);
	say_cpu_state("  rdx %016lx  rsi %016lx  rdi %016lx\r\n", f->rdx, f->rsi, f->rdi);
	say_cpu_state("  rbp %016lx  r8  %016lx  r9  %016lx\r\n", f->rbp, f->r8, f->r9);
	say_cpu_state("  r10 %016lx  r11 %016lx  r12 %016lx\r\n", f->r10, f->r11, f->r12);
	say_cpu_state("  r13 %016lx  r14 %016lx  r15 %016lx\r\n", f->r13, f->r14, f->r15);
	say_cpu_state("  rsp %016lx  ss %04lx  cs %04lx  rflags %08lx\r\n", f->rsp, f->ss, f->cs,
		      f->rflags);
}

static void say_control(void)
{
	say_cpu_state("  cr0 %08lx  cr2 %016lx  cr3 %lx  cr4 %lx\r\n", read_cr0(), read_cr2(),
		      read_cr3(), read_cr4());
}

/* The chain of frame pointers: [rbp] is the caller's, [rbp + 8] the return address. Each is above
 * the one before. */
static void say_backtrace(uint64_t rbp)
{
	uint64_t next, rip;

	for (int i = 0; i < MAX_DEPTH; i++) {
		if (rbp % 8 || !probe_read(rbp, &next) || !probe_read(rbp + 8, &rip) || !rip)
			return;
		say_address("by ", rip);
		if (next <= rbp)
			return;
		rbp = next;
	}
}

static void say_frame(const struct trap_frame *frame)
{
	say_address("rip", frame->rip);
	say_registers(frame);
}

/* Prints the machine-check banks of this CPU. */
static void say_machine_checks(void)
{
	const unsigned n = mca_banks();
	char text[MCA_TEXT_MAX];
	struct mca_bank b;
	uint64_t status;

	if (n && rdmsr_safe(MSR_IA32_MCG_STATUS, &status))
		say_cpu_state("  MCG_STATUS %lx, %u banks\r\n", status, n);
	for (unsigned bank = 0; bank < n; bank++) {
		if (!mca_read(bank, &b))
			continue;
		say_cpu_state("  bank %u: %s\r\n", bank, mca_text(b.status, text, sizeof(text)));
		say_cpu_state("  bank %u: STATUS %016lx", bank, b.status);
		if (b.status & MCA_ADDRESS)
			say_cpu_state("  ADDR %016lx", b.address);
		if (b.status & MCA_MISC)
			say_cpu_state("  MISC %016lx", b.misc);
		say_cpu_state("\r\n");
	}
}

static void say_all(const char *reason, uint64_t rbp)
{
	if (smp_ncpus() > 1)
		say_cpu_state("\r\nperf0: panic on CPU %u: %s\r\n", smp_cpu(), reason);
	else
		say_cpu_state("\r\nperf0: panic: %s\r\n", reason);
	if (about) {
		say_frame(about);
		if (about->vector == VEC_MC)
			say_machine_checks();
		rbp = about->rbp;
	}
	say_control();
	say_backtrace(rbp);
}

void dump_report(const struct trap_frame *frame, const char *format, ...)
{
	char reason[LINE];
	va_list args;

	va_start(args, format);
	fmt_vprint(reason, sizeof(reason), format, args);
	va_end(args);
	if (smp_ncpus() > 1)
		say_cpu_state("\r\nperf0: CPU %u: %s\r\n", smp_cpu(), reason);
	else
		say_cpu_state("\r\nperf0: %s\r\n", reason);
	if (frame)
		say_frame(frame);
	if (!frame || !trap_from_user(frame))
		say_backtrace(frame ? frame->rbp : (uint64_t)__builtin_frame_address(0));
}

/* Handles the NMIs of stop_others(). NMIs of this CPU's counters do not matter any more. */
static bool stop_here(struct trap_frame *frame)
{
	(void)frame;
	if (panicking == smp_cpu() + 1)
		return true;
	__atomic_fetch_add(&stopped, 1, __ATOMIC_RELEASE);
	if (at_stop)
		at_stop();
	power_halt();
}

static bool others_stopped(void)
{
	return __atomic_load_n(&stopped, __ATOMIC_ACQUIRE) + 1 >= smp_ncpus();
}

/* The first CPU that panics prints the reason; all others stop where they are, even if they panic,
 * too. */
static void be_the_one(void)
{
	unsigned no_cpu = 0;

	if (depth)
		return;
	if (!__atomic_compare_exchange_n(&panicking, &no_cpu, smp_cpu() + 1, false,
					 __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
		power_halt();
	trap_set_nmi(stop_here);
	if (stop_others)
		stop_others();
	for (unsigned i = 0; i < STOP_POLLS && !others_stopped(); i++)
		cpu_pause();
}

static void on_panic(const char *reason)
{
	irq_disable();
	user_access_end();
	hw_watchdog_stop();
	be_the_one();
	serial_panic();
	if (!depth++)
		say_all(reason, (uint64_t)__builtin_frame_address(0));
	else if (depth == 2)
		say_cpu_state("perf0: panic while panicking: %s\r\n", reason);
	if (at_end && depth <= 2)
		at_end(reason);
	power_halt();
}

void dump_init(void)
{
	panic_set_handler(on_panic);
}

void dump_set_output(void (*fn)(const char *text, size_t n))
{
	output = fn;
}

void dump_set_stopped(void (*fn)(void))
{
	at_stop = fn;
}

void dump_set_stop(void (*fn)(void))
{
	stop_others = fn;
}

void dump_set_end(void (*fn)(const char *reason))
{
	at_end = fn;
}

_Noreturn void dump_panic(const struct trap_frame *frame, const char *format, ...)
{
	char reason[LINE];
	va_list args;

	if (!depth)
		about = frame;
	va_start(args, format);
	fmt_vprint(reason, sizeof(reason), format, args);
	va_end(args);
	panic("%s", reason);
}
