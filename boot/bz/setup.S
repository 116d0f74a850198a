/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * setup.S - the setup part of a .bz file: the header that every loader reads, and what loaders of 16
 * bits start: it fetches the memory map from the BIOS, opens A20 and goes to the 32-bit entry.
 * Linux, Documentation/arch/x86/boot.rst, "The Real-Mode Kernel Header", "Running the Kernel".
 */
#include "boot/bz/bz_layout.h"
#include "include/perf0/handoff_args.h"
#include "include/perf0/version.h"

/* "VBE2": the BIOS has to tell what version 2 has; and its answer that a function is done. */
#define VBE_SIGNATURE 0x32454256
#define VBE_DONE      0x004f
#define VBE_INFO      0x1000 /* buffers below the stack */
#define VBE_MODES     0x0e
#define VBE_MODE      0x1200
#define MODE_WANTED   0x0091 /* supported, graphics, linear framebuffer */
#define MODE_LINE     0x10
#define MODE_WIDTH    0x12
#define MODE_HEIGHT   0x14
#define MODE_DEPTH    0x19
#define MODE_COLORS   0x1f /* sizes and places of red, green and blue */
#define MODE_BASE     0x28
#define MODE_LINEAR   0x4000
#define SCREEN_WIDTH  1280

/* struct screen_info: VIDEO_TYPE_VLFB and its fields. */
#define SCREEN_LINEAR    0x23
#define SCREEN_KIND_AT   0x0f
#define SCREEN_WIDTH_AT  0x12
#define SCREEN_HEIGHT_AT 0x14
#define SCREEN_DEPTH_AT  0x16
#define SCREEN_BASE_AT   0x18
#define SCREEN_LINE_AT   0x24
#define SCREEN_COLORS_AT 0x26

#define SMAP          0x534d4150 /* "SMAP" */
#define CR0_PE        1
#define LOADED_HIGH   1
#define CAN_USE_HEAP  0x80
/* XLF_KERNEL_64, _CAN_BE_LOADED_ABOVE_4G, _EFI_HANDOVER_64, _5LEVEL, _5LEVEL_ENABLED */
#define XLOADFLAGS    (1 | 2 | 8 | 0x20 | 0x40)
#define LOAD_ADDRESS  0x100000

	.section .setup, "awx"
	.code16
setup:
	/* DOS's signature, which UEFI wants first; the BIOS runs it as `dec %bp; pop %dx`. */
	.ascii	"MZ"
	jmp	from_disk

	.org	0x3c
	.long	BZ_PE

from_disk:
	ljmp	$0x7c0, $(1f - setup)
1:	mov	%cs, %ax
	mov	%ax, %ds
	mov	%ax, %ss
	xor	%sp, %sp
	mov	$(no_loader - setup), %si
	call	print
	xor	%ax, %ax
	int	$0x16 /* waits for a key */
	int	$0x19

/* Prints the text at %si by INT 10h. */
print:
	mov	$7, %bx
1:	lodsb
	test	%al, %al
	jz	2f
	mov	$0x0e, %ah
	int	$0x10
	jmp	1b
2:	ret

no_loader:
	.asciz	"perf0.bz is started by a boot loader (GRUB, iPXE, kexec). Press a key.\r\n"

	/* struct setup_header of <asm/bootparam.h>. */
	.org	PARAMS_HEADER
	.byte	BZ_SETUP / 512 - 1        /* setup_sects */
	.word	0                         /* root_flags */
	.long	bz_syssize                /* paragraphs of the protected-mode part */
	.word	0, 0, 0                   /* ram_size, vid_mode, root_dev */
	.word	0xaa55                    /* boot_flag */
	/* A short jump, because its length tells the header's. */
	.byte	0xeb, header_end - 1f
1:	.ascii	"HdrS"
	.word	0x020f                    /* version */
	.long	0                         /* realmode_swtch */
	.word	0                         /* start_sys_seg */
	.word	version - setup - 0x200   /* kernel_version */
	.byte	0                         /* type_of_loader: loaders write it */
	.byte	LOADED_HIGH | CAN_USE_HEAP
	.word	0                         /* setup_move_size */
	.long	LOAD_ADDRESS              /* code32_start */
	.long	0, 0                      /* ramdisk_image, ramdisk_size */
	.long	0                         /* bootsect_kludge */
	.word	BZ_SETUP - 0x200          /* heap_end_ptr */
	.byte	0, 0                      /* ext_loader_ver, ext_loader_type */
	.long	0                         /* cmd_line_ptr */
	.long	0x7fffffff                /* initrd_addr_max */
	.long	0x200000                  /* kernel_alignment */
	.byte	1, 12                     /* relocatable_kernel, min_alignment */
	.word	XLOADFLAGS
	.long	HANDOFF_MAX_ARGS - 1      /* cmdline_size */
	.long	0                         /* hardware_subarch */
	.quad	0
	.long	0, 0                      /* payload_offset, payload_length */
	.quad	0                         /* setup_data */
	.quad	LOAD_ADDRESS              /* pref_address */
	.long	bz_init_size
	.long	BZ_HANDOVER - BZ_ENTRY_64 /* handover_offset */
	.long	bz_kernel_info            /* kernel_info_offset */
header_end:

	/* Loaders enter with all segments but %cs at the setup part. */
	cld
	mov	%ds, %ax
	mov	%ax, %es
	mov	%ax, %ss
	mov	$BZ_STACK, %esp
	push	%ds
	push	$(1f - setup)
	lret
1:	sti
	call	check_cpu
	mov	$(PARAMS_HEADER), %si
	mov	$(BZ_PARAMS + PARAMS_HEADER), %di
	mov	$(header_end - setup - PARAMS_HEADER), %cx
	rep movsb
	call	read_memory
	call	open_a20
	call	set_screen
	jmp	go_to_32

/* --- The CPU --- */

/* CPUID is there if a flag of EFLAGS can be changed; bit 29 of 0x80000001 is long mode. */
check_cpu:
	pushfl
	pop	%eax
	mov	%eax, %ecx
	xor	$0x200000, %eax
	push	%eax
	popfl
	pushfl
	pop	%eax
	cmp	%eax, %ecx
	je	1f
	mov	$0x80000000, %eax
	cpuid
	cmp	$0x80000001, %eax
	jb	1f
	mov	$0x80000001, %eax
	cpuid
	bt	$29, %edx
	jnc	1f
	ret
1:	mov	$(no_long_mode - setup), %si
	jmp	refuse

no_long_mode:
	.asciz	"perf0: this CPU has no 64-bit mode. Press a key to restart.\r\n"

/* Prints the text at %si, to COM1 as well, waits for a key, and resets the machine. */
refuse:
	push	%si
	call	print
	pop	%si
	mov	$0x3f8, %dx
1:	lodsb
	test	%al, %al
	jz	2f
	out	%al, %dx
	jmp	1b
2:	xor	%ax, %ax
	int	$0x16
	mov	$0xfe, %al
	out	%al, $0x64
1:	hlt
	jmp	1b

/* --- Memory --- */

/* ACPI 6.5, "INT 15H, E820H - Query System Address Map"; older: E801H and 88H. */
read_memory:
	xor	%ebx, %ebx
	mov	$(BZ_PARAMS + PARAMS_E820), %di
1:	mov	$0xe820, %eax
	mov	$SMAP, %edx
	mov	$E820_BYTES, %ecx
	int	$0x15
	jc	2f
	cmp	$SMAP, %eax
	jne	2f
	add	$E820_BYTES, %di
	incb	BZ_PARAMS + PARAMS_E820_N
	cmpb	$E820_MOST, BZ_PARAMS + PARAMS_E820_N
	je	2f
	test	%ebx, %ebx
	jnz	1b
2:	xor	%cx, %cx
	xor	%dx, %dx
	mov	$0xe801, %ax
	int	$0x15
	jc	4f
	test	%cx, %cx
	jz	3f
	mov	%cx, %ax
	mov	%dx, %bx
3:	movzwl	%ax, %eax /* KiB from 1 MiB to 16 */
	movzwl	%bx, %ebx /* 64 KiB from 16 MiB on */
	shl	$6, %ebx
	jz	5f
	cmp	$(15 * 1024), %eax /* a hole below 16 MiB ends what is there in one piece */
	jne	5f
	add	%ebx, %eax
5:	mov	%eax, BZ_PARAMS + PARAMS_ALT_MEM_K
4:	mov	$0x88, %ah
	int	$0x15
	jc	6f
	mov	%ax, BZ_PARAMS + PARAMS_EXT_MEM_K
6:	ret

/* --- A20 --- */

/* The carry flag is clear if an address of 1 MiB and that of 0 are different bytes. */
test_a20:
	push	%ds
	push	%es
	xor	%ax, %ax
	mov	%ax, %ds
	dec	%ax
	mov	%ax, %es
	mov	$0x8000, %cx
1:	mov	0x200, %ax /* an interrupt vector that no BIOS uses */
	inc	%ax
	xchg	%ax, 0x200
	mov	0x200, %dx
	cmp	%es:0x210, %dx
	mov	%ax, 0x200
	jne	2f
	out	%al, $0x80 /* a pause */
	loop	1b
	stc
	jmp	3f
2:	clc
3:	pop	%es
	pop	%ds
	ret

/* By the BIOS, by the fast gate, then by the keyboard's controller. */
open_a20:
	call	test_a20
	jnc	1f
	mov	$0x2401, %ax
	int	$0x15
	call	test_a20
	jnc	1f
	in	$0x92, %al
	or	$2, %al
	and	$0xfe, %al
	out	%al, $0x92
	call	test_a20
	jnc	1f
	call	wait_keyboard
	mov	$0xd1, %al
	out	%al, $0x64
	call	wait_keyboard
	mov	$0xdf, %al
	out	%al, $0x60
	call	wait_keyboard
	call	test_a20
	jnc	1f
	mov	$(no_a20 - setup), %si
	jmp	refuse
1:	ret

wait_keyboard:
	xor	%cx, %cx
1:	in	$0x64, %al
	test	$2, %al
	loopnz	1b
	ret

no_a20:
	.asciz	"perf0: the A20 gate does not open. Press a key to restart.\r\n"

/* --- The screen --- */

/*
 * Sets the largest mode with 32-bit pixels in a linear framebuffer and at most SCREEN_WIDTH pixels in
 * a line, and notes it in struct screen_info. VESA BIOS Extension 3.0, functions 00h to 02h.
 */
set_screen:
	mov	$0x4f00, %ax
	mov	$VBE_INFO, %di
	movl	$VBE_SIGNATURE, (%di)
	int	$0x10
	cmp	$VBE_DONE, %ax
	jne	no_screen
	xor	%ebp, %ebp /* the mode; its width in the upper half */
	lfs	VBE_INFO + VBE_MODES, %si
1:	mov	%fs:(%si), %cx
	add	$2, %si
	cmp	$0xffff, %cx
	je	2f
	call	read_mode
	jc	1b
	movzwl	VBE_MODE + MODE_WIDTH, %eax
	shl	$16, %eax
	mov	%cx, %ax
	cmp	%ebp, %eax
	jb	1b
	mov	%eax, %ebp
	jmp	1b
2:	mov	%bp, %cx
	test	%ebp, %ebp
	jz	no_screen
	call	read_mode
	jc	no_screen
	mov	$0x4f02, %ax
	mov	%cx, %bx
	or	$MODE_LINEAR, %bx
	int	$0x10
	cmp	$VBE_DONE, %ax
	jne	no_screen
	mov	$VBE_MODE, %si
	mov	MODE_WIDTH(%si), %ax
	mov	%ax, BZ_PARAMS + SCREEN_WIDTH_AT
	mov	MODE_HEIGHT(%si), %ax
	mov	%ax, BZ_PARAMS + SCREEN_HEIGHT_AT
	movw	$32, BZ_PARAMS + SCREEN_DEPTH_AT
	mov	MODE_BASE(%si), %eax
	mov	%eax, BZ_PARAMS + SCREEN_BASE_AT
	mov	MODE_LINE(%si), %ax
	mov	%ax, BZ_PARAMS + SCREEN_LINE_AT
	lea	MODE_COLORS(%si), %si
	mov	$(BZ_PARAMS + SCREEN_COLORS_AT), %di
	mov	$6, %cx
	rep movsb
	movb	$SCREEN_LINEAR, BZ_PARAMS + SCREEN_KIND_AT
no_screen:
	ret

/* Reads mode %cx to VBE_MODE. The carry flag is set if the mode is not wanted. */
read_mode:
	mov	$0x4f01, %ax
	mov	$VBE_MODE, %di
	push	%cx
	push	%ds
	pop	%es
	int	$0x10
	pop	%cx
	cmp	$VBE_DONE, %ax
	jne	1f
	mov	VBE_MODE, %ax
	and	$MODE_WANTED, %ax
	cmp	$MODE_WANTED, %ax
	jne	1f
	cmpb	$32, VBE_MODE + MODE_DEPTH
	jne	1f
	cmpw	$SCREEN_WIDTH, VBE_MODE + MODE_WIDTH
	ja	1f
	clc
	ret
1:	stc
	ret

/* --- Protected mode --- */

go_to_32:
	cli
	xor	%ebx, %ebx
	mov	%ds, %bx
	shl	$4, %ebx
	lea	(gdt - setup)(%ebx), %eax
	mov	%eax, gdt_register - setup + 2
	lea	(in_32 - setup)(%ebx), %eax
	mov	%eax, far_32 - setup
	lgdtl	gdt_register - setup
	mov	%cr0, %eax
	or	$CR0_PE, %al
	mov	%eax, %cr0
	ljmpl	*(far_32 - setup)

	.code32
in_32:
	mov	$0x18, %eax
	mov	%eax, %ds
	mov	%eax, %es
	mov	%eax, %fs
	mov	%eax, %gs
	mov	%eax, %ss
	lea	BZ_PARAMS(%ebx), %esi
	xor	%ebp, %ebp
	xor	%edi, %edi
	mov	PARAMS_CODE32(%esi), %eax
	xor	%ebx, %ebx
	jmp	*%eax

	.balign	8
gdt:
	.quad	0, 0
	.quad	0x00cf9a000000ffff /* 0x10: code of 32 bits */
	.quad	0x00cf92000000ffff /* 0x18: data */
gdt_register:
	.word	gdt_register - gdt - 1
	.long	0
far_32:
	.long	0
	.word	0x10

version:
	.asciz	"perf0 " PERF0_VERSION

	/* Microsoft PE format, "COFF File Header", "Optional Header (Image Only)". */
	.org	BZ_PE
pe:
	.ascii	"PE\0\0"
	.word	0x8664                            /* Machine */
	.word	(sections_end - sections) / 40
	.long	0, 0, 0                           /* TimeDateStamp, PointerToSymbolTable, NumberOfSymbols */
	.word	sections - optional
	.word	0x206                             /* Characteristics */
optional:
	.word	0x20b                             /* PE32+ */
	.byte	2, 40                             /* linker */
	.long	bz_text_bytes                     /* SizeOfCode */
	.long	bz_initialized_bytes              /* SizeOfInitializedData */
	.long	0                                 /* SizeOfUninitializedData */
	.long	_start                            /* AddressOfEntryPoint */
	.long	BZ_PAGE                           /* BaseOfCode */
	.quad	0                                 /* ImageBase */
	.long	BZ_PAGE, 512                      /* SectionAlignment, FileAlignment */
	.word	0, 0, 0, 0, 0, 0                  /* versions */
	.long	0
	.long	__image_end                       /* SizeOfImage */
	.long	BZ_PAGE                           /* SizeOfHeaders */
	.long	0                                 /* CheckSum */
	.word	10                                /* Subsystem: EFI application */
	.word	0x100                             /* DllCharacteristics: NX_COMPAT */
	.quad	0, 0, 0, 0                        /* stack and heap */
	.long	0                                 /* LoaderFlags */
	.long	6                                 /* NumberOfRvaAndSizes */
	.quad	0, 0, 0, 0, 0
	.long	__reloc_start, 12                 /* Base Relocation Table */
sections:
	.macro	SECTION name, from, bytes, flags
	.ascii	"\name"
	.org	sections + 40 * (section_number) + 8
	.long	\bytes, \from, \bytes, BZ_SETUP + \from
	.long	0, 0, 0
	.long	\flags
	.set	section_number, section_number + 1
	.endm
	.set	section_number, 0
	/* Code, read, execute; data, read; data, read, write. */
	SECTION	".text", BZ_PAGE, bz_text_bytes, 0x60000020
	SECTION	".rodata", __rodata_start, bz_rodata_bytes, 0x40000040
	SECTION	".sbat", __sbat_start, bz_sbat_bytes, 0x40000040
	SECTION	".rela", __dynsym_start, bz_rela_bytes, 0x40000040
	SECTION	".data", __relro_start, bz_data_bytes, 0xc0000040
sections_end:
	.org	BZ_PAGE /* an error where the PE header does not end in the first page */
	.org	BZ_SETUP
