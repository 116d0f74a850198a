/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * wire.h - what goes over the serial line, both ways of reading it the same. docs/WIRE.md explains;
 * this file is the contract. Little endian throughout; append-only.
 *
 *   byte  0       2      3        4      8        10       12            12 + length
 *         +-------+------+--------+------+--------+--------+-------------+---------+
 *         | magic | type | stream | seq  | length | hcheck | payload ... | crc32c  |
 *         +-------+------+--------+------+--------+--------+-------------+---------+
 *
 * hcheck is the low half of the CRC-32C of bytes 0 to 9: a header that noise made up is recognised
 * before its length is believed. crc32c covers everything before it. seq counts frames per stream
 * from 0. Bytes outside of frames are console text, or bells: no text has such a byte.
 */
#ifndef PERF0_WIRE_H
#define PERF0_WIRE_H

#include <stdint.h>

#define WIRE_VERSION     1
#define WIRE_MAGIC0      0xf5 /* neither byte can stand in UTF-8 text */
#define WIRE_MAGIC1      0xfe
#define WIRE_MAX_PAYLOAD 4096
#define WIRE_BELL        0xff /* outside of frames: there is one more in shared memory (shared.h) */
#define WIRE_STREAM_MAIN 0xff /* everything that is not of one CPU's ring */
#define WIRE_STREAM_LAST 0xfe /* of the last CPUs, which share it */

/* wire_stream() - that has what is of CPU `cpu`'s ring; 0 also of one that moves with a task. */
static inline uint8_t wire_stream(unsigned cpu)
{
	return cpu < WIRE_STREAM_LAST ? (uint8_t)cpu : WIRE_STREAM_LAST;
}

struct wire_header {
	uint8_t magic[2];
	uint8_t type;   /* enum wire_type */
	uint8_t stream; /* of which CPU's ring: wire_stream(), or WIRE_STREAM_MAIN */
	uint32_t seq;
	uint16_t length; /* bytes of payload, at most WIRE_MAX_PAYLOAD */
	uint16_t hcheck;
};
_Static_assert(sizeof(struct wire_header) == 12, "the header has no holes");

/*
 * enum wire_type - what the payload is.
 *
 * HELLO comes first. Each command is bracketed by BEGIN and RESULT; between them come TEXT for
 * people, and for a recording EVENT (one for each event, before any records), FORMAT, records as
 * KEY, PACKED and PART, AUX and COUNT. BYE ends the stream.
 */
enum wire_type {
	WIRE_HELLO = 1,
	WIRE_TEXT = 2,   /* UTF-8, not terminated; struct wire_text first */
	WIRE_BEGIN = 3,  /* struct wire_begin, then the command line, terminated */
	WIRE_EVENT = 4,  /* struct wire_event, then attr.size bytes of perf_event_attr, ids, name */
	WIRE_DATA = 5,   /* whole perf records, as they stood in the ring of CPU `stream`; no longer
			    sent */
	WIRE_COUNT = 6,  /* struct wire_count, then the event's name, terminated; see there */
	WIRE_RESULT = 7, /* struct wire_result */
	WIRE_BYE = 8,    /* struct wire_bye */
	WIRE_AUX = 9,    /* struct wire_aux, then bytes of an AUX area of CPU `stream` */
	WIRE_PACKED = 10, /* struct wire_packed, then packed records of CPU `stream` (lib/pack.h) */
	WIRE_KEY = 11,    /* the same, and what the PACKED frames after it start from */
	WIRE_FORMAT = 12, /* struct wire_format, then a tracepoint's system, name and format */
	WIRE_PART = 13,   /* struct wire_part, then a piece of a PACKED payload too large for one */
	WIRE_CPUS = 14,   /* struct wire_cpu for each CPU, by number, WIRE_CPUS_MOST to a frame;
			     behind HELLO, if there are several */
	WIRE_PROMPT = 15, /* struct wire_prompt: the console waits for a line */
	WIRE_AWAIT = 16,  /* nothing: the image has started, and waits for WIRE_TYPED_START; the
			     one frame that comes before HELLO */
	WIRE_FILE = 17,   /* struct wire_file, then bytes of a file that `bring` of the pack names
			     (programs.h); behind the program, before its RESULT */
	WIRE_SOUGHT = 18, /* terminated paths that programs of the command looked for and that are
			     not there; before its RESULT, if that has a status but 0 */
	WIRE_CRASH = 19,  /* struct wire_crash, then what its part has; behind the program, before
			     its  RESULT */
	WIRE_NOISE = 20, /* struct wire_noise, then what there was of noise in one line, terminated;
			    behind what was measured, before its RESULT */
	WIRE_REPORT = 21, /* struct wire_report, then a piece of what -j prints; behind what was
			     measured, or while it is */
	WIRE_NODES = 22, /* struct wire_nodes, then for each node of memory its KiB as 64 bits, then
			    for each CPU its node as a byte, both by number; behind CPUS, if there
			    are several nodes */
	WIRE_INPUT = 23, /* struct wire_input: a program reads standard input, or has read it; the
			    answer is in shared memory (shared.h) */
	WIRE_TAKEN = 32, /* struct wire_taken: answers OFFER and PIECE; has no number in its
			    stream, for one that is lost costs nothing */

	/* Typed (see enum wire_typed): ELF files for the machine to run. */
	WIRE_OFFER = 64,  /* struct wire_offer, then the path by which it is called, terminated */
	WIRE_PIECE = 65,  /* struct wire_piece, then bytes of the file */
	WIRE_PLACED = 66, /* struct wire_placed: bytes of the file lie in shared memory */
};

struct wire_hello {
	uint16_t version; /* WIRE_VERSION */
	uint16_t ncpus;
	uint32_t build_id_size; /* bytes used of build_id */
	uint8_t build_id[20];   /* of the ELF file that the image was made from */
	uint32_t tsc_khz;
	uint64_t clock_ns;      /* the clock of sample times, at this frame */
	uint64_t image_base;    /* where address 0 of the ELF file lies for ring 0 */
	uint64_t user_base;     /* and for ring 3 */
	uint32_t cpu_signature; /* CPUID 1 EAX */
	uint32_t memory_mib;
	/* then terminated strings: perf0's version, CPU vendor, CPU brand, load options */
};

/* Where a CPU is, and what: arch/x86/portable/cpuid.h. */
struct wire_cpu {
	uint32_t apic_id;
	uint16_t package;
	uint16_t core;     /* in its package */
	uint16_t thread;   /* in its core */
	uint8_t core_type; /* CPUID 0x1A EAX 31:24; 0: there is one kind only */
	uint8_t part;      /* of the frames of this type, from 0: the one that it is in */
};
#define WIRE_CPUS_MOST 256

struct wire_nodes {
	uint16_t nodes, cpus;
	uint32_t reserved; /* 0 */
};

/*
 * What stands before packed records. Counting from the start of the command, `sample` tells how
 * many went missing before this frame; a KEY and the frames that start from it have one `key`.
 */
struct wire_packed {
	uint32_t key;     /* from 1 */
	uint32_t bytes;   /* of the records, unpacked */
	uint32_t sample;  /* samples of this CPU and command that were sent before */
	uint16_t samples; /* in this frame */
	uint16_t records; /* in this frame, samples included */
};

/* A piece of a PACKED frame's payload. Its pieces come in order, with nothing in between. */
struct wire_part {
	uint32_t total;  /* bytes of the whole payload */
	uint32_t offset; /* of this piece in it */
};

enum wire_text_kind {
	WIRE_TEXT_OUT = 1,
	WIRE_TEXT_ERR = 2,
	WIRE_TEXT_ALARM_1 =
		3, /* output that is to stand out on a terminal, and more so, and most */
	WIRE_TEXT_ALARM_2 = 4,
	WIRE_TEXT_ALARM_3 = 5,
	WIRE_TEXT_STDOUT = 6, /* what a program wrote to its descriptor 1, to the byte */
	WIRE_TEXT_STDERR = 7, /* and to 2; in the order in which it did */
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
	uint16_t nids; /* then that many 8-byte ids, one for each CPU; then the name, terminated */
	/* Then for each id the CPU that it is for, 2 bytes each; WIRE_ANY_CPU: whichever. Samples
	 * with that id stand in the ring of that CPU.
	 *
	 * An event with more than WIRE_IDS_MOST ids has further frames behind this one: they have
	 * attr_size 0, an empty name, and its first id in front of those that are new. */
};
#define WIRE_ANY_CPU  0xffff
#define WIRE_IDS_MOST 256

/* Then terminated strings: system, name, and what tracefs would have in the file `format`. */
struct wire_format {
	uint32_t command;
	uint32_t id; /* attr.config of its events, and type of its entries */
};

/* Then the name of the event, terminated. Where events of the command are for cgroups, its group
 * follows, terminated; "": it is for none. */
struct wire_count {
	uint32_t command;
	uint32_t cpu;
	int32_t error;                              /* 0, or -errno: the event was not supported */
	uint32_t truth;                             /* enum truth (truth.h) */
	uint64_t value, time_enabled, time_running; /* events, ns, ns */
};

/*
 * Bytes of the AUX area that an event writes to, in order and without gaps. Of an area that is
 * overwritten it is snapshots: what was there when one was asked for, and in the end, each without
 * what the one before it had, and as old as the area held. The last frame of a command has
 * WIRE_AUX_LAST, maybe without bytes: `produced` is final then. Times in the trace are those of the
 * TSC: ns = time_zero + tsc * time_mult / 2^time_shift, all modulo 2^64, as in struct
 * perf_event_mmap_page.
 */
enum wire_aux_flags {
	WIRE_AUX_SNAPSHOT = 1, /* the area is overwritten: the newest bytes only */
	WIRE_AUX_LAST = 2,
	WIRE_AUX_BEGIN = 4, /* the first frame of a snapshot */
};

/*
 * What is typed while a workload runs, to act at once; what ends waits of the image; and what
 * stands around a frame that is typed at the prompt (lib/typed.h). Inside of such a frame no byte
 * is a control character: each has WIRE_TYPED_SHIFT added to it, and if it became one, then it
 * comes as WIRE_TYPED_ESCAPE and itself with WIRE_TYPED_LIFT added. So flow control, ^C and the
 * ends of lines mean in a frame what they mean elsewhere, and a frame that is damaged or cut ends
 * with the next of them.
 */
enum wire_typed {
	WIRE_TYPED_FRAME = 0x01, /* SOH: a frame begins */
	WIRE_TYPED_START = 0x02,
	WIRE_TYPED_INTERRUPT = 0x03, /* ^C: ends the workload */
	WIRE_TYPED_END = 0x04,       /* EOT: the frame is over */
	WIRE_TYPED_EMPTY = 0x06,     /* ACK: the ring of shared memory is empty, as was asked */
	WIRE_TYPED_ESCAPE = 0x10,    /* DLE */
	WIRE_TYPED_SNAPSHOT = 0x14,  /* ^T: a snapshot of what `record -S` traces */
};
#define WIRE_TYPED_CONTROL 0x20 /* below it are control characters */
#define WIRE_TYPED_LIFT    0x40
/* Of all values the one with which programs have the fewest bytes to escape: a fiftieth. */
#define WIRE_TYPED_SHIFT 106

/*
 * A file that the machine may want: it answers with TAKEN. `hash` is XXH64 of all of it, with seed
 * 0. What the machine has of a file of that size and hash it keeps, so that an upload that was
 * broken off goes on where it was.
 */
struct wire_offer {
	uint32_t upload; /* a number that the sender makes up, for its pieces */
	uint32_t reserved;
	uint64_t bytes, hash;
};

/* Bytes of the file, and behind them so many zeros that are not sent. */
struct wire_piece {
	uint32_t upload;
	uint32_t reserved;
	uint64_t offset, zeros;
};

/* Bytes of the file that lie in the area SHARED_IN (shared.h) until they are answered. */
struct wire_placed {
	uint32_t upload;
	uint32_t bytes;
	uint64_t offset; /* in the file */
	uint64_t at;     /* in the area */
};

enum wire_taken_status {
	WIRE_TAKEN_PART = 0,    /* it has the first `have` bytes, and waits for more */
	WIRE_TAKEN_GAP = 1,     /* the same, but what was sent lies behind them: it was not taken */
	WIRE_TAKEN_WHOLE = 2,   /* it has all, and can run it */
	WIRE_TAKEN_ANEW = 3,    /* it had all, but that has another hash: it has nothing now */
	WIRE_TAKEN_NO_ROOM = 4, /* it has no memory for it */
	WIRE_TAKEN_UNKNOWN = 5, /* there was no such OFFER: it may have been started anew */
	WIRE_TAKEN_REFUSED = 6, /* OFFER or PIECE makes no sense */
};

/* Behind a program that was given a file, `bytes` is 0 and it has read up to `at`. */
struct wire_input {
	uint64_t at;    /* bytes before it */
	uint32_t bytes; /* that are wanted */
	uint32_t reserved;
};
_Static_assert(sizeof(struct wire_input) == 16, "no padding");

struct wire_taken {
	uint32_t upload;
	uint32_t frame;  /* number of the frame that this answers */
	uint64_t have;   /* bytes, from the first one on */
	uint32_t status; /* enum wire_taken_status */
	uint32_t reserved;
};

struct wire_aux {
	uint32_t command;
	uint16_t flags; /* enum wire_aux_flags */
	uint16_t time_shift;
	uint32_t time_mult;
	uint32_t tid; /* of the task that is traced; 0: whichever runs */
	uint64_t time_zero;
	uint64_t tsc;      /* when this frame, or its snapshot, was made; not 0 */
	uint64_t id;       /* the event's */
	uint64_t offset;   /* of the first byte, counted from the event's first one */
	uint64_t produced; /* bytes so far */
};

/*
 * A file goes out from its first byte to its last, without another one in between: each frame has
 * the next bytes, and the last one WIRE_FILE_LAST, maybe without bytes. One that can not be read is
 * one frame with `error`, WIRE_FILE_LAST and no bytes.
 */
enum wire_file_flags {
	WIRE_FILE_LAST = 1,
};

struct wire_file {
	uint32_t command;
	uint32_t index;  /* of those that `bring` names, from 0 */
	uint64_t offset; /* of the first byte in the file */
	uint16_t flags;  /* enum wire_file_flags */
	uint16_t error;  /* 0, or an errno: ENOENT, ... */
	uint32_t mode;   /* permissions */
};

/*
 * A program that a signal ended, for which Linux would have written its core: a BEGIN, MAPs and
 * MEMORY in any number, an END. Registers are in the order in which DWARF numbers them (System V
 * ABI, AMD64, "DWARF Register Number Mapping"): RAX, RDX, RCX, RBX, RSI, RDI, RBP, RSP, R8 to R15,
 * RIP.
 */
enum wire_crash_part {
	WIRE_CRASH_BEGIN = 0,  /* the registers, then strings: its name, and what ended it */
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
	uint64_t start, end, offset; /* MAP, MEMORY; of `start` in the file */
};

/* The noise certificate of a measurement (rt/portable/noise.h). */
enum wire_noise_flags {
	WIRE_NOISE_PASS = 1,  /* nothing that is known of disturbed it */
	WIRE_NOISE_QUIET = 2, /* the machine was made quiet for it */
};

struct wire_noise {
	uint32_t command;
	uint32_t flags; /* enum wire_noise_flags */
};

/* Results as text for programs, whatever is printed. */
struct wire_report {
	uint32_t command;
};

/* The books: overflows = written + lost + refused, always. */
struct wire_books {
	uint64_t overflows; /* counter overflows that asked for a sample */
	uint64_t written;   /* samples in the ring */
	uint64_t lost;      /* no room in the ring */
	uint64_t refused;   /* the event has no ring */
	uint64_t sent;      /* bytes of records sent, unpacked */
	/* Of `written`, those whose place in an overwritable ring a newer record took. */
	uint64_t overwritten;
};

/* What both ends add up. */
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
	int32_t status;    /* of the line before: of its first command that failed, else 0 */
	uint32_t commands; /* that ended so far, those that were refused included */
};

struct wire_bye {
	int32_t status; /* of the first command that failed, else 0 */
	uint32_t commands;
	struct wire_books books; /* sums over all commands */
};

#endif
