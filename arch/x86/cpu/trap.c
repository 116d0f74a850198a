// SPDX-License-Identifier: BSD-2-Clause
/*
 * trap.c - see trap.h. Which vector runs on which stack, and why no stack is overwritten:
 *
 * 	ring 3 ---- exception, IRQ, SYSCALL ----> RSP0: the task's stack, below user_enter()'s frame
 * 	       ---- #DB ---------------------> IST_DB, and at once on to the task's stack
 * 	ring 0 ---- exception, IRQ ----------> the interrupted stack, whichever it is
 * 	       ---- #DB ---------------------> IST_DB: back from a breakpoint, else panic
 * 	any    ---- NMI ---------------------> IST_NMI
 * 	       ---- #DF, #MC ----------------> IST_DF, IST_MC: panic, never back
 *
 * 1. What stays on the interrupted stack nests like function calls and can hit nothing. IRQs do not
 *    nest (interrupts are off in every handler), exceptions of ring 0 are few and shallow.
 * 2. An IST stack is trampled when its vector comes again before it has returned. NMIs are blocked
 *    until the next IRET, and no IRET happens on the NMI stack but the NMI's own: an exception that
 *    interrupted the NMI handler returns by return_into_nmi() instead.
 * 3. A #DB of ring 3 is off IST_DB before anything but an NMI can come. A breakpoint is only hit in
 *    ring 0 by code that touches ring 3's memory, for nothing else is watched; neither the handlers
 *    of #DB nor those of NMIs do, so it finds IST_DB free. Any other #DB of ring 0 does not return,
 *    and nothing is lost if it finds IST_DB in use.
 * 4. When the interrupted stack is used up, pushing the exception's frame hits its guard page,
 * which makes a #DF, on its own stack.
 */
#include "arch/x86/cpu/trap.h"

#include "arch/x86/dev/apic.h"
#include "arch/x86/cpu/dump.h"
#include "arch/x86/mem/image.h"
#include "arch/x86/cpu/ring0_call.h"
#include "arch/x86/insn.h"
#include "arch/x86/msr.h"
#include "arch/x86/mem/paging.h"
#include "arch/x86/cpu/this_cpu.h"
#include "arch/x86/cpu/stack.h"
#include "arch/x86/cpu/step.h"
#include "arch/x86/cpu/trap_trace.h"
#include "arch/x86/dev/tsc.h"
#include "arch/x86/cpu/user.h"
#include "lib/panic.h"
#include "lib/percpu.h"

#include <linux/errno.h>

enum ist { IST_NONE, IST_NMI, IST_DF, IST_MC, IST_DB };

/* SDM vol. 3, "64-Bit Mode Task-State Segment". */
struct tss {
	uint32_t reserved0;
	uint64_t rsp[3];     /* 4 */
	uint64_t reserved28; /* 28 */
	uint64_t ist[7];     /* 36: IST 1 first */
	uint64_t reserved92; /* 92 */
	uint16_t reserved100;
	uint16_t iomap; /* 102: at the limit, so ring 3 may access no port */
} __attribute__((packed));
_Static_assert(sizeof(struct tss) == 104, "TSS");
_Static_assert(offsetof(struct tss, rsp) == TSS_RSP0, "entry.S");

/* SDM vol. 3, "64-Bit Mode IDT". */
struct gate {
	uint16_t offset_low;
	uint16_t selector;
	uint8_t ist;
	uint8_t type; /* present, DPL, interrupt gate */
	uint16_t offset_middle;
	uint32_t offset_high;
	uint32_t reserved;
};
_Static_assert(sizeof(struct gate) == 16, "IDT gate");

#define GATE_INTERRUPT 0x8e
#define GATE_USER      0x60 /* DPL 3: INT n may call it */

#define GDT_KERNEL_CODE 0x00af9b000000ffff
#define GDT_KERNEL_DATA 0x00cf93000000ffff
#define GDT_USER_DATA   0x00cff3000000ffff
#define GDT_USER_CODE   0x00affb000000ffff
#define GDT_TSS         0x0000890000000000

#define NSELECTORS (SEL_TSS / 8 + 2)
#define STUB_SIZE  16

PERCPU struct tss trap_tss;
static PERCPU uint64_t gdt[NSELECTORS];
static struct gate idt[TRAP_NVECTORS];

STACK_STATIC(nmi_stack, 16);
STACK_STATIC(df_stack, 12);
STACK_STATIC(mc_stack, 12);
STACK_STATIC(db_stack, 8);

/* The first CPU uses these stacks; the other CPUs get stacks of the same sizes and names. */
static struct stack *const ist_stacks[] = {
	[IST_NMI] = &nmi_stack,
	[IST_DF] = &df_stack,
	[IST_MC] = &mc_stack,
	[IST_DB] = &db_stack,
};
static PERCPU const struct stack *own_nmi_stack;

/* The entry code calls `irq_handlers`; trap_set_irq() sets `irq_wanted`. They differ while a
 * tracepoint is open: then `irq_handlers` hit the tracepoint and call `irq_wanted`. */
static trap_handler *irq_handlers[TRAP_NVECTORS], *irq_wanted[TRAP_NVECTORS];
static trap_handler leave_user;
static trap_handler *user_fault = leave_user;
static bool take_no_nmi(struct trap_frame *frame);
static trap_nmi_handler *nmi_handler = take_no_nmi, *nmi_wanted = take_no_nmi;
static bool tracing;
static trap_debug_handler *debug_handler;
static PERCPU struct trap_counts counts;
static const char *irq_names[TRAP_NVECTORS];
static PERCPU uint8_t context; /* enum trace_context, except for NMIs */

/* entry.S */
extern const uint8_t trap_stubs[], trap_nmi_entry[], trap_debug_entry[];
void trap_load_segments(void);
bool trap_exception(struct trap_frame *frame);
void trap_irq(struct trap_frame *frame);
void trap_nmi(struct trap_frame *frame);

static const char *const names[VEC_NEXCEPT] = {
	"#DE",       "#DB",       "NMI",       "#BP",       "#OF", "#BR", "#UD",       "#NM",
	"#DF",       "vector 9",  "#TS",       "#NP",       "#SS", "#GP", "#PF",       "vector 15",
	"#MF",       "#AC",       "#MC",       "#XM",       "#VE", "#CP", "vector 22", "vector 23",
	"vector 24", "vector 25", "vector 26", "vector 27", "#HV", "#VC", "#SX",       "vector 31",
};

const char *trap_name(unsigned vector)
{
	return vector < VEC_NEXCEPT ? names[vector] : "IRQ";
}

/* RSP0 is where the CPU, or user_syscall_entry, began to push; entry.S sets it. */
struct trap_frame *trap_user_frame(void)
{
	const uint64_t rsp0 = trap_tss.rsp[0];

	return rsp0 ? (struct trap_frame *)rsp0 - 1 : NULL;
}

const struct trap_counts *trap_counts(void)
{
	return &counts;
}

/* Handles an interrupt without a handler of its own. */
static void take_stray(struct trap_frame *frame)
{
	counts.stray_irqs++;
	if (apic_in_service((unsigned)frame->vector))
		apic_eoi();
}

static bool take_no_nmi(struct trap_frame *frame)
{
	(void)frame;
	return false;
}

trap_handler *trap_set_irq(unsigned vector, trap_handler *fn)
{
	trap_handler *old;

	ASSERT(vector >= VEC_FREE && vector <= VEC_FREE_LAST);
	old = irq_wanted[vector];
	irq_wanted[vector] = fn ? fn : take_stray;
	if (!tracing)
		irq_handlers[vector] = irq_wanted[vector];
	return old;
}

void trap_name_irq(unsigned vector, const char *name)
{
	irq_names[vector] = name;
}

enum trace_context trap_context(void)
{
	if (stack_holds(own_nmi_stack, (uintptr_t)__builtin_frame_address(0)))
		return TRACE_NMI;
	return (enum trace_context)context;
}

void trap_forget_context(void)
{
	context = TRACE_TASK;
}

trap_nmi_handler *trap_set_nmi(trap_nmi_handler *fn)
{
	trap_nmi_handler *old = nmi_wanted;

	nmi_wanted = fn ? fn : take_no_nmi;
	if (!tracing)
		nmi_handler = nmi_wanted;
	return old;
}

static void trace_irq(struct trap_frame *frame)
{
	const unsigned vector = (unsigned)frame->vector;
	const char *name = irq_names[vector];
	bool known = irq_wanted[vector] != take_stray;

	context = TRACE_IRQ;
	trace(irq_handler_entry, (int32_t)vector, name ? name : "");
	irq_wanted[vector](frame);
	trace(irq_handler_exit, (int32_t)vector, known);
	context = TRACE_TASK;
}

static bool trace_nmi(struct trap_frame *frame)
{
	const uint64_t begin = clock_ns();
	bool handled = nmi_wanted(frame);

	trace(nmi_handler, (const void *)nmi_wanted, clock_ns() - begin, handled);
	return handled;
}

void trap_trace(bool on)
{
	tracing = on;
	for (unsigned v = 0; v < TRAP_NVECTORS; v++)
		irq_handlers[v] = on ? trace_irq : irq_wanted[v];
	nmi_handler = on ? trace_nmi : nmi_wanted;
}

trap_debug_handler *trap_set_debug(trap_debug_handler *fn)
{
	trap_debug_handler *old = debug_handler;

	debug_handler = fn;
	return old;
}

trap_handler *trap_set_user_fault(trap_handler *fn)
{
	trap_handler *old = user_fault;

	user_fault = fn ? fn : leave_user;
	return old;
}

uint64_t trap_fault_address(void)
{
	return read_cr2();
}

static __attribute__((noinline)) struct trap_frame *drop_ac(struct trap_frame *frame)
{
	user_access_end();
	return frame;
}

/* Ring 3 may have set AC, which would switch SMAP off in ring 0. Returns `frame`, so that the
 * caller need not save it around the call inside, which is rare. */
static inline struct trap_frame *forget_user_ac(struct trap_frame *frame)
{
	return __builtin_expect(frame->rflags & RFLAGS_AC, 0) ? drop_ac(frame) : frame;
}

static bool fix_up(struct trap_frame *frame)
{
	for (const struct image_extable *e = __extable_start; e != __extable_end; e++) {
		if ((uintptr_t)&e->from + (intptr_t)e->from != frame->rip)
			continue;
		frame->rip = (uintptr_t)&e->to + (intptr_t)e->to;
		counts.fixups++;
		return true;
	}
	return false;
}

static void leave_user(struct trap_frame *frame)
{
	(void)frame;
	user_leave(-EFAULT);
}

/* Most exceptions are page faults of ring 3, whose context can only be that of a task. */
static void take_user_page_fault(struct trap_frame *frame)
{
	const uint64_t rip = frame->rip;

	counts.user_faults++;
	counts.user_fault[VEC_PF]++;
	context = TRACE_EXCEPTION;
	trace(page_fault_user, trap_fault_address(), rip, frame->error);
	user_fault(frame);
	if (step_on)
		step_mended(frame, rip);
	counts.user_page_faults_mended++;
	context = TRACE_TASK;
}

static void take_user_fault(struct trap_frame *frame)
{
	const uint64_t vector = frame->vector, rip = frame->rip;

	counts.user_faults++;
	counts.user_fault[vector]++;
	if (vector == VEC_DB) /* the CPU never clears these bits */
		write_dr6(read_dr6() & ~DR6_OTHERS);
	user_fault(frame);
	step_mended(frame, rip);
}

static const char *fault_cause(uint64_t address, uint64_t error)
{
	uint64_t pte = paging_lookup(address);

	if (address < PAGE_SIZE)
		return "the null page";
	if (!(error & PF_PRESENT))
		return "not mapped";
	if (error & PF_FETCH)
		return pte & PTE_USER ? "ring 3's" : "no-execute";
	if (error & PF_WRITE && !(pte & PTE_WRITE))
		return "read only";
	return "ring 3's";
}

static _Noreturn void panic_page_fault(const struct trap_frame *frame)
{
	uint64_t address = trap_fault_address();
	const char *guard = stack_guard_name(address);
	const char *access = frame->error & PF_FETCH   ? "fetch from"
			     : frame->error & PF_WRITE ? "write to"
						       : "read of";

	if (guard)
		dump_panic(frame, "#PF: stack overflow of %s, %s %#lx", guard, access, address);
	dump_panic(frame, "#PF: %s %#lx, which is %s", access, address,
		   fault_cause(address, frame->error));
}

/* A page fault that finds no room for its frame becomes a double fault and leaves CR2 behind. */
static _Noreturn void panic_double_fault(const struct trap_frame *frame)
{
	const char *guard = stack_guard_name(trap_fault_address());

	if (guard)
		dump_panic(frame, "#DF: stack overflow of %s", guard);
	dump_panic(frame, "#DF: CR2 %#lx", trap_fault_address());
}

static _Noreturn void panic_exception(const struct trap_frame *frame)
{
	if (frame->vector == VEC_PF)
		panic_page_fault(frame);
	if (frame->vector == VEC_DF)
		panic_double_fault(frame);
	dump_panic(frame, "%s, error code %#lx", trap_name((unsigned)frame->vector), frame->error);
}

static bool is_terminal(const struct trap_frame *frame)
{
	if (frame->vector == VEC_DF || frame->vector == VEC_MC)
		return true;
	return frame->vector == VEC_DB && !trap_from_user(frame);
}

static void take_exception(struct trap_frame *frame)
{
	if (frame->vector == VEC_DB && debug_handler && debug_handler(frame))
		return;
	if (!trap_from_user(frame) && lend_take_fault(frame))
		return;
	if (is_terminal(frame))
		panic_exception(frame);
	if (trap_from_user(frame))
		take_user_fault(frame);
	else if (!fix_up(frame))
		panic_exception(frame);
}

static bool interrupted_nmi(const struct trap_frame *frame)
{
	return !trap_from_user(frame) && stack_holds(own_nmi_stack, frame->rsp);
}

static __attribute__((noinline)) bool take_other(struct trap_frame *frame)
{
	const uint8_t interrupted = context;

	context = interrupted > TRACE_EXCEPTION ? interrupted : TRACE_EXCEPTION;
	take_exception(frame);
	context = interrupted;
	return interrupted_nmi(frame);
}

/* Called by entry.S with every exception but NMI. True: an NMI handler was interrupted. */
bool trap_exception(struct trap_frame *frame)
{
	frame = forget_user_ac(frame);
	if (frame->vector != VEC_PF || !trap_from_user(frame))
		return take_other(frame);
	take_user_page_fault(frame);
	return false;
}

/* Called by entry.S with every interrupt. Interrupts are off in NMI handlers, so none of these is
 * interrupted. */
void trap_irq(struct trap_frame *frame)
{
	frame = forget_user_ac(frame);
	counts.irqs++;
	irq_handlers[frame->vector](frame);
}

/* Called by entry.S with every NMI. */
void trap_nmi(struct trap_frame *frame)
{
	frame = forget_user_ac(frame);
	counts.nmis++;
	if (!nmi_handler(frame))
		counts.unknown_nmis++;
}

static void set_gate(unsigned vector, const uint8_t *entry, enum ist ist, uint8_t type)
{
	uintptr_t offset = (uintptr_t)entry;

	idt[vector] = (struct gate){
		.offset_low = (uint16_t)offset,
		.selector = SEL_KERNEL_CODE,
		.ist = (uint8_t)ist,
		.type = type,
		.offset_middle = (uint16_t)(offset >> 16),
		.offset_high = (uint32_t)(offset >> 32),
	};
}

static void fill_idt(void)
{
	for (unsigned v = 0; v < TRAP_NVECTORS; v++)
		set_gate(v, trap_stubs + v * STUB_SIZE, IST_NONE, GATE_INTERRUPT);
	set_gate(VEC_NMI, trap_nmi_entry, IST_NMI, GATE_INTERRUPT);
	set_gate(VEC_DB, trap_debug_entry, IST_DB, GATE_INTERRUPT);
	set_gate(VEC_DF, trap_stubs + VEC_DF * STUB_SIZE, IST_DF, GATE_INTERRUPT);
	set_gate(VEC_MC, trap_stubs + VEC_MC * STUB_SIZE, IST_MC, GATE_INTERRUPT);
	set_gate(VEC_BP, trap_stubs + VEC_BP * STUB_SIZE, IST_NONE, GATE_INTERRUPT | GATE_USER);
}

static void load_idt(void)
{
	const struct insn_table table = {sizeof(idt) - 1, (uintptr_t)idt};

	insn_lidt(&table);
}

/* The first CPU's stacks are static, because they exist before memory can be allocated. */
static struct stack *own_stack(enum ist ist)
{
	struct stack *first = ist_stacks[ist];

	return smp_cpu() ? stack_make(first->bytes, first->name, smp_cpu()) : first;
}

static int fill_tss(void)
{
	trap_tss = (struct tss){.iomap = sizeof(trap_tss)};
	for (enum ist ist = IST_NMI; ist <= IST_DB; ist++) {
		struct stack *stack = own_stack(ist);

		if (!stack)
			return -ENOMEM;
		trap_tss.ist[ist - 1] = (uintptr_t)stack_register(stack);
		if (ist == IST_NMI)
			own_nmi_stack = stack;
	}
	return 0;
}

/* SDM vol. 3, "TSS Descriptor in 64-bit mode": the base is scattered. */
static void load_gdt(void)
{
	const struct insn_table table = {sizeof(gdt) - 1, (uintptr_t)gdt};
	uint64_t base = (uintptr_t)&trap_tss;

	gdt[SEL_KERNEL_CODE / 8] = GDT_KERNEL_CODE;
	gdt[SEL_KERNEL_DATA / 8] = GDT_KERNEL_DATA;
	gdt[SEL_USER_DATA / 8] = GDT_USER_DATA;
	gdt[SEL_USER_CODE / 8] = GDT_USER_CODE;
	gdt[SEL_TSS / 8] = GDT_TSS | (sizeof(trap_tss) - 1) | (base & 0xffffff) << 16 |
			   (base >> 24 & 0xff) << 56;
	gdt[SEL_TSS / 8 + 1] = base >> 32;
	insn_lgdt(&table);
	trap_load_segments();
	insn_ltr(SEL_TSS);
}

void trap_init(void)
{
	irq_disable();
	for (unsigned v = 0; v < TRAP_NVECTORS; v++)
		irq_handlers[v] = irq_wanted[v] = take_stray;
	dump_init();
	fill_idt();
	trap_init_cpu();
}

int trap_init_cpu(void)
{
	int err = fill_tss();

	if (err)
		return err;
	load_gdt();
	load_idt();
	write_cr0(CR0_PG | CR0_AM | CR0_WP | CR0_NE | CR0_ET | CR0_MP | CR0_PE);
	write_cr4((read_cr4() & CR4_LA57) | CR4_PAE | CR4_MCE | CR4_OSFXSR | CR4_OSXMMEXCPT);
	return 0;
}
