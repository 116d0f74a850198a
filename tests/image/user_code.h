/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * user_code.h - pieces of ring-3 code for the tests: user_code.S defines them,
 * position-independent. Each ends by the system call EXIT, if it gets so far.
 */
#ifndef TESTS_IMAGE_USER_CODE_H
#define TESTS_IMAGE_USER_CODE_H

#include <stdint.h>

/* Everything lies between these two; a piece's offset is its label minus the start. */
extern const uint8_t user_code_start[], user_code_end[];

extern const uint8_t user_sum[];  /* exits with the sum of all general registers but RSP */
extern const uint8_t user_kept[]; /* exits with the number of registers that SYSCALL changed */
extern const uint8_t user_fpu[];  /* exits with XMM0, then with what MXCSR has beyond its default */
extern const uint8_t user_spin[]; /* never ends */
extern const uint8_t user_calls[];       /* makes a system call, which returns to ... */
extern const uint8_t user_called[];      /* ... here */
extern const uint8_t user_touch[];       /* stores at RSI, RDX times */
extern const uint8_t user_bases[];       /* a system call; exits with the sum of %fs:0 and %gs:0 */
extern const uint8_t user_own_bases[];   /* the same, by bases that it sets: RSI and RSI + 8 */
extern const uint8_t user_selectors[];   /* loads FS and GS; a system call; exits with both */
extern const uint8_t user_flags[];       /* sets DF and AC, then makes a system call */
extern const uint8_t user_flags_fault[]; /* sets DF and AC, then faults */

extern const uint8_t user_step_flags[]; /* exits with the TF that it has ever seen */
#define STEP_FLAGS_INSTRUCTIONS 20
extern const uint8_t user_step_own[];         /* sets TF and pushes RFLAGS; its #DB comes ... */
extern const uint8_t user_step_own_trapped[]; /* ... here */

/* One piece for each way to fault; `vector` is the expected exception. */
struct user_fault_row {
	int32_t code; /* relative to this field */
	uint16_t vector;
	uint16_t needs_umip;
	char name[24];
};
_Static_assert(sizeof(struct user_fault_row) == 32, "user_code.S");
extern const struct user_fault_row user_faults[], user_faults_end[];

#endif
