/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * vcpu.h - struct vpmu_cpu, the state of one CPU, in parts. The comment at each part names the file
 * that owns it: only that file and the self-check write it, unless the comment says more.
 *
 * Each CPU has a host of its own. PERCPU variables have the same address on every CPU, and each
 * CPU's page tables map them to other memory. CPUs share code, constant tables and the state of
 * cpu_shared.c, and nothing else.
 *
 * The host runs with GIF and IF clear and uses general registers only, so nothing in vpmu/svm/
 * nests. One turn of its loop: the guest runs; vpmu_exit() accounts for what the guest executed,
 * handles the exit, and chooses the mode of the next run. Each choice follows from the state alone.
 *
 * A quick exit (quick_exit.h) is completed at once, without that accounting. The guest's
 * instructions up to it are owed: the next exit that is not quick adds them to the counters.
 *
 * Exactness: instructions = TSC ticks outside of the host / ticks_per_insn. On a machine whose TSC
 * does not count instructions, they are what QEMU's plugin has counted. A run that may execute in
 * both rings is allowed only while no counter tells the rings apart.
 */
#ifndef VPMU_SVM_VCPU_VCPU_H
#define VPMU_SVM_VCPU_VCPU_H

#include "include/perf0/events_page.h"
#include "include/perf0/vpmu.h"
#include "lib/insn_decode.h"
#include "lib/percpu.h"
#include "vpmu/model/op_decoder.h"
#include "vpmu/model/model.h"
#include "vpmu/model/model_quick.h"
#include "vpmu/model/platform.h"
#include "vpmu/svm/vcpu/asm_layout.h"
#include "vpmu/svm/vcpu/control_bits.h"
#include "vpmu/svm/vcpu/vmcb.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define VPMU_MAX_CPUS 256

/* The guest's general registers between runs, except RAX and RSP, which the VMCB has. Owner:
 * run.S. */
struct vpmu_gprs {
	uint64_t rbx, rcx, rdx, rsi, rdi, rbp, r8, r9, r10, r11, r12, r13, r14, r15;
};

/* State that vmrun.S uses around VMRUN. Owner: vmrun.S. */
struct vpmu_vmrun {
	uint64_t entry_tsc, exit_tsc; /* right before and right after VMRUN */
	uint64_t vmcb;                /* its physical address; launch.c sets it */
	uint64_t ticks_per_insn; /* TSC ticks; an estimate unless clock.exact; launch.c sets it */
	uint64_t exits;          /* since launch; exits.c counts the slow ones */
};

/* Kinds of quick exits. The last two pages of guest code that had one are remembered for each. */
enum vpmu_quick_code { QUICK_RDPMC, QUICK_RDMSR, QUICK_WRMSR, QUICK_CPUID, QUICK_CODES };
struct vpmu_quick_page {
	uint64_t key; /* RIP's page, XOR CR3; of the second page, XOR the first page's key */
	uint64_t physical;
};

/* The key of no page: the upper bits of a canonical address are equal, and CR3 has no bits
 * there. */
#define QUICK_NO_PAGE (1ull << 62)

/*
 * Quick exits: vmrun.S completes them at once. Instructions that they emulated are owed: counters
 * get them at the next slow exit. Owner: quick_exit.c.
 */
struct vpmu_quick {
	uint64_t room;   /* quick exits may owe fewer instructions than this; 0: no exit is quick */
	uint64_t beside; /* instructions owed from earlier runs, less RUN_HOST_INSNS */
	const uint8_t *again; /* the label of vmrun.S that continues after such an exit */
	uint64_t clock;       /* TSC ticks from such an exit to the guest, where clock.own is on */
	uint64_t ring;        /* enum vpmu_ring of the run */
	uint64_t mask;        /* the bits of a counter */
	struct vpmu_quick_page pages[QUICK_CODES][2];
	struct vpmu_quick_registers registers;
};

/* The CPU as the host knows it. Owner: secondary_cpus.c; for the boot CPU, launch.c. */
struct vpmu_host_cpu {
	uint64_t cr3;
	uint64_t
		percpu_distance; /* from the address of a PERCPU variable to its physical address */
	unsigned number;         /* 0: the boot CPU */
	uint32_t apic_id;
};

/* Counts of QEMU's plugin. Owner: plugin_page.c. */
struct vpmu_events {
	struct events_header *header;
	struct events_cpu *own; /* NULL: there is no plugin, or its counts are lost */
	struct branch_log *log; /* valid while `own` is */
	uint64_t asked;         /* the number of the last bell */
	bool is_expected;       /* `before` was read for this run */
	bool is_fresh;          /* the bell has been answered since the last run */
	bool is_checked;   /* the self-check is over, so counts must move when the guest does */
	unsigned still;    /* consecutive runs in which the guest moved and no count did */
	unsigned unheard;  /* consecutive bells without an answer, because the page was unmapped */
	uint64_t followed; /* the number of the last instruction that the plugin was to report */
	struct events_last last; /* its report, with every index brought into range */
	uint64_t before[EVENTS_NUMBERS];
	uint64_t more[EVENTS_NUMBERS]; /* counts of the last run */

	/* For the self-check: the sum of all runs. */
	bool sums;
	uint64_t sum[EVENTS_NUMBERS];
};

/* NMIs of the plugin, at the instruction where a count reaches its target. Owner: plugin_stop.c. */
struct vpmu_stop {
	bool armed;    /* for the next run */
	bool came;     /* such an NMI came in the last run */
	uint64_t seen; /* struct events_cpu.stops after the last run */

	/* For the self-check: a target in instructions, and the instruction at which it came. */
	uint64_t check, checked;
};

/* The guest's registers at the start of a run; filled unless clock.exact. */
struct vpmu_start {
	struct vpmu_gprs gpr;
	uint64_t rip, rsp, rax, rflags;
};

/* The guest's TSC, if it advances only by what the guest executes. */
struct vpmu_own_clock {
	bool is_on;
	bool waits;       /* is_modelled follows, once the guest measures */
	bool is_modelled; /* by modelled cycles; then RDTSC exits */
	uint64_t slots;   /* of all runs in time: as many a cycle as the core is wide */
	uint64_t base;    /* TSC that execution does not account for: its start, and sleeps */
	uint64_t started; /* the machine's TSC in vpmu_clock_start() */
	uint64_t lead;    /* TSC ticks from there to vmrun.S's first RDTSC, in the last run */
};

/* Instructions that the guest has executed. Owner: guest_clock.c. */
struct vpmu_guest_clock {
	bool exact;        /* ticks_per_insn is a constant of this machine; launch.c sets it */
	uint64_t ticks;    /* TSC ticks of the last run */
	uint64_t overhead; /* TSC ticks of a run in which the guest executes nothing */
	uint64_t executed; /* instructions of the last run */
	uint64_t total[VPMU_RINGS];
	uint64_t max_skid; /* the most instructions that an overflow was late */
	struct vpmu_start start;
	struct vpmu_own_clock own;
};

/* How the guest runs until the next exit; exits.c has the intercepts of each mode. */
enum vpmu_run_mode {
	RUN_FREE,      /* no counter tells the rings apart */
	RUN_TRACK_OS,  /* exits before anything reaches ring 3 */
	RUN_TRACK_USR, /* exits before anything reaches ring 0 */
	RUN_STEP,      /* one instruction; interrupts are held back */
};

/* The next run, or the one that has just ended. Owner: exits.c. */
struct vpmu_run {
	enum vpmu_run_mode mode;
	enum vpmu_ring ring; /* the ring of the whole run, unless RUN_FREE */
	uint64_t until;      /* instructions from its start to the next PMI or PEBS record */

	/* For the self-check: run as if a counter asked for it. */
	bool always_track, always_step;
};

/* The PEBS record that is due. Owner: op_sample.c (`op`), pebs_record.c. */
struct vpmu_pebs_due {
	struct vpmu_op op; /* the instruction that the record describes */
	unsigned waited;   /* instructions for which it has waited for an access to memory */
};

/* The guest's NMIs, and one of the host's own. Owner: guest_interrupts.c; exits.c handles IRET. */
struct vpmu_nmi {
	bool is_blocked; /* from delivery to IRET */
	bool is_pending;
	bool extra;        /* a second one follows: fault injection */
	bool ends_by_iret; /* the run begins with the IRET that unblocks NMIs */
	bool fence;        /* the host has sent itself one, to exit after the injected event */
	uint64_t
		later_at; /* number of executed instructions at which a second one comes; 0: none */
};

/* The guest's maskable interrupts and HLT. Owner: guest_interrupts.c, exits.c. */
struct vpmu_interrupts {
	bool is_due;    /* the machine delivers one before the guest's next instruction */
	uint8_t vector; /* vector of the interrupt that the host has taken for the guest; 0: none */
	bool halted;    /* HLT is counted, and nothing has ended it yet */
	uint64_t pmis;  /* delivered since launch */
};

/* The branch by which the next run begins. Owner: emulate.c; last_branches.c clears `from`. */
struct vpmu_delivery {
	uint64_t from;         /* RIP of the emulated instruction that has set the event; 0: none */
	bool is_branch;        /* `from` was set when the last run was prepared: branch_trace.c */
	uint64_t intn, behind; /* RIP of the last emulated INTn, and of the instruction after it */
};

/* SYSCALL and SYSENTER, which are disabled in the real registers during tracked runs. Owner:
 * emulate.c. */
struct vpmu_switches {
	bool sce;                /* EFER.SCE as the guest has set it; msr_exit.c writes it */
	uint16_t sysenter_cs;    /* IA32_SYSENTER_CS as the guest has set it */
	bool sysenter_is_hidden; /* the real IA32_SYSENTER_CS is 0 */
};

/* The way in which the stepped instruction saves or loads TF, which the guest must not see. */
enum vpmu_step_kind { STEP_PLAIN, STEP_PUSHF, STEP_POPF, STEP_IRET };

/* Single steps. Owner: single_step.c; every exit handler may set `once`. */
struct vpmu_step {
	bool once;           /* step the next instruction, whatever the counters need */
	bool impossible;     /* the next instruction saves TF where the guest sees it */
	bool switches_task;  /* it is an IRET that switches tasks */
	bool writes_control; /* it is a legal write of CR0 or CR4, which must not exit again */
	bool string_io; /* it is a string I/O instruction, which must not exit again: port_io.c */
	enum vpmu_step_kind kind;
	uint64_t kind_rip; /* RIP of the instruction of that kind */
	bool guest_tf;
	uint8_t operand; /* bytes that PUSHF pushes */
	uint8_t repeat;  /* the REP prefix of a string instruction; 0: none */
	bool compares;   /* ZF ends the repetition, too */
	uint64_t rounds; /* mask of the bits of RCX that count repetitions */
	uint64_t guest_dr6;
	uint32_t priority; /* the guest's CR8 before the step */
	unsigned left;     /* remaining steps of the next overflow, if the guest stops late */
};

/* The steps after a RDMSR of IBS_CONTROL. Owner: extended_apic.c. */
struct vpmu_extended_apic {
	unsigned steps; /* number of remaining steps */
	/* The access of the stepped instruction to an extended interrupt register. */
	bool is_found;
	unsigned eilvt; /* the register's index */
	uint64_t rip;
	uint8_t code[INSN_MAX_BYTES];
	size_t code_bytes;
	uint32_t stored;
};

/* The comparator of the HPET that stops this CPU's guest. Owner: hpet_timer.c. */
struct vpmu_timer {
	volatile uint64_t *config, *compare, *fsb; /* its registers; NULL: the CPU has none */
	bool is_early; /* quick exits have used up some of its time; quick_exit.c sets it */
	uint64_t wanted_config, message;
	bool armed;            /* for this run */
	bool fired;            /* unless clock.exact: the NMI of the last setting has come */
	uint32_t from, to;     /* unless exact: the counter when it was set, and its target */
	uint64_t at;           /* exact: the counter's target */
	uint64_t deadline;     /* exact: the earliest TSC at which its NMI can come */
	uint64_t tsc_per_tick; /* TSC ticks for one of the HPET, in 1 / 2^16 */
	uint64_t first_tail;   /* the initial value of `tail` */
	uint64_t tail;   /* TSC ticks from setting the comparator to the guest's first instruction;
			  * unless exact, the part of them beyond clock.overhead */
	uint64_t wanted; /* instructions after which the guest should stop */
	/* Exact, with a whole number of TSC ticks for one of the HPET; else 0. */
	uint64_t whole;
	/* The HPET's time, in TSC ticks, less the TSC: from `phase` to `phase_most`. */
	int64_t phase, phase_most;
	bool has_phase;
	uint64_t fires_in; /* TSC ticks of the guest to which it was set */
	uint64_t trial;    /* while it is tuned: instructions after which the guest stops; or 0 */
	unsigned tuned;    /* stops that have shown that `tail` is right, one after the other */
	uint64_t spurious; /* NMIs that came too early, since launch */
};

/* The guest's next write to its local APIC. Owner: nested_paging.c. */
struct vpmu_apic_write {
	bool is_wanted;   /* the next instruction writes to the page */
	bool is_expected; /* the instruction of this run does, and is stepped */
	bool is_extended; /* the instruction accesses a register that only the model has */
	uint32_t offset;  /* offset of the register in the page */
};

/* vmrun.S and run.S use the offsets of the first three parts. */
struct vpmu_cpu {
	struct vpmu_gprs gpr;
	struct vpmu_vmrun vmrun;
	struct vpmu_quick quick;
	unsigned program_level; /* program_cpuid.h; 0: ring 3 finds the personality */
	struct vpmu_host_cpu host;
	struct vpmu_model model; /* owner: vpmu/model/ */
	struct vpmu_thread
		thread; /* owner: vpmu/model/model_platform.c, under vpmu_shared_lock() */
	struct vpmu_events events;
	struct vpmu_stop stop;
	struct vpmu_guest_clock clock;
	struct vpmu_run run;
	struct vpmu_pebs_due pebs;
	struct vpmu_nmi nmi;
	struct vpmu_interrupts interrupts;
	struct vpmu_delivery delivery;
	struct vpmu_switches switches;
	struct vpmu_step step;
	struct vpmu_extended_apic extended_apic;
	struct op_decoder decoder; /* the stepped instruction, if it may be sampled: op_sample.c */
	struct vpmu_timer timer;
	struct vpmu_apic_write apic_write;
};

/* vpmu_is_counted() - returns whether the plugin counts this CPU's instructions, because no clock
 * does. */
static inline bool vpmu_is_counted(const struct vpmu_cpu *cpu)
{
	return !cpu->clock.exact && cpu->events.own;
}

/* Cycles of an instruction on such a machine: as with -icount shift=4. */
#define VPMU_COUNTED_CYCLES 16

extern PERCPU struct vpmu_cpu vpmu_cpu;
extern PERCPU struct vmcb vpmu_vmcb;
extern PERCPU uint8_t vpmu_host_stack[HOST_STACK_SIZE];

/* vpmu_physical() - the physical address of a PERCPU variable of this CPU. */
static inline uint64_t vpmu_physical(const volatile void *percpu)
{
	return (uint64_t)percpu + vpmu_cpu.host.percpu_distance;
}

#define LAYOUT_IS(type, field, offset) \
	_Static_assert(offsetof(type, field) == (offset), "asm_layout.h disagrees")
LAYOUT_IS(struct vpmu_cpu, gpr.rbx, CPU_RBX);
LAYOUT_IS(struct vpmu_cpu, gpr.rdx, CPU_RDX);
LAYOUT_IS(struct vpmu_cpu, gpr.rbp, CPU_RBP);
LAYOUT_IS(struct vpmu_cpu, gpr.r8, CPU_R8);
LAYOUT_IS(struct vpmu_cpu, gpr.r15, CPU_R15);
LAYOUT_IS(struct vpmu_cpu, vmrun.entry_tsc, CPU_ENTRY_TSC);
LAYOUT_IS(struct vpmu_cpu, vmrun.exit_tsc, CPU_EXIT_TSC);
LAYOUT_IS(struct vpmu_cpu, vmrun.vmcb, CPU_VMCB);
LAYOUT_IS(struct vpmu_cpu, vmrun.ticks_per_insn, CPU_TICKS_PER_INSN);
LAYOUT_IS(struct vpmu_cpu, vmrun.exits, CPU_EXITS);
LAYOUT_IS(struct vpmu_cpu, quick.room, CPU_QUICK_ROOM);
LAYOUT_IS(struct vpmu_cpu, quick.beside, CPU_QUICK_BESIDE);
LAYOUT_IS(struct vpmu_cpu, quick.again, CPU_QUICK_AGAIN);
LAYOUT_IS(struct vpmu_cpu, quick.clock, CPU_QUICK_CLOCK);
LAYOUT_IS(struct vpmu_cpu, quick.ring, CPU_QUICK_RING);
LAYOUT_IS(struct vpmu_cpu, quick.mask, CPU_QUICK_MASK);
LAYOUT_IS(struct vpmu_cpu, quick.pages[QUICK_RDPMC], CPU_PAGES_RDPMC);
LAYOUT_IS(struct vpmu_cpu, quick.pages[QUICK_RDMSR], CPU_PAGES_RDMSR);
LAYOUT_IS(struct vpmu_cpu, quick.pages[QUICK_WRMSR], CPU_PAGES_WRMSR);
LAYOUT_IS(struct vpmu_cpu, quick.registers, CPU_QUICK_REGISTERS);
LAYOUT_IS(struct vpmu_quick_page, key, PAGE_KEY);
LAYOUT_IS(struct vpmu_quick_page, physical, PAGE_PHYSICAL);
LAYOUT_IS(struct vmcb, tsc_offset, VMCB_TSC_OFFSET);
LAYOUT_IS(struct vmcb, int_state, VMCB_INT_STATE);
LAYOUT_IS(struct vmcb, exit_code, VMCB_EXIT_CODE);
LAYOUT_IS(struct vmcb, exit_info1, VMCB_EXIT_INFO1);
LAYOUT_IS(struct vmcb, cpl, VMCB_CPL);
LAYOUT_IS(struct vmcb, cr4, VMCB_CR4);
LAYOUT_IS(struct vmcb, cr3, VMCB_CR3);
LAYOUT_IS(struct vmcb, rflags, VMCB_RFLAGS);
LAYOUT_IS(struct vmcb, rip, VMCB_RIP);
LAYOUT_IS(struct vmcb, rsp, VMCB_RSP);
LAYOUT_IS(struct vmcb, rax, VMCB_RAX);
#undef LAYOUT_IS
_Static_assert(sizeof(struct vpmu_quick_page) == NEXT_PAGE, "asm_layout.h disagrees");
_Static_assert(RFLAGS_TRAP_OR_RESUME == (RFLAGS_TF | RFLAGS_RF), "asm_layout.h disagrees");
_Static_assert(SHADOW_BIT == INT_STATE_SHADOW, "asm_layout.h disagrees");
_Static_assert(CR4_PCE_BIT == CR4_PCE, "asm_layout.h disagrees");
_Static_assert(EXIT_RDPMC == VMEXIT_RDPMC && EXIT_MSR == VMEXIT_MSR, "asm_layout.h disagrees");

#endif
