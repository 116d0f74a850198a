/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * firmware.h - mode=borrow: the firmware stays and provides services that only it can provide: keys
 * of any keyboard, files of the image's volume, other CPUs, exit and reset. The runtime calls it by
 * world_call() (arch/x86/world/world.h), and boot/ answers.
 *
 * A call lies in memory that ring 0 maps at its physical address plus DIRECT_MAP, such as the image
 * and pages of page_alloc(). `data` of a file is such an address, and may be passed to a device.
 */
#ifndef PERF0_FIRMWARE_H
#define PERF0_FIRMWARE_H

#include <stdint.h>

enum firmware_service {
	FIRMWARE_EXIT, /* returns the machine to the firmware for good; does not return */
	FIRMWARE_KEYS,
	FIRMWARE_RESET,
	FIRMWARE_FILE,
	FIRMWARE_CPU,
	FIRMWARE_SERIAL,
};

/* A key as in EFI_SIMPLE_TEXT_INPUT_EX_PROTOCOL: UEFI specification, "Console I/O Protocol". */
struct firmware_key {
	uint16_t scan, unicode;
	uint32_t shift; /* EFI_KEY_STATE.KeyShiftState; 0 where the firmware has no such protocol */
};

/*
 * FIRMWARE_KEYS - waits until there are keys, until a serial line has input, or until `ms`
 * milliseconds are over.
 */
#define FIRMWARE_KEYS_MOST  16
#define FIRMWARE_LINES_MOST 8
#define FIRMWARE_BYTES_MOST 64
struct firmware_line {
	uint64_t at;   /* the status register: an address of the upper half, or a port */
	uint8_t width; /* bytes of an access; 0: it is a port */
	uint8_t bits;  /* any of these bits is set: there is input */
};
struct firmware_keys {
	uint32_t ms;
	uint32_t nlines;
	struct firmware_line line[FIRMWARE_LINES_MOST];
	uint32_t line_is_due; /* 1: one of the lines has input */
	uint32_t read_from;   /* bit i: also read line i of FIRMWARE_SERIAL */
	uint32_t nbytes;      /* number of bytes read there */
	uint8_t bytes[FIRMWARE_BYTES_MOST];
	uint32_t n;
	struct firmware_key keys[FIRMWARE_KEYS_MOST];
};

/* FIRMWARE_RESET - does not return. */
struct firmware_reset {
	uint32_t off; /* 1: switches off; 0: restarts */
};

/*
 * FIRMWARE_FILE - each operation opens and closes the file, so written data is on the volume when
 * the call returns. Paths are UTF-8, absolute, with slashes of either kind.
 */
enum firmware_file_operation {
	FIRMWARE_READ,   /* reads up to `bytes` from `offset`; sets `bytes` to the number read */
	FIRMWARE_WRITE,  /* writes `bytes` at `offset`, where the file then ends; creates a missing
			    file */
	FIRMWARE_FOLDER, /* creates a folder; -EEXIST: it exists */
	FIRMWARE_REMOVE,
	FIRMWARE_LIST, /* fills `data` with struct firmware_name from entry `offset` on; sets
			  `bytes` to the bytes filled, 0 after the last entry */
};
#define FIRMWARE_PATH_MOST 512
struct firmware_file {
	uint32_t operation;
	char path[FIRMWARE_PATH_MOST]; /* terminated; the last byte is taken as 0 */
	uint64_t offset, data, bytes;
	uint64_t size; /* size of the whole file, after FIRMWARE_READ */
};

/* An entry of a folder: this and the name, terminated, padded to 8 bytes. */
struct firmware_name {
	uint64_t bytes; /* size of the file */
	uint32_t folder;
	uint32_t size; /* bytes from here to the next entry */
	char name[];
};

/*
 * FIRMWARE_CPU - another CPU calls `entry(arg)`, at addresses of the upper half, on a stack of the
 * firmware's, with interrupts off and CR3 = `root`. It must restore all state on return. -ENODEV:
 * the firmware cannot start this CPU. FIRMWARE_EXIT waits until all started CPUs have returned.
 */
struct firmware_cpu {
	uint32_t apic_id;
	uint64_t root, entry, arg;
};

/*
 * FIRMWARE_SERIAL - serial lines that the firmware drives, and the firmware's console where the
 * handoff has no screen but the firmware has one: text goes there, and no input comes from it.
 * `bytes` 0: lists the lines; else sends
 * `bytes` bytes at `data` over line `line`.
 */
enum firmware_serial_kind {
	FIRMWARE_SERIAL_OTHER,
	FIRMWARE_SERIAL_COM,
	FIRMWARE_SERIAL_PCI,
	FIRMWARE_SERIAL_CONSOLE,
};
struct firmware_serial_place {
	uint8_t kind;
	uint8_t number;              /* COM number, from 1 */
	uint8_t bus, slot, function; /* address of a PCI device */
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
