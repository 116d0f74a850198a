/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * world_layout.h - offsets of the members of struct world, for jump.S. Macros only; world.c asserts
 * them.
 */
#ifndef ARCH_X86_WORLD_WORLD_LAYOUT_H
#define ARCH_X86_WORLD_WORLD_LAYOUT_H

#define WORLD_RSP 0
#define WORLD_CR0 8
#define WORLD_CR3 16
#define WORLD_CR4 24
#define WORLD_GDT 32
#define WORLD_IDT 42
#define WORLD_CS  52
#define WORLD_SS  54
#define WORLD_DS  56
#define WORLD_ES  58
#define WORLD_FS  60
#define WORLD_GS  62
#define WORLD_TR  64

#endif
