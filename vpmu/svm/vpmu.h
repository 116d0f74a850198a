/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * vpmu.h - the hypervisor's own state, and what its files call in one another.
 *
 * Each CPU has a host of its own, and nothing but code, tables that never change and what
 * shared.c keeps is common: PERCPU variables lie at the same address in each one's page tables. The
 * host runs with GIF and IF clear, in general registers only; so nothing here nests. One turn of
 * the loop is: the guest runs; vpmu_exit() accounts for what it executed, handles the exit, and
 * chooses how the next run goes. A run is never assumed to go on where the last one stopped: every
 * choice is made afresh from the state.
 *
 * Exactness: instructions = (TSC outside of the host) / ticks_per_insn, or, on a machine whose TSC
 * does not tell them, what QEMU's plugin has counted. Rings: a run that may see both is only
 * allowed while no counter tells them apart.
 */
#ifndef VPMU_SVM_VPMU_H
#define VPMU_SVM_VPMU_H

#include "include/perf0/vpmu.h"
#include "lib/insn.h"
#include "lib/percpu.h"
#include "vpmu/model/model.h"
#include "vpmu/model/model_quick.h"
#include "vpmu/model/platform.h"
#include "vpmu/svm/run.h"
#include "vpmu/svm/vmcb.h"
#include "vpmu/model/witness.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define RFLAGS_FIXED 0x2ull
#define RFLAGS_TF    (1ull << 8)
#define RFLAGS_IF    (1ull << 9)
#define RFLAGS_NT    (1ull << 14)
#define RFLAGS_RF    (1ull << 16)

#define CR0_PE      (1ull << 0)
#define CR0_EM      (1ull << 2)
#define CR0_TS      (1ull << 3)
#define CR0_NW      (1ull << 29)
#define CR0_CD      (1ull << 30)
#define CR0_PG      (1ull << 31)
#define CR0_AT_INIT 0x60000010ull /* CD, NW, ET */
#define CR4_PSE     (1ull << 4)
#define CR4_PAE     (1ull << 5)
#define CR4_LA57    (1ull << 12)
#define CR4_DE      (1ull << 3)
#define CR4_PCE     (1ull << 8)
#define CR4_PCIDE   (1ull << 17)
#define CR4_OSFXSR  (1ull << 9)
#define CR4_OSXSAVE (1ull << 18)
#define CR4_PKE     (1ull << 22)

#define DR6_BS      (1ull << 14)
#define DR6_AT_INIT 0xffff0ff0ull
#define DR7_AT_INIT 0x400ull

#define VPMU_MAX_CPUS 256

enum vpmu_vector {
	VECTOR_DE,
	VECTOR_DB,
	VECTOR_NMI,
	VECTOR_UD = 6,
	VECTOR_NM,
	VECTOR_DF,
	VECTOR_TS = 10,
	VECTOR_NP,
	VECTOR_SS,
	VECTOR_GP,
	VECTOR_PF,
	VECTOR_MF = 16,
	VECTOR_AC,
	VECTOR_XM = 19,
};

/* How the guest runs until the next exit; exits.c holds the intercepts of each. */
enum vpmu_run {
	RUN_FREE,      /* no counter needs to know the ring */
	RUN_TRACK_OS,  /* leaves before anything reaches ring 3 */
	RUN_TRACK_USR, /* leaves before anything reaches ring 0 */
	RUN_STEP,      /* one instruction, interrupts held back */
};

/* What the instruction about to be stepped does with the TF that the guest must not see. */
enum vpmu_step_kind { STEP_PLAIN, STEP_PUSHF, STEP_POPF, STEP_IRET };

struct vpmu_step {
	bool once;           /* step the next instruction, whatever the counters say */
	bool impossible;     /* the next one: it is not stepped, whatever says so */
	bool switches_task;  /* the next one is an IRET that does */
	bool writes_control; /* the next one is a legal write of CR0 or CR4, which does not exit */
	enum vpmu_step_kind kind;
	uint64_t kind_rip; /* where the instruction of that kind lies */
	bool guest_tf;
	uint8_t operand; /* bytes that PUSHF pushes */
	uint8_t repeat;  /* the prefix of a REP string instruction; 0: it is none */
	bool compares;   /* it ends by ZF, too */
	uint64_t rounds; /* bits of RCX that count its iterations */
	uint64_t guest_dr6;
	uint32_t priority; /* of the guest's task, before it */
};

struct vpmu_timer {
	volatile uint64_t *config, *compare, *fsb; /* of its comparator; NULL: it has none */
	bool is_early;                             /* by what quick exits took */
	uint64_t wanted_config, message;
	bool armed;            /* for this very run */
	bool fired;            /* the setting's NMI has come; when not exact */
	uint32_t from, to;     /* the counter when it was set, and then; when not exact */
	uint64_t at;           /* the counter then; when exact */
	uint64_t deadline;     /* TSC, the earliest at which its NMI can come; when exact */
	uint64_t tsc_per_tick; /* of the HPET, in 1 / 2^16 */
	uint64_t first_tail;   /* what `tail` begins with */
	uint64_t tail;   /* TSC ticks from setting the comparator to the guest's first instruction;
			  * when not exact, of those what is more than `overhead` */
	uint64_t wanted; /* instructions */
};

/* Behind a RDMSR of IBS_CONTROL: see extended_apic.c. */
struct vpmu_extended_apic {
	unsigned steps; /* that are left */
	/* Of the one that is stepped: the extended interrupt that it accesses, its code, and what
	 * it stores. */
	bool is_found;
	unsigned eilvt;
	uint64_t rip;
	uint8_t code[INSN_MAX_BYTES];
	size_t code_bytes;
	uint32_t stored;
};

/* The guest's TSC, where it goes by what the guest executes: see clock.c. */
struct vpmu_own_clock {
	bool is_on;
	uint64_t base;    /* beside the instructions: where it began, and what the guest slept */
	uint64_t started; /* the machine's TSC in vpmu_clock_start() */
	uint64_t lead;    /* from there to vmrun.S's opening RDTSC, in the last run */
};

/* What QEMU's plugin counts. */
struct vpmu_events {
	struct events_header *header;
	struct events_cpu *own; /* NULL: nothing is counted */
	struct branch_log *log; /* with that */
	uint64_t asked;
	bool is_expected; /* `before` is of the run */
	bool is_fresh;    /* the page was asked for since the last run */
	bool is_checked;  /* the guest is not vpmu's self-check any more, of which little is counted
			   */
	unsigned still;   /* runs in a row in which the guest moved, and no count did */
	unsigned unheard; /* bells in a row that were, as the page was not there */
	uint64_t followed;       /* the last number of an instruction that was asked for */
	struct events_last last; /* what the page told of that, in range */
	uint64_t before[EVENTS_NUMBERS];
	uint64_t more[EVENTS_NUMBERS]; /* in the last run */

	/* For the self-check: all counts, added up. */
	bool sums;
	uint64_t sum[EVENTS_NUMBERS];
};

/* Stops where a count reaches a target. */
struct vpmu_stop {
	bool armed;    /* for this very run */
	bool came;     /* the last run ended by one */
	uint64_t seen; /* of struct events_cpu.stops */

	/* For the self-check: after so many instructions, and after how many it came. */
	uint64_t check, checked;
};

/* What an instruction of the guest would have changed; when not exact. */
#define START_RCX 1
struct vpmu_start {
	uint64_t registers[14]; /* as they lie in struct vpmu_cpu */
	uint64_t rip, rsp, rax, rflags;
};

/* The last INTn that vpmu has emulated: where it lies, and what comes behind it. */
struct vpmu_intn {
	uint64_t rip, next;
};

/* What the guest is about to write to its local APIC. */
struct vpmu_apic_write {
	bool is_wanted;   /* the next instruction writes there */
	bool is_expected; /* so it does in this very run */
	bool is_extended; /* that one accesses a register that is the model's alone */
	uint32_t offset;  /* of the register in the page */
};

/* Of a CPU behind the first: what it has before it runs. */
struct vpmu_place {
	uint32_t apic_id;
	unsigned tables; /* in use */
	uint8_t *memory; /* vpmu_cpu_bytes(): a stack to start on, page tables, PERCPU variables */
	uint8_t vector;  /* of the guest's last SIPI for it */
};
_Static_assert(offsetof(struct vpmu_place, apic_id) == PLACE_APIC_ID, "run.h disagrees");
_Static_assert(offsetof(struct vpmu_place, memory) == PLACE_MEMORY, "run.h disagrees");
_Static_assert(sizeof(struct vpmu_place) == PLACE_BYTES, "run.h disagrees");

/* Pages of the guest's code in which there are instructions of quick exits: of each kind the last
 * two. */
enum vpmu_quick_code { QUICK_RDPMC, QUICK_RDMSR, QUICK_WRMSR, QUICK_CPUID, QUICK_CODES };
struct vpmu_quick_page {
	uint64_t key; /* its address, XOR CR3; of a second one XOR the first one's key */
	uint64_t physical;
};
_Static_assert(offsetof(struct vpmu_quick_page, key) == PAGE_KEY, "run.h disagrees");
_Static_assert(offsetof(struct vpmu_quick_page, physical) == PAGE_PHYSICAL, "run.h disagrees");
_Static_assert(sizeof(struct vpmu_quick_page) == NEXT_PAGE, "run.h disagrees");

/* The key of none: no address has two upper bits that differ, and CR3 has none of these. */
#define QUICK_NO_PAGE (1ull << 62)

/* Exits that are over at once: see quick.c, and vmrun.S. */
struct vpmu_quick {
	uint64_t room;        /* instructions that may be owed before one; 0: none is quick */
	uint64_t beside;      /* those that are owed from before the run, less the host's own in it,
			       * which its ticks are of, too */
	const uint8_t *again; /* where vmrun.S goes on behind one */
	uint64_t clock;       /* ticks of one beyond vpmu_run_guest_by_clock's RDTSC */
	uint64_t ring;        /* enum vpmu_ring: which counters count in */
	uint64_t mask;        /* what a counter takes */
	struct vpmu_quick_page pages[QUICK_CODES][2];
	struct vpmu_quick_registers registers;
};

struct vpmu_cpu {
	uint64_t rbx, rcx, rdx, rsi, rdi, rbp, r8, r9, r10, r11, r12, r13, r14, r15;
	uint64_t entry_tsc, exit_tsc;
	uint64_t vmcb;           /* physical */
	uint64_t ticks_per_insn; /* TSC ticks an instruction takes; an estimate when not exact */
	uint64_t exits;
	struct vpmu_quick quick;

	uint64_t host_cr3;
	uint64_t distance; /* from the addresses of PERCPU variables to the physical ones */
	unsigned number;   /* of the CPU, in the order in which they came */
	uint32_t apic_id;

	struct vpmu_model model;
	struct vpmu_thread thread;
	struct vpmu_events events;
	struct vpmu_stop stop;

	/* Accounts. */
	bool exact;        /* ticks_per_insn is a constant of the machine; see vpmu_is_counted() */
	uint64_t ticks;    /* of the last run, as they were read */
	uint64_t overhead; /* of those, what a run takes in which the guest does nothing */
	uint64_t executed; /* instructions of the last run */
	struct vpmu_start start; /* of the run */
	uint64_t total[VPMU_RINGS];
	uint64_t pmis, spurious, max_skid;
	struct vpmu_own_clock own_clock;

	/* The run. */
	enum vpmu_run run;
	enum vpmu_ring ring; /* all of the run is in this one, unless RUN_FREE */
	uint64_t until;      /* instructions from its start to the next PMI or PEBS record */

	/* PEBS: the instruction that was the last one when a record came due. */
	struct vpmu_op recorded;
	unsigned waited; /* instructions for one that accesses memory as the event says */
	unsigned steps;  /* that are left for the next overflow, where the guest stops late */

	/* The guest's events. */
	bool nmi_blocked; /* from delivery to IRET */
	bool nmi_pending;
	bool nmi_extra;        /* another one is to follow it */
	uint64_t nmi_later_at; /* another one comes when so much was executed; 0: none does */
	bool nmi_iret;         /* the run begins with the IRET that ends their blocking */
	bool fence;        /* an NMI of our own is on its way, to stop behind an injected event */
	bool string_io;    /* what exits is executed in the run to come */
	bool intr_due;     /* a maskable interrupt is delivered before anything else happens */
	uint8_t interrupt; /* vector that the host has taken for the guest; 0: none waits */
	uint64_t delivers_from; /* the INTn that the event which is set is of; 0: of none */
	struct vpmu_intn intn;
	bool enters_by_branch; /* what is delivered in this run is that INTn */
	bool halted;           /* HLT is counted, and nothing has ended it yet */

	bool sce; /* EFER.SCE as the guest set it; the real one is off in runs that track */
	struct vpmu_sysenter {
		uint16_t cs;    /* IA32_SYSENTER_CS as the guest set it */
		bool is_hidden; /* the real one is 0 */
	} sysenter;
	struct vpmu_step step;
	struct vpmu_extended_apic extended_apic;
	struct witness witness; /* of the instruction that is stepped, when it may be sampled */
	struct vpmu_timer timer;
	struct vpmu_apic_write apic_write;

	/* For the self-check: behave as if a counter asked for it. */
	bool always_track, always_step;
};

/* vpmu_is_counted() - instructions are what QEMU's plugin has counted, not what a clock says. */
static inline bool vpmu_is_counted(const struct vpmu_cpu *cpu)
{
	return !cpu->exact && cpu->events.own;
}

/* Of the guest on such a machine an instruction takes so many: as under -icount shift=4. */
#define VPMU_COUNTED_CYCLES 16

#define CPU_OFFSET(field, offset) \
	_Static_assert(offsetof(struct vpmu_cpu, field) == (offset), "run.h disagrees")
CPU_OFFSET(rbx, CPU_RBX);
CPU_OFFSET(rdx, CPU_RDX);
CPU_OFFSET(rbp, CPU_RBP);
CPU_OFFSET(r8, CPU_R8);
CPU_OFFSET(r15, CPU_R15);
CPU_OFFSET(entry_tsc, CPU_ENTRY_TSC);
CPU_OFFSET(exit_tsc, CPU_EXIT_TSC);
CPU_OFFSET(vmcb, CPU_VMCB);
CPU_OFFSET(ticks_per_insn, CPU_TICKS_PER_INSN);
CPU_OFFSET(exits, CPU_EXITS);
CPU_OFFSET(quick.room, CPU_QUICK_ROOM);
CPU_OFFSET(quick.beside, CPU_QUICK_BESIDE);
CPU_OFFSET(quick.again, CPU_QUICK_AGAIN);
CPU_OFFSET(quick.clock, CPU_QUICK_CLOCK);
CPU_OFFSET(quick.ring, CPU_QUICK_RING);
CPU_OFFSET(quick.mask, CPU_QUICK_MASK);
CPU_OFFSET(quick.pages[QUICK_RDPMC], CPU_PAGES_RDPMC);
CPU_OFFSET(quick.pages[QUICK_RDMSR], CPU_PAGES_RDMSR);
CPU_OFFSET(quick.pages[QUICK_WRMSR], CPU_PAGES_WRMSR);
CPU_OFFSET(quick.registers, CPU_QUICK_REGISTERS);
#undef CPU_OFFSET
#define VMCB_OFFSET(field, offset) \
	_Static_assert(offsetof(struct vmcb, field) == (offset), "run.h disagrees")
VMCB_OFFSET(tsc_offset, VMCB_TSC_OFFSET);
VMCB_OFFSET(int_state, VMCB_INT_STATE);
VMCB_OFFSET(exit_code, VMCB_EXIT_CODE);
VMCB_OFFSET(exit_info1, VMCB_EXIT_INFO1);
VMCB_OFFSET(cpl, VMCB_CPL);
VMCB_OFFSET(cr4, VMCB_CR4);
VMCB_OFFSET(cr3, VMCB_CR3);
VMCB_OFFSET(rflags, VMCB_RFLAGS);
VMCB_OFFSET(rip, VMCB_RIP);
VMCB_OFFSET(rsp, VMCB_RSP);
VMCB_OFFSET(rax, VMCB_RAX);
#undef VMCB_OFFSET
_Static_assert(RFLAGS_TRAP_OR_RESUME == (RFLAGS_TF | RFLAGS_RF), "run.h disagrees");
_Static_assert(SHADOW_BIT == INT_STATE_SHADOW && CR4_PCE_BIT == CR4_PCE, "run.h disagrees");
_Static_assert(EXIT_RDPMC == VMEXIT_RDPMC && EXIT_MSR == VMEXIT_MSR, "run.h disagrees");

extern PERCPU struct vpmu_cpu vpmu_cpu;
extern PERCPU struct vmcb vpmu_vmcb;
extern PERCPU uint8_t vpmu_host_stack[HOST_STACK_SIZE];

/* Where a PERCPU variable of this CPU is in physical memory. */
static inline uint64_t vpmu_physical(const volatile void *percpu)
{
	return (uint64_t)percpu + vpmu_cpu.distance;
}

/* A descriptor table as LGDT and LIDT take it. */
struct vpmu_table {
	uint16_t limit;
	uint64_t base;
} __attribute__((packed));

struct vpmu_tables {
	struct vpmu_table gdtr, idtr;
	uint16_t es, cs, ss, ds;
} __attribute__((packed));
_Static_assert(offsetof(struct vpmu_tables, idtr) == TABLES_IDTR, "run.h disagrees");
_Static_assert(offsetof(struct vpmu_tables, es) == TABLES_SELECTORS, "run.h disagrees");

/* vmrun.S: the guest runs. vpmu_run_guest_by_clock - and its own TSC has stood still. */
extern const uint8_t vpmu_run_guest[], vpmu_run_guest_by_clock[];

/* run.S */
void vpmu_enter(void); /* becomes a guest */
void vpmu_store_tables(struct vpmu_tables *tables);
void vpmu_load_tables(const struct vpmu_tables *tables);
void vpmu_load_idt(const struct vpmu_table *idtr);
void vpmu_clear_gif(void);
void vpmu_store_xmms(uint64_t xmm[VPMU_XMMS][2]);

/* host_idt.S */
void vpmu_drain_nmi(void);               /* takes and forgets the NMI that is pending */
void vpmu_wait(bool interrupts);         /* for an NMI or, if `interrupts`, for an interrupt */
void vpmu_take_interrupt(void);          /* one that is pending, as if by vpmu_wait() */
extern PERCPU uint32_t vpmu_host_nmis;   /* how many the host has taken */
extern PERCPU uint32_t vpmu_host_vector; /* of the interrupt that ended vpmu_wait(), 0: none did */
void vpmu_host_nmi(void);
extern const uint8_t vpmu_host_faults[HOST_FAULTS][HOST_GATE_SIZE];
extern const uint8_t vpmu_host_interrupts[HOST_VECTORS - HOST_FAULTS][HOST_GATE_SIZE];

/* An access to a port. */
struct vpmu_io {
	uint16_t port;
	bool is_in;
	unsigned bytes;
	uint32_t value, mask;
};

/* io.c: ports that exit. vpmu_io_watch() - once, the boot CPU; vpmu_emulate_io(): the exit. */
void vpmu_io_watch(uint16_t port, unsigned ports);
uint64_t vpmu_iopm_base(void);
uint32_t vpmu_io_intercept(const struct vpmu_cpu *cpu);
void vpmu_emulate_io(struct vpmu_cpu *cpu);

/*
 * config_cycles.c: PCI devices of the personality, for guests that take the machine for a real one.
 * vpmu_config_cycles_init() - once, the boot CPU. vpmu_config_cycles_emulate(): false, the access
 * is to none of them.
 */
void vpmu_config_cycles_init(const struct vpmu_uarch *uarch);
bool vpmu_config_cycles_emulate(struct vpmu_cpu *cpu, struct vpmu_io *io);

/*
 * sleep.c: S3. vpmu_sleep_init() - once, the boot CPU: what is to be watched. vpmu_sleep_written():
 * the guest is about to write there; vpmu_sleep_wakes_at(): then that is where it wants to go on,
 * in real mode.
 */
void vpmu_sleep_init(const struct vpmu_config *config, uint64_t host_cr3);
void vpmu_sleep_written(const struct vpmu_io *io);
uint32_t vpmu_sleep_wakes_at(void);

/* check.c: in the guest, right after launch. */
bool vpmu_self_check(struct vpmu_cpu *cpu);
uint64_t vpmu_measure_overhead(const struct vpmu_cpu *cpu); /* the median of many short runs */

/* A gate of a 64-bit IDT: two words. */
void vpmu_set_gate(uint64_t gate[2], const void *handler, uint16_t cs);

/* launch.c: called by run.S and start.S on the host's stack. */
void vpmu_host_enter(void);
void vpmu_host_start(const struct vpmu_place *place);
void vpmu_host_wake(void);

/* start.S: where a CPU goes that the guest has started, and the boot CPU that the firmware has
 * woken up. */
void vpmu_start(void);
void vpmu_wake(void);

/*
 * cpus.c: the CPUs behind the first, each of which has a place. vpmu_cpu_enlist() - on the CPU of
 * that place, on the boot CPU's page tables: its own ones, with its PERCPU variables new.
 */
extern struct vpmu_place vpmu_places[VPMU_MAX_CPUS];
extern uint32_t vpmu_places_n;
void vpmu_cpus_init(uint64_t host_cr3, const struct vpmu_config *config);
uint64_t vpmu_cpu_enlist(struct vpmu_place *place);

static inline unsigned vpmu_place_number(const struct vpmu_place *place)
{
	return (unsigned)(place - vpmu_places) + 1; /* the boot CPU has no place */
}

uint32_t vpmu_apic_id(void);

/* exits.c */
const uint8_t *vpmu_exit(void);          /* called by run.S; returns where that goes on */
void vpmu_prepare(struct vpmu_cpu *cpu); /* chooses how the next run goes */
_Noreturn void vpmu_reset_machine(void);

/*
 * quick.c: exits that are over at once. vpmu_quick_init() - once the CPU has its model.
 * vpmu_quick_forget(): where code lies, so that it is learned anew, and takes the same time.
 * vpmu_quick_add(): `msr`, which exits, may be quick. vpmu_quick_expect(): at the end of
 * vpmu_prepare(). vpmu_quick_can() - nothing but what the exit is about keeps it from being quick,
 * and its instruction is the plain one; vpmu_quick_wrmsr(): nor does the MSR, which is written;
 * vpmu_quick_end(): the exit is quick, and its instruction over; returns where run.S goes on.
 * vpmu_quick_learn(): of an exit that was not, so that the next ones in the same page of code may
 * be. vpmu_quick_owed(): instructions of quick exits that nothing was told of yet;
 * vpmu_quick_settle(): the caller tells of them.
 */
void vpmu_quick_init(struct vpmu_cpu *cpu);
void vpmu_quick_forget(struct vpmu_cpu *cpu);
void vpmu_quick_add(struct vpmu_cpu *cpu, uint32_t msr);
void vpmu_quick_expect(struct vpmu_cpu *cpu);
bool vpmu_quick_can(const struct vpmu_cpu *cpu, enum vpmu_quick_code kind);
const uint8_t *vpmu_quick_end(struct vpmu_cpu *cpu);
bool vpmu_quick_wrmsr(struct vpmu_cpu *cpu);
void vpmu_quick_learn(struct vpmu_cpu *cpu);
uint64_t vpmu_quick_owed(const struct vpmu_cpu *cpu);
uint64_t vpmu_quick_settle(struct vpmu_cpu *cpu);

/*
 * clock.c: what the guest executed. vpmu_clock_start() - right before the run. vpmu_clock_own():
 * from now on the guest's TSC goes by that alone, where it is exact. vpmu_clock_then(): the
 * machine's TSC at the exit, as the guest sees it but for what it has written there itself.
 * vpmu_clock_slept(): for so many ticks a HLT of the guest has waited.
 */
void vpmu_clock_own(struct vpmu_cpu *cpu);
uint64_t vpmu_clock_then(const struct vpmu_cpu *cpu);
void vpmu_clock_slept(struct vpmu_cpu *cpu, uint64_t ticks);
void vpmu_clock_start(struct vpmu_cpu *cpu);
void vpmu_clock_account(struct vpmu_cpu *cpu, uint64_t included); /* `included`: did not complete */
void vpmu_clock_one(struct vpmu_cpu *cpu); /* one more, emulated, in the ring of the guest's CPL */

/*
 * events.c: what QEMU's plugin counts. vpmu_events_init() - once the CPU has its model.
 * vpmu_events_want(): how much is to be counted; before the timer is set for a run, as it may take
 * long. vpmu_events_expect(): right before a run; vpmu_events_take(): behind it, what it has added,
 * for the counts that the model uses; NULL: nothing is counted.
 */
void vpmu_events_init(struct vpmu_cpu *cpu, struct events_page *page);
void vpmu_events_want(struct vpmu_cpu *cpu);
void vpmu_events_expect(struct vpmu_cpu *cpu);
const uint64_t *vpmu_events_take(struct vpmu_cpu *cpu);

/*
 * vpmu_events_follow() - the instruction that is about to be stepped is to be told of;
 * vpmu_events_last(): behind it, what it did by the model; NULL: nothing is modelled;
 * vpmu_events_unfollow(): it is not to be told of.
 */
void vpmu_events_follow(struct vpmu_cpu *cpu);
void vpmu_events_unfollow(struct vpmu_cpu *cpu);
const struct events_last *vpmu_events_last(struct vpmu_cpu *cpu);

void vpmu_events_place(void); /* the page's registers are as they were, behind a reset of them */
void vpmu_events_begin(struct vpmu_cpu *cpu); /* a measurement does: what is modelled is new */
void vpmu_events_lose(struct vpmu_cpu *cpu);  /* they are not what was executed */
void vpmu_events_ring(struct vpmu_cpu *cpu);  /* says what the page says now */
bool vpmu_events_are_there(const struct vpmu_cpu *cpu); /* the page is not away for a moment */

/* vpmu_events_compare() - of what was taken: the guest `moves` in this run, by what else is known;
 * so counts that stand still are lost. */
void vpmu_events_compare(struct vpmu_cpu *cpu, bool moves);

/* vpmu_events_used() - some counter needs counts, or vpmu does. */
bool vpmu_events_used(const struct vpmu_cpu *cpu);

/* vpmu_events_take_instructions() - where vpmu_is_counted(): those are among what is taken. */
void vpmu_events_take_instructions(struct vpmu_cpu *cpu);
void vpmu_ring_bell(void); /* run.S */

/*
 * branches.c: last branch records. vpmu_branches_on() - they are on, or branches are traced.
 * vpmu_branches_expect(): before a run, last but for the timer. vpmu_branches_stop(): behind it,
 * before the bell; vpmu_branches_take(): behind that, what the run has added; both with QEMU's
 * plugin there. vpmu_branch_emulated(): a far branch at `from`, a linear address, which has led to
 * where the guest is now.
 */
bool vpmu_branches_on(const struct vpmu_cpu *cpu);
void vpmu_branches_expect(struct vpmu_cpu *cpu);
void vpmu_branches_stop(struct vpmu_cpu *cpu);
void vpmu_branches_take(struct vpmu_cpu *cpu);
void vpmu_branch_emulated(struct vpmu_cpu *cpu, uint64_t from);

/*
 * trace.c: branches that are traced (vpmu/model/model_trace.h). vpmu_trace_control() - behind an
 * exit, once all registers are as they will be. vpmu_trace_wants_cr3(): each MOV to CR3 is to be
 * told, by vpmu_trace_cr3(), once it is done. The others as those of branches.c, which calls
 * them; vpmu_trace_target() - stops the guest in time: adds to `n` targets; returns how many there
 * are.
 */
void vpmu_trace_control(struct vpmu_cpu *cpu);
void vpmu_trace_expect(struct vpmu_cpu *cpu);
void vpmu_trace_take(struct vpmu_cpu *cpu);
void vpmu_trace_emulated(struct vpmu_cpu *cpu, uint64_t from);
bool vpmu_trace_wants_cr3(const struct vpmu_cpu *cpu);
void vpmu_trace_cr3(struct vpmu_cpu *cpu);
unsigned vpmu_trace_target(const struct vpmu_cpu *cpu, struct events_target *targets, unsigned n);

/*
 * stop.c: vpmu_stop_expect() - before a run, right before that of branches.c; vpmu_stop_end():
 * first of all behind it; vpmu_stop_note(): once it is known what was executed.
 */
void vpmu_stop_expect(struct vpmu_cpu *cpu);
void vpmu_stop_end(struct vpmu_cpu *cpu);
void vpmu_stop_note(struct vpmu_cpu *cpu);
void vpmu_stop_lose(struct vpmu_cpu *cpu); /* the guest is not stopped as it should be */

/* inject.c: events for the guest. */
bool vpmu_event_set(void);
void vpmu_inject(uint8_t vector);
void vpmu_inject_error(uint8_t vector, uint32_t error);
void vpmu_inject_software(uint8_t vector);
void vpmu_pmi(struct vpmu_cpu *cpu);      /* by way of LVTPC */
void vpmu_nmi_echo(struct vpmu_cpu *cpu); /* NMIs of faults that are due */
void vpmu_ibs_interrupt(struct vpmu_cpu *cpu);
void vpmu_nmi_arrived(struct vpmu_cpu *cpu); /* exit by NMI: ours, or the guest's */
void vpmu_nmi_inject(struct vpmu_cpu *cpu);  /* when nothing forbids it */
void vpmu_halt(struct vpmu_cpu *cpu);        /* waits once for what may end the guest's HLT */
bool vpmu_interrupt_due(const struct vpmu_cpu *cpu);   /* the guest takes it before all else */
void vpmu_interrupt_offer(const struct vpmu_cpu *cpu); /* in the run to come */
void vpmu_interrupt_taken(struct vpmu_cpu *cpu);       /* or not, in the run that was offered it */
bool vpmu_interrupt_take(
	struct vpmu_cpu *cpu);         /* and sets it, if the guest can; false: none came */
void vpmu_fence(struct vpmu_cpu *cpu); /* stop again behind the event that is set */

/*
 * nested.c: so that the guest's writes to its local APIC are seen. vpmu_nested_init() - on the CPU.
 * vpmu_nested_fault(): the exit. vpmu_nested_expect(): before a run; vpmu_nested_end(): behind it;
 * the step, if it was one, is `completed`.
 */
void vpmu_nested_init(void);
void vpmu_nested_fault(struct vpmu_cpu *cpu);
void vpmu_nested_expect(struct vpmu_cpu *cpu);
void vpmu_nested_end(struct vpmu_cpu *cpu, bool completed);

/*
 * ipi.c: the local APIC in both of its modes; registers by their offset in the page, which is at
 * vpmu_apic_page() where IA32_APIC_BASE says `base`.
 * vpmu_ipi_watched() - CPUs that the guest starts come under vpmu. vpmu_apic_written(): the guest
 * has done so. vpmu_ipi_has_msr(): `msr` is how x2APIC mode does, and exits; vpmu_ipi_msr_faults(),
 * vpmu_ipi_wrmsr(), vpmu_ipi_rdmsr() (false: it faults) are for that one.
 */
void vpmu_ipi_init(const struct vpmu_config *config, uint64_t host_cr3);
bool vpmu_ipi_watched(void);
uint64_t vpmu_apic_page(uint64_t base);
uint32_t vpmu_apic_read(uint32_t offset);
void vpmu_apic_write(uint32_t offset, uint32_t value);
void vpmu_apic_written(uint32_t offset, uint32_t value);
bool vpmu_ipi_has_msr(uint32_t msr);
bool vpmu_ipi_msr_faults(uint64_t v);
void vpmu_ipi_wrmsr(uint64_t v);
bool vpmu_ipi_rdmsr(uint64_t *v);

/* timer.c: an NMI after a number of guest instructions. */
bool vpmu_timer_probe(void);
void vpmu_timer_init(struct vpmu_cpu *cpu);
uint64_t vpmu_timer_tsc_hz(const struct vpmu_cpu *cpu); /* 0: the CPU has no comparator */
void vpmu_timer_arm(struct vpmu_cpu *cpu, uint64_t instructions);
void vpmu_timer_disarm(struct vpmu_cpu *cpu);
void vpmu_timer_rest(struct vpmu_cpu *cpu);    /* while the CPU sleeps */
void vpmu_timer_anew(struct vpmu_cpu *cpu);    /* as if it had never been set */
void vpmu_timer_silence(unsigned number);      /* another CPU's, which is about to be reset */
bool vpmu_timer_expired(struct vpmu_cpu *cpu); /* was the NMI just taken the timer's? */

/* step.c: one instruction at a time. */
bool vpmu_step_wanted(const struct vpmu_cpu *cpu);
uint64_t vpmu_step_from(const struct vpmu_cpu *cpu); /* instructions until stepping should begin */
void vpmu_step_begin(struct vpmu_cpu *cpu);
void vpmu_step_look(struct vpmu_cpu *cpu); /* at the next instruction: whether it can be stepped */

/* Where the guest stops late. vpmu_step_count() - behind a run; vpmu_step_refill(): an overflow was
 * met. */
void vpmu_step_count(struct vpmu_cpu *cpu);
void vpmu_step_refill(struct vpmu_cpu *cpu);
/* vpmu_step_repeats() - its REP would go on, were RCX not 0. */
bool vpmu_step_repeats(const struct vpmu_step *step);
/* True: the exit was the step's own #DB, and is dealt with. */
bool vpmu_step_end(struct vpmu_cpu *cpu);

/*
 * sample.c: tells the model, if it samples now, about the instruction: before it is stepped, after
 * that, behind it when the plugin tells of it, when it was emulated at RIP, and when it went by
 * unseen, as happens where counts are estimates.
 */
void vpmu_sample_before(struct vpmu_cpu *cpu);
void vpmu_sample_stepped(struct vpmu_cpu *cpu);
void vpmu_sample_stopped(struct vpmu_cpu *cpu);
void vpmu_sample_emulated(struct vpmu_cpu *cpu);
void vpmu_sample_unseen(struct vpmu_cpu *cpu);

/* pebs.c: the record that is due, behind the instruction that caused it. */
void vpmu_pebs(struct vpmu_cpu *cpu);

/* watch.c: breakpoints on data that were hit earlier are not reported by the next step again. */
void vpmu_forget_hits(void);

/* guest.c: the guest's memory, by its own page tables. */
size_t vpmu_guest_read(uint64_t va, void *buf, size_t n); /* returns the bytes that are mapped */
bool vpmu_guest_write(uint64_t va, const void *buf, size_t n);
bool vpmu_guest_read_whole(uint64_t va, void *buf, size_t n);
bool vpmu_physical_read(uint64_t pa, void *buf, size_t n); /* false: not all of it is there */
bool vpmu_physical_write(uint64_t pa, const void *buf, size_t n);
uint64_t vpmu_guest_linear_rip(void);
enum vpmu_ring vpmu_guest_ring(void);           /* by its CPL */
size_t vpmu_guest_code(uint8_t *buf, size_t n); /* from RIP on */
bool vpmu_guest_physical(uint64_t va, uint64_t *pa);
bool vpmu_guest_translate(uint64_t va, uint64_t *pa, uint8_t *page_shift);
bool vpmu_guest_long_mode(void);
bool vpmu_guest_64bit(void);

/* Where the general register is that instructions number so, from 0 to 15. */
uint64_t *vpmu_guest_register(struct vpmu_cpu *cpu, unsigned n);

/*
 * decode.c: vpmu_insn_at() decodes the instruction that lies `ahead` bytes behind RIP, as far as
 * its code is mapped. vpmu_insn_length() is the length of the instruction at RIP, whose opcode and
 * operands have so many bytes. vpmu_insn_shadow() is the length of an instruction that holds
 * interrupts and single steps back until the next one has completed; 0 for all others.
 */
struct insn vpmu_insn_at(uint64_t ahead);
unsigned vpmu_insn_length(unsigned opcode_bytes);
unsigned vpmu_insn_shadow(const struct insn *insn);

/* emulate.c: instructions that leave or enter a ring. All return false when the guest's must fault.
 */
bool vpmu_emulate_syscall(struct vpmu_cpu *cpu); /* SYSCALL, SYSENTER, and back */
/* The #GP is that of a SYSENTER whose selector is hidden, or not, as vpmu_sysenter_hide() says.
 * vpmu_sysenter_set() - what the guest writes to IA32_SYSENTER_CS. */
bool vpmu_emulate_sysenter(struct vpmu_cpu *cpu);
void vpmu_sysenter_hide(struct vpmu_cpu *cpu, bool hide);
void vpmu_sysenter_set(struct vpmu_cpu *cpu, uint64_t v);
bool vpmu_is_syscall(const struct vpmu_cpu *cpu);
/* vpmu_completes() - the exit is by INTn, SYSCALL, SYSENTER or their way back, which vpmu emulates.
 */
bool vpmu_completes(const struct vpmu_cpu *cpu);
void vpmu_emulate_intn(struct vpmu_cpu *cpu);

/* debug.c: MOV from and to DR6, which exit where vpmu steps. vpmu_decode_move() - the general
 * register of the MOV at RIP from or to a control or debug register, and its length. */
struct vpmu_move {
	unsigned reg, length;
};
struct vpmu_move vpmu_decode_move(void);
void vpmu_emulate_dr6_read(struct vpmu_cpu *cpu);
void vpmu_emulate_dr6_write(struct vpmu_cpu *cpu);

/*
 * control.c: vpmu_control_intercepts() - what of vmcb.intercept_cr is wanted. The exits:
 * vpmu_check_control_write() of CR0 and CR4, vpmu_emulate_cr3_write(), and vpmu_on_invalid(), by
 * which TCG tells reserved bits. A VMRUN that fails has the same code; it ends the machine.
 */
uint32_t vpmu_control_intercepts(const struct vpmu_cpu *cpu);
void vpmu_check_control_write(struct vpmu_cpu *cpu);
void vpmu_emulate_cr3_write(struct vpmu_cpu *cpu);
void vpmu_on_invalid(struct vpmu_cpu *cpu);

/* vpmu_retire() - the instruction of `length` bytes at RIP is done: emulated, and counted.
 * vpmu_pass_over(): likewise, but TF does not trap behind it. */
void vpmu_retire(struct vpmu_cpu *cpu, unsigned length);
void vpmu_pass_over(struct vpmu_cpu *cpu, unsigned length);

/*
 * shared.c: what CPUs share. vpmu_shared_join() - once the CPU has its model; then
 * vpmu_shared_executed() - it has executed `n` more; vpmu_shared_met_late() - an overflow was met
 * so many instructions late, more than ever before on it; vpmu_shared_skid(): the most of all CPUs.
 * vpmu_shared_lose() - what QEMU's plugin counts is there no more, which vpmu_shared_is_lost()
 * tells all of them. vpmu_shared_lock() - of the package that the CPU is in, with the platform as
 * it is now: up to vpmu_shared_unlock() no other CPU uses it. vpmu_shared_met_late() - it has met
 * an overflow so many instructions behind it, more than ever before; vpmu_shared_skid() - the most
 * of all CPUs. vpmu_shared_lose() - what QEMU's plugin counts is there no more;
 * vpmu_shared_is_lost(): on some CPU.
 */
extern struct vpmu_faults vpmu_faults; /* of the machine; set before any CPU is launched */
void vpmu_shared_join(struct vpmu_cpu *cpu);
void vpmu_shared_executed(const struct vpmu_cpu *cpu, uint64_t n);
void vpmu_shared_met_late(const struct vpmu_cpu *cpu, uint64_t instructions);
uint64_t vpmu_shared_skid(void);
void vpmu_shared_lose(void);
bool vpmu_shared_is_lost(void);
void vpmu_shared_lock(struct vpmu_cpu *cpu, struct vpmu_platform *platform);
void vpmu_shared_unlock(const struct vpmu_cpu *cpu);

/* msr.c */
void vpmu_msrpm_init(struct vpmu_cpu *cpu);
uint64_t vpmu_msrpm_base(void);
void vpmu_emulate_msr(struct vpmu_cpu *cpu);
bool vpmu_read_counter(struct vpmu_cpu *cpu, uint32_t ecx, uint64_t *v); /* false: #GP */

/*
 * extended_apic.c: vpmu_extended_apic_expect() - the guest has read `msr`.
 * vpmu_extended_apic_before(), _after(): a step, the witness of which is there, and it is complete.
 * vpmu_eilvt_of() - the one at `offset` of the APIC's page; VPMU_EILVTS: none.
 */
unsigned vpmu_eilvt_of(uint64_t offset);
void vpmu_extended_apic_expect(struct vpmu_cpu *cpu, uint32_t msr);
void vpmu_extended_apic_before(struct vpmu_cpu *cpu);
void vpmu_extended_apic_after(struct vpmu_cpu *cpu);

/* dump.c: vpmu_dump_init() - once, the boot CPU. The others say why on the first serial port, and
 * reset the machine. */
void vpmu_dump_init(const struct vpmu_config *config);
_Noreturn void vpmu_die(const char *why);
_Noreturn void vpmu_host_died(const uint64_t *stack);

#endif
