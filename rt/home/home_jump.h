/* SPDX-License-Identifier: BSD-2-Clause */
/* home_jump.h - the places of struct home_jump for assembly. Macros only; home.c asserts them. */
#ifndef RT_HOME_HOME_JUMP_H
#define RT_HOME_HOME_JUMP_H

#define HOME_ROOT   0
#define HOME_CR4    8
#define HOME_CR0    16
#define HOME_PARAMS 24
#define HOME_ENTRY  32
#define HOME_OFFSET 40
#define HOME_GDT    48
#define HOME_IDT    58

#define HOME_CODE 0x10 /* __BOOT_CS and __BOOT_DS of Linux */
#define HOME_DATA 0x18

#endif
