# SPDX-License-Identifier: BSD-2-Clause
# perf0: `make run` boots it, `make test` tests it. Both install what is missing.
#
# The path decides the flavour: sources of the images are compiled freestanding into build/image/,
# the same sources and the host tool are compiled hosted into build/host/, and with ASan and UBSan
# into build/san/ for the tests.

B := build
CC := gcc
# files(FOLDERS, ENDING): the files with this ending in the folders and in their subfolders.
files = $(foreach d,$(1),$(wildcard $d/*.$(2) $d/*/*.$(2)))

# The sources that are linked into each image, tool and test.
CORES_C := $(wildcard vpmu/model/cores/*.c)
CORE_C := $(wildcard vpmu/core/*.c) $(CORES_C)
VPMU_BOOT_C := $(addprefix boot/,vpmu.c vpmu_options.c vpmu_take.c await.c handed.c marked.c sleep.c)
# The door for loaders of Linux kernels, in the same images.
BZ_C := $(addprefix boot/bz/,bios_tables.c loader_facts.c low_map.c memory_map.c say.c)
VPMU_C := $(VPMU_BOOT_C) $(BZ_C) $(addprefix boot/bz/,start_kernel.c vpmu_door.c) lib/format/cpio.c lib/format/cpio_read.c arch/x86/portable/madt.c boot/efi.c boot/relocate.c boot/sbat.c $(filter-out $(CORES_C),$(call files,vpmu/svm vpmu/model,c)) arch/x86/dev/fwcfg.c arch/x86/dev/pci.c arch/x86/portable/cpuid.c arch/x86/portable/quirks.c arch/x86/smp/trampoline_page.c $(wildcard lib/*.c) lib/words/fault_words.c lib/words/isa_level.c lib/words/listed.c lib/words/number.c lib/words/shape_words.c
VPMU_S := $(call files,vpmu/svm,S) arch/x86/smp/trampoline.S
PLUGIN_C := $(call files,vpmu/plugin vpmu/micro,c) vpmu/model/geometry.c $(filter-out vpmu/core/core_steady.c,$(CORE_C))
PERF0_ROOMS := arch/x86 pmu rb rt linux lib apps tests/image tests/programs
PERF0_C := $(filter-out $(VPMU_BOOT_C),$(wildcard boot/*.c)) $(BZ_C) $(addprefix boot/bz/,door.c way_home.c start_kernel.c) $(call files,$(PERF0_ROOMS),c)
PERF0_S := $(call files,$(PERF0_ROOMS),S)
HOSTED_LIB_C := $(filter-out lib/string.c,$(call files,lib,c)) # libc has string.c's
PORTABLE_C := $(HOSTED_LIB_C) $(call files,rb pmu vpmu/model vpmu/micro arch/x86/portable arch/x86/space rt/portable linux/portable linux/file linux/socket linux/tree apps/portable apps/doctor,c) $(addprefix arch/x86/dev/,hw_watchdog.c pci.c sp5100.c tco.c) $(addprefix boot/bz/,way_home.c loader_facts.c memory_map.c start_kernel.c) rt/print/print_plain.c vpmu/plugin/block_bound.c
SCHED_C := $(call files,pmu/sched pmu/uarch,c)
PLANNER_C := $(SCHED_C) $(call files,pmu/names pmu/metrics pmu/plan,c)
# The tool shares these files with the image, so that it refuses the same options.
TOOL_RT_C := $(addprefix rt/portable/,boot_options.c config_file.c cmdline.c)
TOOL_C := $(call files,tools,c) $(HOSTED_LIB_C) $(PLANNER_C) $(TOOL_RT_C) $(CORE_C)
UNIT_C := $(wildcard tests/unit/*/*.c)
TOOL_LIBS := -lpfm -ldw -lelf -llzma -liberty -ljson-c -lxxhash -lZydis -ledit -lsodium

WARN := -Wall -Wextra -Werror -Wvla -Wshadow -Wstrict-prototypes -Wmissing-prototypes \
	-Wold-style-definition -Wwrite-strings
# Debug information names sources below the present folder, so that two builds in two folders are the same bytes.
ANYWHERE := -ffile-prefix-map=$(CURDIR)=.
CSTD := -std=gnu17 -O2 -g -fno-omit-frame-pointer -fno-common -MMD -MP $(ANYWHERE)
IMAGE_CFLAGS := $(CSTD) $(WARN) -I. -ffreestanding -fpie -fvisibility=hidden -mno-red-zone \
	-mgeneral-regs-only -fno-stack-protector -fno-strict-aliasing -fcf-protection=none \
	-fno-asynchronous-unwind-tables -fno-tree-loop-distribute-patterns -fno-optimize-sibling-calls
EFI_CFLAGS := -isystem /usr/include/efi -isystem /usr/include/efi/x86_64 -fshort-wchar \
	-DGNU_EFI_USE_MS_ABI -maccumulate-outgoing-args
HOST_CFLAGS := $(CSTD) $(WARN) -Itests/shim -I. -D_GNU_SOURCE
SAN_CFLAGS := $(HOST_CFLAGS) -fPIC -ftls-model=initial-exec -fsanitize=address,undefined -fno-sanitize-recover=all
IMAGE_LDFLAGS := -nostdlib -shared -Bsymbolic -z noexecstack -z norelro -z max-page-size=4096 \
	--build-id=sha1 --no-undefined --hash-style=sysv -T linker.ld
# Distributions have it in /usr/lib, or below it by architecture.
CRT0 := $(shell $(CC) -print-file-name=crt0-efi-x86_64.o)
PE_SECTIONS := .text .utext .rodata .note.gnu.build-id .sbat .dynsym .dynstr .hash .rela .urodata .relro \
	.dynamic .data .percpu .udata .reloc

obj = $(patsubst %,$(B)/$(1)/%.o,$(basename $(2)))

.DELETE_ON_ERROR:
.SECONDARY: # keep the objects of what only pattern rules name
.PHONY: all run test unit bench accuracy fuzz soak lint install install-built install-portable dist deb release reference pictures clean
# Builds with all CPUs, unless the number of jobs was given.
BUILD = $(MAKE) --no-print-directory -s $(if $(findstring jobserver,$(MAKEFLAGS)),,-j$(shell nproc))
all: $(B)/perf0.efi $(B)/vpmu.efi $(B)/perf0.bz $(B)/vpmu.bz $(B)/vpmu.bz $(B)/bootia32.efi $(B)/esp.img $(B)/perf0 $(B)/vpmu-events.so $(B)/bench-harness.o $(B)/bench-pieces.o $(B)/libperf0bench.a $(B)/latency-memory

run:
	@scripts/setup run
	@$(BUILD) all
	@scripts/demo

test:
	@scripts/setup test
	@$(BUILD) all unit
	@scripts/test $(if $(ALL),--all)

lint:
	@mkdir -p $(B)
	@scripts/setup lint
	@scripts/lint

# The tool, the images that it boots, its manual page, and the completion of its command lines by bash, zsh, fish.
PREFIX := /usr/local
DESTDIR :=
install:
	@scripts/setup run
	@$(BUILD) all
	@$(MAKE) --no-print-directory install-built
# The same without a look for packages, as a package is made of it.
install-built:
	install -D -m 755 $(B)/perf0 $(DESTDIR)$(PREFIX)/bin/perf0
	install -d $(DESTDIR)$(PREFIX)/lib/perf0
	install -m 644 $(B)/perf0.efi $(B)/perf0.elf $(B)/vpmu.efi $(B)/perf0.bz $(B)/vpmu.bz $(B)/bootia32.efi $(B)/esp.img $(B)/vpmu-events.so $(B)/bench-harness.o $(B)/bench-pieces.o $(B)/latency-memory $(DESTDIR)$(PREFIX)/lib/perf0
	install -D -m 644 bench/perf0_bench.h $(DESTDIR)$(PREFIX)/include/perf0_bench.h
	install -D -m 644 bench/likwid-marker.h $(DESTDIR)$(PREFIX)/include/perf0/likwid-marker.h
	install -m 644 $(B)/libperf0bench.a $(DESTDIR)$(PREFIX)/lib
	install -d $(addprefix $(DESTDIR)$(PREFIX)/share/,man/man1 bash-completion/completions zsh/site-functions fish/vendor_completions.d)
	install -D -m 644 ci/perf0-config.cmake $(DESTDIR)$(PREFIX)/lib/cmake/perf0/perf0-config.cmake
	install -d $(DESTDIR)$(PREFIX)/lib/systemd/system/multi-user.target.wants
	sed 's|@PREFIX@|$(PREFIX)|' tools/there/perf0-results.service >$(DESTDIR)$(PREFIX)/lib/systemd/system/perf0-results.service
	ln -sf ../perf0-results.service $(DESTDIR)$(PREFIX)/lib/systemd/system/multi-user.target.wants
	$(B)/perf0 help --man >$(DESTDIR)$(PREFIX)/share/man/man1/perf0.1
	$(B)/perf0 help --completion bash >$(DESTDIR)$(PREFIX)/share/bash-completion/completions/perf0
	$(B)/perf0 help --completion zsh >$(DESTDIR)$(PREFIX)/share/zsh/site-functions/_perf0
	$(B)/perf0 help --completion fish >$(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d/perf0.fish

# An archive of all that `make install` installs, to be unpacked anywhere, and its checksum.
dist:
	@scripts/setup run
	@$(BUILD) all
	@scripts/dist

# Debian's packages, by debian/.
deb:
	@scripts/setup deb
	@scripts/deb

# Checks that this commit can be released, and prints the command that tags it.
release:
	@scripts/setup run
	@$(BUILD) all
	@scripts/release

# docs/REFERENCE.md is generated from the tables of options, parts of docs/MODEL.md from the model of a core.
# tests/e2e/tools/docs.sh and model.sh fail where the documents differ from them.
reference: all $(B)/model-tables
	$(B)/perf0 help --markdown >docs/REFERENCE.md
	scripts/model-tables docs/MODEL.md
	scripts/rooms --write
	scripts/picture

# The recording and the pictures in docs/pictures, from commands that really run.
pictures: all
	scripts/pictures

clean:
	rm -rf $(B)

# Names of Linux's system calls, as the system's headers have them.
$(B)/gen/syscall_names.inc: /usr/include/x86_64-linux-gnu/asm/unistd_64.h
	@mkdir -p $(@D)
	sed -n 's/^#define __NR_\([a-z0-9_]*\) \([0-9]*\)$$/{\2, "\1"},/p' $< >$@
$(B)/image/linux/syscall/syscall_names.o $(B)/san/linux/syscall/syscall_names.o: $(B)/gen/syscall_names.inc

# The commit of the sources and its time, for `perf0 version -v`.
$(B)/gen/build_info.h: always
	@scripts/build-info $@
.PHONY: always
$(foreach f,host san fuzz/obj,$(B)/$f/tools/doctor/version_text.o): $(B)/gen/build_info.h

# Shipped metrics are text, which the object includes.
$(foreach f,image host san fuzz/obj,$(B)/$f/pmu/metrics/shipped.o): $(wildcard pmu/metrics/shipped/*.txt)
# Intel's names of events are text, too.
$(foreach f,image host san fuzz/obj,$(B)/$f/pmu/names/intel_names.o): pmu/names/intel/events.txt

# Images.
$(B)/image/boot/%.o: IMAGE_CFLAGS += $(EFI_CFLAGS)
$(B)/image/%.o: %.c
	@mkdir -p $(@D)
	$(CC) $(IMAGE_CFLAGS) -c $< -o $@
$(B)/image/%.o: %.S
	@mkdir -p $(@D)
	$(CC) $(IMAGE_CFLAGS) -c $< -o $@

$(B)/perf0.elf: $(call obj,image,$(PERF0_C) $(PERF0_S)) linker.ld
	ld $(IMAGE_LDFLAGS) $(CRT0) $(filter %.o,$^) -L$(dir $(CRT0)) -lgnuefi -o $@
$(B)/vpmu.elf: $(call obj,image,$(VPMU_C) $(VPMU_S)) linker.ld
	ld $(IMAGE_LDFLAGS) $(CRT0) $(filter %.o,$^) -L$(dir $(CRT0)) -lgnuefi -o $@

# Guests of vpmu: a test runs them with vpmu and without.
GUESTS_C := $(wildcard tests/guests/*.c tests/guests/world/*.c) boot/efi.c $(wildcard lib/*.c)
GUESTS_S := $(wildcard tests/guests/*.S tests/guests/world/*.S)
$(B)/image/tests/guests/%.o: IMAGE_CFLAGS += $(EFI_CFLAGS)
$(B)/guests.elf: $(call obj,image,$(GUESTS_C) $(GUESTS_S)) linker.ld
	ld $(IMAGE_LDFLAGS) $(CRT0) $(filter %.o,$^) -L$(dir $(CRT0)) -lgnuefi -o $@
# A guest that checks the PMU by itself, against the manuals.
PMU_GUEST_C := $(wildcard tests/guests/pmu/*.c tests/guests/world/*.c) boot/efi.c $(wildcard lib/*.c)
PMU_GUEST_S := $(wildcard tests/guests/pmu/*.S tests/guests/world/*.S)
$(B)/pmu-guest.elf: $(call obj,image,$(PMU_GUEST_C) $(PMU_GUEST_S)) linker.ld
	ld $(IMAGE_LDFLAGS) $(CRT0) $(filter %.o,$^) -L$(dir $(CRT0)) -lgnuefi -o $@
# A ring 0 that attacks the host tool, QEMU's plugin and vpmu.
HOSTILE_C := $(wildcard tests/hostile/*.c) boot/efi.c $(addprefix arch/x86/,dev/fwcfg.c dev/pci.c portable/cpuid.c portable/quirks.c) $(wildcard lib/*.c) lib/format/frame.c lib/format/crc32c.c
$(B)/image/tests/hostile/%.o: IMAGE_CFLAGS += $(EFI_CFLAGS)
$(B)/hostile.elf: $(call obj,image,$(HOSTILE_C)) linker.ld
	ld $(IMAGE_LDFLAGS) $(CRT0) $(filter %.o,$^) -L$(dir $(CRT0)) -lgnuefi -o $@
# Firmware that misbehaves on purpose, and then starts the image.
FIELD_C := $(wildcard tests/field/*.c tests/field/*.S) boot/efi.c $(wildcard lib/*.c)
$(B)/image/tests/field/%.o: IMAGE_CFLAGS += $(EFI_CFLAGS)
$(B)/field.elf: $(call obj,image,$(FIELD_C)) linker.ld
	ld $(IMAGE_LDFLAGS) $(CRT0) $(filter %.o,$^) -L$(dir $(CRT0)) -lgnuefi -o $@

$(B)/%.efi: $(B)/%.elf scripts/pe-flags
	@! objcopy -O binary -j .percpu $< /dev/stdout | tr -d '\0' | grep -q . || \
		{ echo "$<: a PERCPU variable has an initializer" >&2; exit 1; }
	objcopy $(addprefix -j ,$(PE_SECTIONS)) -O efi-app-x86_64 --subsystem=10 $< $@
	scripts/pe-flags $@

# The same image behind the boot protocol of Linux: boot/bz/bz_layout.h. Its parts are data of the symbols' values.
$(B)/bz/%.bin: $(B)/%.elf
	@mkdir -p $(@D)
	objcopy -O binary $(addprefix -j ,$(PE_SECTIONS)) $< $@
$(B)/bz/%.ld: $(B)/%.elf
	@mkdir -p $(@D)
	nm $< | awk '/ (_start|__(rodata|sbat|dynsym|reloc|relro)_start|__sbat_end|__image_end|bz_(start|handover|tables|stack))$$/ { print $$3 " = 0x" $$1 ";" }' >$@
$(B)/bz/setup.o: boot/bz/setup.S
	@mkdir -p $(@D)
	$(CC) -I. -MMD -MP -c $< -o $@
$(B)/bz/%-head.o: boot/bz/head.S $(B)/bz/%.bin
	$(CC) -I. -MMD -MP -DBZ_IMAGE='"$(B)/bz/$*.bin"' -c $< -o $@
$(B)/%.bz: $(B)/bz/setup.o $(B)/bz/%-head.o $(B)/bz/%.ld boot/bz/bz.ld
	ld -T boot/bz/bz.ld $(filter-out boot/%,$^) -o $@

# The program that firmware of 32 bits starts from a stick. It says that perf0 needs 64.
IA32_CFLAGS := $(CSTD) $(WARN) -m32 -ffreestanding -fpie -fvisibility=hidden -mno-mmx -mno-sse -fno-stack-protector \
	-fcf-protection=none -fno-asynchronous-unwind-tables -fshort-wchar -isystem /usr/include/efi -isystem /usr/include/efi/ia32
$(B)/ia32/refuse.o: boot/ia32/refuse.c
	@mkdir -p $(@D)
	$(CC) $(IA32_CFLAGS) -c $< -o $@
$(B)/ia32/refuse.elf: $(B)/ia32/refuse.o
	ld -m elf_i386 -nostdlib -shared -Bsymbolic -z noexecstack -z norelro --no-warn-rwx-segments --hash-style=sysv --defsym=_entry=efi_main \
		-T /usr/lib32/elf_ia32_efi.lds /usr/lib32/crt0-efi-ia32.o $< -L/usr/lib32 -lgnuefi -o $@
$(B)/bootia32.efi: $(B)/ia32/refuse.elf
	objcopy $(addprefix -j ,.text .sdata .data .dynamic .dynsym .rel .rel.* .reloc) -O efi-app-ia32 --subsystem=10 $< $@

# The file system of a USB stick: perf0 boots by itself, vpmu lies beside it.
$(B)/esp.img: $(B)/perf0.efi $(B)/vpmu.efi
	scripts/mkesp $@ $^

# Host tool.
$(B)/host/%.o: %.c
	@mkdir -p $(@D)
	$(CC) $(HOST_CFLAGS) -c $< -o $@
$(B)/perf0: $(call obj,host,$(TOOL_C))
	$(CC) $^ $(TOOL_LIBS) -lm -o $@

# The tool and the plugin of `make dist`: they run on several distributions. Libraries whose names differ among these
# are linked statically, or are copied into the archive (PORTABLE_LIBS), where both look for them.
PORTABLE_LIBS := libZydis.so
PORTABLE_LINK := -Wl,-Bstatic -lpfm -liberty -ljson-c -lxxhash -ledit -lbsd -lmd -ltinfo -lsodium -Wl,-Bdynamic -ldw -lelf -llzma -lZydis -lm
$(B)/portable/perf0: $(call obj,host,$(TOOL_C))
	@mkdir -p $(@D)
	$(CC) $^ $(PORTABLE_LINK) -Wl,-rpath,'$$ORIGIN/../lib/perf0' -o $@
$(B)/portable/vpmu-events.so: $(call obj,plugin,$(PLUGIN_C))
	@mkdir -p $(@D)
	+$(CC) -shared -O3 -flto=auto $(ANYWHERE) $^ -lZydis -Wl,-rpath,'$$ORIGIN' -o $@
# Laid over what `make install-built` installs.
install-portable: $(B)/portable/perf0 $(B)/portable/vpmu-events.so
	install -m 755 $(B)/portable/perf0 $(DESTDIR)$(PREFIX)/bin/perf0
	install -m 644 $(B)/portable/vpmu-events.so $(DESTDIR)$(PREFIX)/lib/perf0
	for library in $(PORTABLE_LIBS); do \
		file=$$($(CC) -print-file-name=$$library) && \
		install -m 644 $$file $(DESTDIR)$(PREFIX)/lib/perf0/$$(objdump -p $$file | sed -n 's/^ *SONAME *//p') || exit 1; \
	done

# The tool links these objects to the code that it measures. They make programs for Linux without a library, so the
# compiler may call no memset() and no memcpy().
HARNESS_CFLAGS := $(CSTD) $(WARN) -I. -ffreestanding -fno-pie -mgeneral-regs-only -fno-stack-protector \
	-fcf-protection=none -fno-asynchronous-unwind-tables -fno-tree-loop-distribute-patterns \
	-mmemset-strategy=rep_byte:-1:noalign -mmemcpy-strategy=rep_byte:-1:noalign
$(B)/harness/%.o: %.c
	@mkdir -p $(@D)
	$(CC) $(HARNESS_CFLAGS) -c $< -o $@
BENCH_C := $(addprefix bench/,complain.c emit.c bench_measure.c bench_trace_run.c)
$(B)/bench-harness.o: $(call obj,harness,bench/harness.c bench/sibling.c $(BENCH_C))
	ld -r $^ -o $@
$(B)/bench-pieces.o: $(call obj,harness,bench/many_pieces.c $(BENCH_C))
	ld -r $^ -o $@
# For programs with functions that are to be measured.
$(B)/libperf0bench.a: $(call obj,harness,bench/main.c bench/bench_functions.c $(BENCH_C))
	ar rcs $@ $^

# The program that `perf0 latency --set memory` measures.
KERNEL_CFLAGS := $(filter-out -mgeneral-regs-only,$(HARNESS_CFLAGS)) -O2 -fno-ipa-icf
$(B)/latency-memory: bench/kernels/memory_kernels.c $(B)/libperf0bench.a
	@mkdir -p $(@D)
	$(CC) $(KERNEL_CFLAGS) -static -nostdlib -Wl,-z,noexecstack -Wl,--build-id=none $^ -o $@

# The plugin of QEMU, which counts for vpmu. QEMU resolves the functions that it calls when it loads the plugin.
PLUGIN_CFLAGS := $(CSTD) $(WARN) -I. -D_GNU_SOURCE -fPIC -fvisibility=hidden -O3 -flto=auto -fomit-frame-pointer -fno-tree-vectorize
$(B)/plugin/%.o: %.c
	@mkdir -p $(@D)
	$(CC) $(PLUGIN_CFLAGS) -c $< -o $@
$(B)/vpmu-events.so: $(call obj,plugin,$(PLUGIN_C))
	+$(CC) -shared -O3 -flto=auto $(ANYWHERE) $^ -lZydis -o $@

# The costs of the scheduler and of the ring on the host, and of the assignment alone. The image's own costs are a
# command of the image.
$(B)/assign-masks: $(call obj,host,tests/bench/assign_masks.c $(SCHED_C) $(HOSTED_LIB_C))
	$(CC) $^ -o $@
# Other rings run beside ours where their headers are: RINGS=/usr has those of libdpdk-dev and libck-dev.
RINGS := /usr
OTHER_RINGS := $(if $(wildcard $(RINGS)/include/dpdk/rte_ring.h),bench_rte) $(if $(wildcard $(RINGS)/include/ck_ring.h),bench_ck)
$(B)/host/tests/bench/bench_rte.o: HOST_CFLAGS := -std=gnu17 -O2 -I. -D_GNU_SOURCE -include rte_config.h -march=corei7 $(addprefix -I$(RINGS)/include/,dpdk x86_64-linux-gnu/dpdk x86_64-linux-gnu)
$(B)/host/tests/bench/bench_ck.o: HOST_CFLAGS := -std=gnu17 -O2 -I. -D_GNU_SOURCE -I$(RINGS)/include
$(B)/growth: $(call obj,host,tests/bench/growth.c lib/format/pack.c lib/format/crc32c.c rb/rb.c $(SCHED_C) $(HOSTED_LIB_C))
	$(CC) $(sort $^) -o $@
$(B)/bench: $(call obj,host,tests/bench/bench_host.c tests/bench/bench_ring.c $(OTHER_RINGS:%=tests/bench/%.c) rb/rb.c $(SCHED_C) $(HOSTED_LIB_C))
	$(CC) $^ -lpthread -o $@
# A program that is measured.
$(B)/sparse: tests/bench/sparse.c
	$(CC) $(CSTD) $(WARN) -static $< -o $@
bench:
	@scripts/setup bench
	@$(BUILD) all $(B)/bench $(B)/bench-micro $(B)/sparse
	@scripts/bench

# Long runs of the ring: plain, with signals for NMIs, and under a race detector, which delays signals.
STRESS_C := tests/stress/ring.c rb/rb.c lib/panic.c lib/printf.c
$(B)/stress-ring: $(call obj,host,$(STRESS_C))
	$(CC) $^ -lpthread -o $@
$(B)/stress-step: $(call obj,host,tests/stress/step_stress.c rb/rb.c lib/panic.c lib/printf.c)
	$(CC) $^ -o $@
$(B)/tsan/%.o: %.c
	@mkdir -p $(@D)
	$(CC) $(HOST_CFLAGS) -fsanitize=thread -c $< -o $@
$(B)/stress-tsan: $(call obj,tsan,$(STRESS_C))
	$(CC) -fsanitize=thread $^ -lpthread -o $@

# Runs of the model of a core: its cost, and a comparison with the caches of another program.
MICRO_C := $(call files,vpmu/micro,c) vpmu/model/geometry.c
$(B)/bench-micro: $(call obj,host,tests/bench/micro.c $(MICRO_C))
	$(CC) $^ -o $@
$(B)/model-tables: $(call obj,host,tests/docs/model_tables.c $(MICRO_C))
	$(CC) $^ -o $@
$(B)/replay: $(call obj,host,tests/stress/replay.c $(MICRO_C))
	$(CC) $^ -o $@

# How far the model of a core is from silicon: tests/accuracy/README.md.
$(B)/silicon: tests/accuracy/silicon.c
	@mkdir -p $(@D)
	$(CC) $(CSTD) $(WARN) $< -o $@
$(B)/accuracy-model: $(call obj,host,tests/accuracy/predict.c $(CORE_C))
	$(CC) $^ -lZydis -o $@
$(B)/form-rows: $(call obj,host,tests/accuracy/form_rows.c $(CORES_C))
	$(CC) $^ -lZydis -o $@
accuracy:
	@scripts/setup accuracy
	@$(BUILD) $(B)/silicon $(B)/accuracy-model
	@tests/accuracy/compare --peers --model $(B)/accuracy-model

# The share of programs' instructions that the tables of the cores know.
$(B)/core-coverage: $(call obj,host,tests/bench/core_coverage.c $(CORES_C))
	$(CC) $^ -lelf -lZydis -o $@

# The event core on several CPUs, plain and under the race detector.
SMP_C := tests/stress/smp_stress.c tests/stress/smp_stress_slots.c $(PORTABLE_C) $(wildcard tests/shim/*.c)
$(B)/stress-smp: $(call obj,host,$(SMP_C))
	$(CC) $^ -lpthread -o $@
$(B)/stress-smp-tsan: $(call obj,tsan,$(SMP_C))
	$(CC) -fsanitize=thread $^ -lpthread -o $@

# A study of how good shares and error bars are: docs/STUDY.md. `make study LOADS=100` is the short form.
LOADS := 1000
study:
	@scripts/setup test
	@$(BUILD) all $(B)/study-shares
	@scripts/study $(LOADS)
$(B)/study-shares: $(call obj,host,$(wildcard tests/study/*.c) $(HOSTED_LIB_C) $(call files,pmu/sched pmu/uarch,c))
	$(CC) $^ -lglpk -lm -o $@

# Tests on the host.
$(B)/san/%.o: %.c
	@mkdir -p $(@D)
	$(CC) $(SAN_CFLAGS) -c $< -o $@
$(B)/san/%.o: %.S
	@mkdir -p $(@D)
	$(CC) $(SAN_CFLAGS) -c $< -o $@
# The code under test is one shared library. A test may replace its functions: the library is linked without
# -Bsymbolic. The plugin's parts are those without QEMU.
PLUGIN_PARTS_C := $(addprefix vpmu/plugin/,arena.c insn_counts.c record_ring.c replay_vcpu.c run_time.c time_records.c)
TESTED_O := $(call obj,san,bench/emit.c $(PORTABLE_C) $(wildcard vpmu/core/*.c) $(PLUGIN_PARTS_C) $(wildcard tests/shim/*.c) $(filter-out tools/cmd/main.c,$(call files,tools,c)))
TESTED := $(B)/san/libperf0-test.so
$(TESTED): $(TESTED_O)
	$(CC) -shared -Wl,-soname,$(@F) -Wl,-z,defs -fsanitize=address,undefined $^ $(TOOL_LIBS) -lm -o $@
UNIT_LINK = $(CC) -fsanitize=address,undefined $^ -Wl,--as-needed -lcmocka $(TOOL_LIBS) -lm $(JUDGES) -Wl,-rpath,'$$ORIGIN/../../san' -o $@
$(B)/unit/%: $(B)/san/tests/unit/%.o $(B)/san/tests/unit/main.o $(TESTED)
	@mkdir -p $(@D)
	$(UNIT_LINK)
# These tests add tracepoints to the linker's table, or run from a copy elsewhere: they contain all of the code.
UNIT_WHOLE := $(addprefix $(B)/unit/,core/test_open_bits core/test_tracepoint_counts core/test_tracepoint_samples names/test_filter tools/test_session_ends tools/test_session_output)
$(UNIT_WHOLE): $(B)/unit/%: $(B)/san/tests/unit/%.o $(B)/san/tests/unit/main.o $(TESTED_O)
	@mkdir -p $(@D)
	$(UNIT_LINK)
# These tests compare with another library.
$(B)/unit/vpmu/test_decode $(B)/unit/bench/test_emit: JUDGES := -lcapstone
$(B)/unit/sched/test_fair: JUDGES := -lglpk
$(B)/unit/vpmu/test_pt_decoded: JUDGES := -lipt
# These tests stand in for QEMU to the rest of the plugin.
PLUGIN_WHOLE_C := $(addprefix vpmu/plugin/,instrument.c plugin.c profile_branches.c profile_pieces.c part_writer.c profile_calls.c profile_requests.c profile_stacks.c profile_times.c single_blocks.c step_report.c stop_at_count.c vcpu_cores.c vcpu_counts.c vcpu_registers.c)
$(B)/unit/vpmu/test_plugin $(B)/unit/vpmu/test_plugin_branches $(B)/unit/vpmu/test_plugin_levels $(B)/unit/vpmu/test_profile_requests $(B)/unit/vpmu/test_profile_stacks: $(call obj,san,$(PLUGIN_WHOLE_C))
# This test stands in for the rest of vpmu to quick exits, and to the assembler around VMRUN. PERCPU variables are a
# thread's own here.
$(B)/san/vpmu/svm/count/vmrun.o: SAN_CFLAGS += -Dvpmu_cpu=the_cpu -Dvpmu_vmcb=the_vmcb
$(B)/unit/vpmu/test_quick: $(call obj,san,vpmu/svm/count/vmrun.S vpmu/svm/count/quick_exit.c tests/unit/vpmu/quick_entry.S)
# This test stands in for the plugin to vpmu's use of the counts.
$(B)/unit/vpmu/test_program_cpuid: $(call obj,san,vpmu/svm/program_cpuid.c)
$(B)/unit/vpmu/test_events: $(call obj,san,vpmu/svm/count/plugin_page.c)
# This test copies the stacks that it runs on, and AddressSanitizer's marks would stay behind.
$(B)/san/tests/unit/record/test_rb_model.o: SAN_CFLAGS += -fno-sanitize=address,undefined
unit: $(patsubst tests/unit/%.c,$(B)/unit/%,$(UNIT_C)) $(B)/stress-ring $(B)/stress-step $(B)/stress-tsan \
	$(B)/stress-smp $(B)/stress-smp-tsan $(B)/replay $(B)/bench $(B)/growth $(B)/bench-micro $(B)/sparse $(B)/model-tables $(B)/core-coverage $(B)/study-shares $(B)/guests.efi $(B)/pmu-guest.efi $(B)/hostile.efi $(B)/field.efi

# Fuzzers, which need clang: each tests/fuzz/fuzz_*.c, with the objects of the unit tests, and the program that makes
# their first inputs. `make fuzz SECONDS=600` runs them, and the random tests for longer.
SECONDS := 600
FUZZ_CFLAGS := $(CSTD) -w -Itests/shim -I. -D_GNU_SOURCE -fsanitize=address,undefined -fno-sanitize-recover=all
$(B)/fuzz/obj/%.o: %.c
	@mkdir -p $(@D)
	clang $(FUZZ_CFLAGS) -fsanitize=fuzzer-no-link -c $< -o $@
FUZZ_DEPS := $(call obj,fuzz/obj,$(PORTABLE_C) $(wildcard vpmu/core/*.c) $(wildcard tests/shim/*.c) $(filter-out tools/cmd/main.c,$(call files,tools,c)))
$(B)/fuzz/fuzz_%: $(B)/fuzz/obj/tests/fuzz/fuzz_%.o $(FUZZ_DEPS)
	clang -fsanitize=fuzzer,address,undefined $^ $(TOOL_LIBS) -o $@
$(B)/fuzz/fuzz_page: $(call obj,fuzz/obj,$(PLUGIN_PARTS_C) $(PLUGIN_WHOLE_C))
$(B)/fuzz/seeds: $(call obj,san,tests/fuzz/seeds.c) $(TESTED)
	@mkdir -p $(@D)
	$(CC) -fsanitize=address,undefined $^ -Wl,-rpath,'$$ORIGIN/../san' -o $@
FUZZERS := $(patsubst tests/fuzz/%.c,$(B)/fuzz/%,$(wildcard tests/fuzz/fuzz_*.c))
fuzz:
	@scripts/setup fuzz
	@$(BUILD) all $(FUZZERS) $(B)/fuzz/seeds $(B)/unit/tools/test_mutate $(B)/stress-smp
	@scripts/fuzz $(SECONDS)

# Long forms of the tests of `make test`, and checks that runs repeat, warm and cold. `make soak SHARD=2/3` is the
# second of three machines.
soak:
	@scripts/setup test
	@$(BUILD) all unit
	@SHARD="$(or $(SHARD),1/1)" scripts/soak $(RUNS)

-include $(shell find $(B)/image $(B)/bz $(B)/ia32 $(B)/host $(B)/plugin $(B)/harness $(B)/san $(B)/tsan $(B)/fuzz -type f -name '*.d' 2>/dev/null)
