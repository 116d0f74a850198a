// SPDX-License-Identifier: BSD-2-Clause
/*
 * fuzz_elf.c - any bytes as an ELF file: the reader refuses the file, or its results have the
 * invariants of tests/unit/rt/elf_holds.h. `make build/fuzz/fuzz_elf` builds the fuzzer. A corpus
 * may start from any program that docs/PROGRAMS.md builds.
 */
#include "tests/unit/rt/elf_holds.h"

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	/* The buffer has the exact size: the sanitizer sees an access beyond its end. */
	uint8_t *file = malloc(size ? size : 1);
	const struct elf_source source = elf_memory(file, size);
	uint8_t build_id[ELF_BUILD_ID];
	struct elf e;

	memcpy(file, data, size);
	if (!elf_read(&e, &source, ELF_LOW, ELF_LOW, ELF_HIGH) && !elf_holds(&e))
		abort();
	if (elf_build_id(&source, build_id) > sizeof(build_id))
		abort();
	free(file);
	return 0;
}
