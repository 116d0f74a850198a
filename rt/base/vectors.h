/* SPDX-License-Identifier: BSD-2-Clause */
/* vectors.h - the vector of each interrupt. Higher ones have priority (SDM vol. 3, "APIC"). */
#ifndef RT_BASE_VECTORS_H
#define RT_BASE_VECTORS_H

#define VECTOR_DRAIN      0x30 /* records to the wire, while a workload runs */
#define VECTOR_INPUT      0x40 /* a byte was received outside of the serial line's handler */
#define VECTOR_KEYBOARD   0x41
#define VECTOR_SERIAL     0x48 /* the first of SERIAL_MOST vectors, one for each line */
#define VECTOR_TIMER      0xe0
#define VECTOR_WORK       0xe1 /* work that an NMI has left */
#define VECTOR_RESCHEDULE 0xe2 /* smp_kick() */
#define VECTOR_CALL       0xe3 /* smp_call() */

#endif
