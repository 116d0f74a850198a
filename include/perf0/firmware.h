/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * firmware.h - mode=borrow: the firmware stays, and does for the runtime what only it can do: keys
 * of any keyboard, files of the volume that the image came from, other CPUs, the ways out. The
 * runtime asks by world_call() (arch/x86/world/world.h), and boot/ answers.
 *
 * A call lies in memory that ring 0 has at its physical address plus DIRECT_MAP, as the image and
 * what page_alloc() gave; `data` of a file is such an address, and is what a device may be told.
 */
#ifndef PERF0_FIRMWARE_H
#define PERF0_FIRMWARE_H

#include <stdint.h>

enum firmware_service {
	FIRMWARE_EXIT, /* the machine is the firmware's, for good; does not return */
	FIRMWARE_KEYS,
	FIRMWARE_RESET,
	FIRMWARE_FILE,
	FIRMWARE_CPU,
	FIRMWARE_SERIAL,
};

/* A key as EFI_SIMPLE_TEXT_INPUT_EX_PROTOCOL has it: UEFI specification, "Console I/O Protocol". */
struct firmware_key {
	uint16_t scan, unicode;
	uint32_t shift; /* EFI_KEY_STATE.KeyShiftState; 0 where the firmware has no such protocol */
};

/*
 * FIRMWARE_KEYS - waits until there are keys, until a serial line has something, or until `ms`
 * milliseconds are over.
 */
#define FIRMWARE_KEYS_MOST  16
#define FIRMWARE_LINES_MOST 8
#define FIRMWARE_BYTES_MOST 64
struct firmware_line {
	uint64_t at;   /* of its status: an address of the upper half, or a port */
	uint8_t width; /* of an access, bytes; 0: it is a port */
	uint8_t bits;  /* one of them is set: there is something */
};
struct firmware_keys {
	uint32_t ms;
	uint32_t nlines;
	struct firmware_line line[FIRMWARE_LINES_MOST];
	uint32_t line_is_due; /* 1: one of these has something */
	uint32_t read_from;   /* bit i: line i of FIRMWARE_SERIAL is read, too */
	uint32_t nbytes;      /* that came there */
	uint8_t bytes[FIRMWARE_BYTES_MOST];
	uint32_t n;
	struct firmware_key keys[FIRMWARE_KEYS_MOST];
};

/* FIRMWARE_RESET - does not return either. */
struct firmware_reset {
	uint32_t off; /* 1: the machine is switched off; 0: it starts anew */
};

/*
 * FIRMWARE_FILE - each operation opens the file, and closes it: what was written is on the volume
 * when the call returns. Paths are UTF-8, absolute, with slashes of either kind.
 */
enum firmware_file_operation {
	FIRMWARE_READ,   /* up to `bytes` from `offset` on; `bytes` becomes how many there were */
	FIRMWARE_WRITE,  /* `bytes` at `offset`; the file is made where there is none, and what it
			    had from `offset` on is gone */
	FIRMWARE_FOLDER, /* makes one; -EEXIST: it is there */
	FIRMWARE_REMOVE,
	FIRMWARE_LIST, /* fills `data` with struct firmware_name from entry `offset` on; `bytes`
			  becomes how much of it, 0 behind the last one */
};
#define FIRMWARE_PATH_MOST 512
struct firmware_file {
	uint32_t operation;
	char path[FIRMWARE_PATH_MOST]; /* terminated; the last byte is 0 anyway */
	uint64_t offset, data, bytes;
	uint64_t size; /* of the whole file, behind FIRMWARE_READ */
};

/* What a folder has: this, and its name, terminated, padded to 8 bytes. */
struct firmware_name {
	uint64_t bytes; /* of the file */
	uint32_t folder;
	uint32_t size; /* from here to the next one */
	char name[];
};

/*
 * FIRMWARE_CPU - another CPU calls `entry(arg)`, at their addresses of the upper half, on a stack
 * of the firmware's, with interrupts off and CR3 as `root`; it returns with all as it found it.
 * -ENODEV: the firmware does not lend CPUs, or not this one. FIRMWARE_EXIT waits until all that
 * were started have returned.
 */
struct firmware_cpu {
	uint32_t apic_id;
	uint64_t root, entry, arg;
};

/*
 * FIRMWARE_SERIAL - lines that the firmware drives. `bytes` 0: lists them; else that many at `data`
 * go out over line `line`.
 */
enum firmware_serial_kind { FIRMWARE_SERIAL_OTHER, FIRMWARE_SERIAL_COM, FIRMWARE_SERIAL_PCI };
struct firmware_serial_place {
	uint8_t kind;
	uint8_t number;              /* of a COM, from 1 on */
	uint8_t bus, slot, function; /* of a PCI device */
};
struct firmware_serial {
	uint32_t line;
	uint64_t data, bytes;
	uint32_t n;
	struct firmware_serial_place place[FIRMWARE_LINES_MOST];
};

struct firmware_call {
	uint32_t service; /* enum firmware_service */
	int32_t result;   /* 0 or -E */
	union {
		struct firmware_keys keys;
		struct firmware_reset reset;
		struct firmware_file file;
		struct firmware_cpu cpu;
		struct firmware_serial serial;
	};
};

#endif
