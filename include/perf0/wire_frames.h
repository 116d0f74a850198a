/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * wire_frames.h - the contract of the serial line, for both directions. docs/WIRE.md explains it.
 * Little endian throughout; append-only.
 *
 *   byte  0       2      3        4      8        10       12            12 + length
 *         +-------+------+--------+------+--------+--------+-------------+---------+
 *         | magic | type | stream | seq  | length | hcheck | payload ... | crc32c  |
 *         +-------+------+--------+------+--------+--------+-------------+---------+
 *
 * hcheck is the low half of the CRC-32C of bytes 0 to 9: it exposes a header made of noise before
 * its length is trusted. crc32c covers everything before it. seq counts the frames of a stream from
 * 0. Bytes outside of frames are console text or bells: no text contains the byte of a bell.
 */
#ifndef PERF0_WIRE_H
#define PERF0_WIRE_H

#include "include/perf0/formats.h"

#include <stdint.h>

#define WIRE_MAGIC0      0xf5 /* neither byte occurs in UTF-8 text */
#define WIRE_MAGIC1      0xfe
#define WIRE_MAX_PAYLOAD 4096
#define WIRE_BELL        0xff /* outside of frames: shared memory holds one more frame (shared.h) */
#define WIRE_STREAM_MAIN 0xff /* the stream of everything that belongs to no CPU's ring */
#define WIRE_STREAM_LAST 0xfe /* the stream that the last CPUs share */

/* wire_stream() - the stream of CPU `cpu`'s ring. A ring that moves with a task has stream 0. */
static inline uint8_t wire_stream(unsigned cpu)
{
	return cpu < WIRE_STREAM_LAST ? (uint8_t)cpu : WIRE_STREAM_LAST;
}

struct wire_header {
	uint8_t magic[2];
	uint8_t type;   /* enum wire_type */
	uint8_t stream; /* wire_stream() of a CPU, or WIRE_STREAM_MAIN */
	uint32_t seq;
	uint16_t length; /* bytes of payload, at most WIRE_MAX_PAYLOAD */
	uint16_t hcheck;
};
_Static_assert(sizeof(struct wire_header) == 12, "the header has no holes");

/*
 * enum wire_type - the type of the payload.
 *
 * HELLO comes first. BEGIN and RESULT enclose each command. The frames between them are TEXT for
 * people. A recording also has EVENT (one for each event, before any records), FORMAT, records as
 * KEY, PACKED and PART, AUX and COUNT. BYE ends the stream.
 */
enum wire_type {
	WIRE_HELLO = 1,
	WIRE_TEXT = 2,   /* UTF-8, not terminated; struct wire_text first */
	WIRE_BEGIN = 3,  /* struct wire_begin, then the command line, terminated */
	WIRE_EVENT = 4,  /* struct wire_event, then attr.size bytes of perf_event_attr, ids, name */
	WIRE_DATA = 5,   /* whole perf records from the ring of CPU `stream`; no longer sent */
	WIRE_COUNT = 6,  /* struct wire_count, then strings: see there */
	WIRE_RESULT = 7, /* struct wire_result */
	WIRE_BYE = 8,    /* struct wire_bye */
	WIRE_AUX = 9,    /* struct wire_aux, then bytes of an AUX area of CPU `stream` */
	WIRE_PACKED = 10, /* struct wire_packed, then packed records of CPU `stream`
			     (lib/format/pack.h) */
	WIRE_KEY = 11,    /* the same, as the start for the PACKED frames after it */
	WIRE_FORMAT = 12, /* struct wire_format, then a tracepoint's system, name and format */
	WIRE_PART = 13,   /* struct wire_part, then a piece of a large PACKED payload */
	WIRE_CPUS = 14, /* struct wire_cpu for each CPU, by number, WIRE_CPUS_MOST to a frame; after
			   HELLO, if there are several */
	WIRE_PROMPT = 15, /* struct wire_prompt: the console waits for a line */
	WIRE_AWAIT = 16,  /* empty: the image has started and waits for WIRE_TYPED_START; the only
			     frame before HELLO */
	WIRE_FILE = 17,   /* struct wire_file, then bytes of a file that `bring` of the pack names
			     (programs.h); after the program, before its RESULT */
	WIRE_SOUGHT = 18, /* terminated paths of missing files that programs of the command looked
			     for; before its RESULT, if that has a status other than 0 */
	WIRE_CRASH = 19,  /* struct wire_crash, then data by its part; after the program, before its
			     RESULT */
	WIRE_NOISE = 20,  /* struct wire_noise, then one line about the noise, terminated; after the
			     measurement, before its RESULT */
	WIRE_REPORT = 21, /* struct wire_report, then a piece of the output of -j; during or after
			     the measurement */
	WIRE_NODES = 22, /* struct wire_nodes, then the KiB of each memory node as 64 bits, then the
			    node of each CPU as a byte, both by number; after CPUS, if there are
			    several nodes */
	WIRE_INPUT = 23, /* struct wire_input: a program reads standard input, or has read it;
			    shared memory holds the answer (shared.h) */
	WIRE_SOLVE = 24, /* empty: asks for the best shares of groups; shared memory holds question
			    and answer (fair_solution.h) */
	WIRE_TAKEN = 32, /* struct wire_taken: answers OFFER and PIECE; has no sequence number,
			    because losing one costs nothing */

	/* Typed frames (see enum wire_typed): ELF files for the machine to run. */
	WIRE_OFFER = 64,  /* struct wire_offer, then its path, terminated */
	WIRE_PIECE = 65,  /* struct wire_piece, then bytes of the file */
	WIRE_PLACED = 66, /* struct wire_placed: shared memory holds bytes of the file */
};

struct wire_hello {
	uint16_t version; /* WIRE_VERSION */
	uint16_t ncpus;
	uint32_t build_id_size; /* bytes of build_id in use */
	uint8_t build_id[20];   /* of the image's ELF file */
	uint32_t tsc_khz;
	uint64_t clock_ns;      /* clock of sample times, when this frame was sent */
	uint64_t image_base;    /* address of the ELF file's address 0 in ring 0 */
	uint64_t user_base;     /* and in ring 3 */
	uint32_t cpu_signature; /* CPUID 1 EAX */
	uint32_t memory_mib;
	/* Terminated strings follow: perf0's version, CPU vendor, CPU brand, load options. */
};

/* Place and kind of a CPU: arch/x86/portable/cpuid.h. */
struct wire_cpu {
	uint32_t apic_id;
	uint16_t package;
	uint16_t core;     /* number in its package */
	uint16_t thread;   /* number in its core */
	uint8_t core_type; /* CPUID 0x1A EAX 31:24; 0: all cores are of one type */
	uint8_t part;      /* number of this CPUS frame, from 0 */
};
#define WIRE_CPUS_MOST 256

struct wire_nodes {
	uint16_t nodes, cpus;
	uint32_t reserved; /* 0 */
};

/*
 * The header of packed records. `sample` tells the receiver how many samples were lost before this
 * frame. A KEY and the frames that start from it have the same `key`.
 */
struct wire_packed {
	uint32_t key;     /* from 1 */
	uint32_t bytes;   /* of the records, unpacked */
	uint32_t sample;  /* samples of this CPU sent before in this command */
	uint16_t samples; /* number in this frame */
	uint16_t records; /* number in this frame, including samples */
};

/* A piece of a PACKED payload. The pieces come in order, without another frame between them. */
struct wire_part {
	uint32_t total;  /* bytes of the whole payload */
	uint32_t offset; /* of this piece in it */
};

enum wire_text_kind {
	WIRE_TEXT_OUT = 1,
	WIRE_TEXT_ERR = 2,
	WIRE_TEXT_ALARM_1 = 3, /* output to be highlighted on a terminal, in three degrees */
	WIRE_TEXT_ALARM_2 = 4,
	WIRE_TEXT_ALARM_3 = 5,
	WIRE_TEXT_STDOUT = 6, /* bytes that a program wrote to descriptor 1 */
	WIRE_TEXT_STDERR = 7, /* and to descriptor 2, in the original order */
};

struct wire_text {
	uint8_t kind; /* enum wire_text_kind */
};

struct wire_begin {
	uint32_t command; /* from 0 */
};

struct wire_event {
	uint32_t command;
	uint16_t attr_size; /* bytes of attr that follow */
	uint16_t nids; /* 8-byte ids that follow, one for each CPU; then the name, terminated */

	/*
	 * Then the CPU of each id, 2 bytes each; WIRE_ANY_CPU: any. Samples with that id stand in
	 * the ring of that CPU.
	 *
	 * An event with more than WIRE_IDS_MOST ids has further frames after this one: they have
	 * attr_size 0, an empty name, and its first id in front of the new ones.
	 */
};
#define WIRE_ANY_CPU  0xffff
#define WIRE_IDS_MOST 256

/* Terminated strings follow: system, name, and the content of the tracefs file `format`. */
struct wire_format {
	uint32_t command;
	uint32_t id; /* attr.config of its events and type of its entries */
};

/*
 * The event's name follows, terminated. If the command has events for cgroups, the cgroup follows,
 * terminated; "": none.
 */
struct wire_count {
	uint32_t command;
	uint32_t cpu;
	int32_t error;                              /* 0, or -errno: the event is not supported */
	uint32_t truth;                             /* enum truth (truth.h) */
	uint64_t value, time_enabled, time_running; /* events, ns, ns */
};

/*
 * Bytes of the AUX area of an event, in order and without gaps. An overwritten area is sent as
 * snapshots, taken on request and at the end. Each starts after the previous snapshot, or at the
 * oldest byte that the area holds. The last frame of a command has WIRE_AUX_LAST, maybe without
 * bytes: `produced` is final then. Times in the trace are TSC values: ns = time_zero + tsc *
 * time_mult / 2^time_shift, all modulo 2^64, as in struct perf_event_mmap_page.
 */
enum wire_aux_flags {
	WIRE_AUX_SNAPSHOT = 1, /* the area is overwritten: only the newest bytes */
	WIRE_AUX_LAST = 2,
	WIRE_AUX_BEGIN = 4, /* the first frame of a snapshot */
};

/*
 * Control characters on the line to the machine: commands during a workload, answers that the image
 * waits for, and the envelope of a frame that is typed at the prompt (lib/format/typed.h). No byte
 * within a typed frame is a control character. Each byte has WIRE_TYPED_SHIFT added. If the sum is
 * a control character, it is sent as WIRE_TYPED_ESCAPE and the sum plus WIRE_TYPED_LIFT. So flow
 * control, ^C and line ends keep their meaning in a frame, and the next of them ends a damaged or
 * cut frame.
 */
enum wire_typed {
	WIRE_TYPED_FRAME = 0x01, /* SOH: a frame begins */
	WIRE_TYPED_START = 0x02,
	WIRE_TYPED_INTERRUPT = 0x03, /* ^C: ends the workload */
	WIRE_TYPED_END = 0x04,       /* EOT: the frame ends */
	WIRE_TYPED_EMPTY = 0x06,     /* ACK: the ring of shared memory is empty; an answer */
	WIRE_TYPED_ESCAPE = 0x10,    /* DLE */
	WIRE_TYPED_SNAPSHOT = 0x14,  /* ^T: takes a snapshot of the trace of `record -S` */
};
#define WIRE_TYPED_CONTROL 0x20 /* bytes below it are control characters */
#define WIRE_TYPED_LIFT    0x40
/* With this value the fewest bytes of typical programs need an escape: one in fifty. */
#define WIRE_TYPED_SHIFT 106

/*
 * Offers a file; the machine answers with TAKEN. `hash` is XXH64 of the whole file, with seed 0.
 * The machine keeps its part of a file of that size and hash, so that an interrupted upload
 * continues where it stopped.
 */
struct wire_offer {
	uint32_t upload; /* a number that the sender chooses, for its pieces */
	uint32_t reserved;
	uint64_t bytes, hash;
};

/* Bytes of the file, followed by `zeros` zeros that are not sent. */
struct wire_piece {
	uint32_t upload;
	uint32_t reserved;
	uint64_t offset, zeros;
};

/* Bytes of the file that lie in the area SHARED_IN (shared.h) until the answer. */
struct wire_placed {
	uint32_t upload;
	uint32_t bytes;
	uint64_t offset; /* offset in the file */
	uint64_t at;     /* offset in the area */
};

enum wire_taken_status {
	WIRE_TAKEN_PART = 0,    /* the machine has the first `have` bytes, and waits for more */
	WIRE_TAKEN_GAP = 1,     /* the same, but the piece lies after them: it was not taken */
	WIRE_TAKEN_WHOLE = 2,   /* the machine has the whole file, and can run it */
	WIRE_TAKEN_ANEW = 3,    /* the whole file has another hash: the machine has dropped it */
	WIRE_TAKEN_NO_ROOM = 4, /* no memory for the file */
	WIRE_TAKEN_UNKNOWN = 5, /* no such OFFER: the machine may have restarted */
	WIRE_TAKEN_REFUSED = 6, /* OFFER or PIECE is malformed */
};

/*
 * A request for bytes of standard input. After a program that had a file as standard input, `bytes`
 * is 0 and `at` is its final position.
 */
struct wire_input {
	uint64_t at;    /* offset of the first requested byte */
	uint32_t bytes; /* number of requested bytes */
	uint32_t reserved;
};
_Static_assert(sizeof(struct wire_input) == 16, "no padding");

struct wire_taken {
	uint32_t upload;
	uint32_t frame;  /* number of the frame that this answers */
	uint64_t have;   /* bytes from the start of the file */
	uint32_t status; /* enum wire_taken_status */
	uint32_t reserved;
};

struct wire_aux {
	uint32_t command;
	uint16_t flags; /* enum wire_aux_flags */
	uint16_t time_shift;
	uint32_t time_mult;
	uint32_t tid; /* of the traced task; 0: any task */
	uint64_t time_zero;
	uint64_t tsc;      /* time of this frame or its snapshot; not 0 */
	uint64_t id;       /* id of the event */
	uint64_t offset;   /* offset of the first byte since the event's first one */
	uint64_t produced; /* bytes so far */
};

/*
 * A file is sent from its first byte to its last, without another file in between. Each frame has
 * the next bytes; the last one has WIRE_FILE_LAST, maybe without bytes. A file that cannot be read
 * is one frame with `error`, WIRE_FILE_LAST and no bytes.
 */
enum wire_file_flags {
	WIRE_FILE_LAST = 1,
};

struct wire_file {
	uint32_t command;
	uint32_t index;  /* index in the paths of `bring`, from 0 */
	uint64_t offset; /* offset of the first byte in the file */
	uint16_t flags;  /* enum wire_file_flags */
	uint16_t error;  /* 0, or an errno: ENOENT, ... */
	uint32_t mode;   /* permissions */
};

/*
 * A program that ended by a signal for which Linux writes a core: BEGIN, any number of MAPs and
 * MEMORYs, END. Registers are in the order of DWARF (System V ABI, AMD64, "DWARF Register Number
 * Mapping"): RAX, RDX, RCX, RBX, RSI, RDI, RBP, RSP, R8 to R15, RIP.
 */
enum wire_crash_part {
	WIRE_CRASH_BEGIN = 0,  /* registers, then strings: the program's name, and the reason */
	WIRE_CRASH_MAP = 1,    /* then a string: the file that is mapped for execution */
	WIRE_CRASH_MEMORY = 2, /* then the bytes from `start` to `end` */
	WIRE_CRASH_END = 3,
};
#define WIRE_CRASH_REGS 17

struct wire_crash {
	uint32_t command;
	uint16_t part;   /* enum wire_crash_part */
	uint16_t signal; /* BEGIN */
	uint32_t pid, tid;
	uint64_t start, end, offset; /* MAP, MEMORY; `offset` is that of `start` in the file */
};

/* The noise certificate of a measurement (rt/portable/noise.h). */
enum wire_noise_flags {
	WIRE_NOISE_PASS = 1,  /* no known noise disturbed the measurement */
	WIRE_NOISE_QUIET = 2, /* the machine was in quiet mode */
};

struct wire_noise {
	uint32_t command;
	uint32_t flags; /* enum wire_noise_flags */
};

/* Results as text for programs, independent of the printed output. */
struct wire_report {
	uint32_t command;
};

/* The balance of samples. Invariant: overflows = written + lost + refused. */
struct wire_books {
	uint64_t overflows; /* counter overflows that requested a sample */
	uint64_t written;   /* samples in the ring */
	uint64_t lost;      /* no room in the ring */
	uint64_t refused;   /* the event has no ring */
	uint64_t sent;      /* bytes of records sent, unpacked */
	/* The samples of `written` that newer records replaced in an overwritable ring. */
	uint64_t overwritten;
};

/* Adds the books of one part to a sum, at both ends. */
static inline void wire_books_add(struct wire_books *sum, const struct wire_books *books)
{
	sum->overflows += books->overflows;
	sum->written += books->written;
	sum->lost += books->lost;
	sum->refused += books->refused;
	sum->sent += books->sent;
	sum->overwritten += books->overwritten;
}

struct wire_result {
	uint32_t command;
	int32_t status; /* exit status, 0..255 */
	struct wire_books books;
};

struct wire_prompt {
	int32_t status; /* first status other than 0 of the commands of the line before; else 0 */
	uint32_t commands; /* number of commands that ended so far, including refused ones */
};

struct wire_bye {
	int32_t status; /* first status other than 0 of all commands; else 0 */
	uint32_t commands;
	struct wire_books books; /* sums over all commands */
};

#endif
