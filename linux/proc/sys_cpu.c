// SPDX-License-Identifier: BSD-2-Clause
/* sys_cpu.c - /sys/devices/system/cpu and /proc/cpuinfo. id[0] is the CPU, id[1] its cache. */
#include "linux/proc/proc_parts.h"

#include "arch/x86/dev/tsc.h"
#include "arch/x86/smp/smp.h"
#include "rt/base/machine.h"

/* --- Facts --- */

/* Each CPU reports its own caches, since those of a hybrid differ. They are read once. */
struct known_caches {
	bool known;
	struct cpu_caches caches;
};
BY_CPU_STATIC(struct known_caches, all_caches);

static void read_caches(void *caches)
{
	cpu_caches_read(caches, machine_caps()->threads_per_core);
}

static const struct cpu_caches *caches_of(uint64_t cpu)
{
	struct known_caches *k = &all_caches[cpu];
	struct cpu_caches caches = {0};

	if (!__atomic_load_n(&k->known, __ATOMIC_ACQUIRE) &&
	    !smp_call((unsigned)cpu, read_caches, &caches)) {
		k->caches = caches;
		__atomic_store_n(&k->known, true, __ATOMIC_RELEASE);
	}
	return &k->caches;
}

static const struct cpu_cache *cache_of(const uint64_t *id)
{
	return &caches_of(id[0])->cache[id[1]];
}

static const struct cpu_place *topology_of(uint64_t cpu)
{
	return &smp_online((unsigned)cpu)->place;
}

/* --- CPUs that share something --- */

typedef bool together_fn(const uint64_t *id, unsigned other);

static bool is_any(const uint64_t *id, unsigned other)
{
	(void)id;
	(void)other;
	return true;
}

static bool is_of_core(const uint64_t *id, unsigned other)
{
	return cpu_siblings(topology_of(id[0]), topology_of(other));
}

static bool is_of_package(const uint64_t *id, unsigned other)
{
	return topology_of(id[0])->package == topology_of(other)->package;
}

static bool shares_cache(const uint64_t *id, unsigned other)
{
	const unsigned shift = cache_of(id)->shift;

	return topology_of(id[0])->apic_id >> shift == topology_of(other)->apic_id >> shift;
}

static struct cpumask cpus_that(together_fn *fn, const uint64_t *id)
{
	struct cpumask cpus = {0};

	for (unsigned cpu = 0; cpu < smp_ncpus(); cpu++)
		if (fn(id, cpu))
			cpumask_add(&cpus, cpu);
	return cpus;
}

struct cpumask sys_cpu_all(void)
{
	return cpus_that(is_any, NULL);
}

static int put_list(together_fn *fn, const uint64_t *id, struct text *text)
{
	const struct cpumask cpus = cpus_that(fn, id);

	cpu_text_list(text, &cpus);
	text_print(text, "\n");
	return 0;
}

static int put_mask(together_fn *fn, const uint64_t *id, struct text *text)
{
	const struct cpumask cpus = cpus_that(fn, id);

	cpu_text_mask(text, &cpus, smp_ncpus());
	text_print(text, "\n");
	return 0;
}

#define LIST(name, fn)                                                 \
	static int write_##name(const uint64_t *id, struct text *text) \
	{                                                              \
		return put_list(fn, id, text);                         \
	}
#define MASK(name, fn)                                                 \
	static int write_##name(const uint64_t *id, struct text *text) \
	{                                                              \
		return put_mask(fn, id, text);                         \
	}
LIST(cpu_list, is_any)
LIST(core_list, is_of_package)
MASK(core_map, is_of_package)
LIST(thread_list, is_of_core)
MASK(thread_map, is_of_core)
LIST(shared_list, shares_cache)
MASK(shared_map, shares_cache)
#undef LIST
#undef MASK

/* --- Numbers --- */

static bool has_threads(void)
{
	bool any = false;

	for (uint64_t cpu = 0; cpu < smp_ncpus(); cpu++) {
		const struct cpumask cpus = cpus_that(is_of_core, &cpu);

		any |= cpumask_count(&cpus) > 1;
	}
	return any;
}

#define NUMBER(name, value)                                            \
	static int write_##name(const uint64_t *id, struct text *text) \
	{                                                              \
		(void)id;                                              \
		text_print(text, "%u\n", (unsigned)(value));           \
		return 0;                                              \
	}
NUMBER(kernel_max, SMP_MAX_CPUS - 1)
NUMBER(online, 1)
NUMBER(threads, has_threads())
NUMBER(core_id, topology_of(id[0])->core)
NUMBER(die_id, 0)
NUMBER(package_id, topology_of(id[0])->package)
NUMBER(cache_id, topology_of(id[0])->apic_id >> cache_of(id)->shift)
NUMBER(cache_level, cache_of(id)->level)
NUMBER(cache_line, cache_of(id)->line)
NUMBER(cache_sets, cache_of(id)->sets)
NUMBER(cache_ways, cache_of(id)->ways)
NUMBER(frequency_max, machine_caps()->max_mhz * 1000u)
NUMBER(frequency_now, tsc_khz())
#undef NUMBER

static int write_smt(const uint64_t *id, struct text *text)
{
	(void)id;
	text_print(text, "%s\n", has_threads() ? "on" : "notsupported");
	return 0;
}

static int write_cache_size(const uint64_t *id, struct text *text)
{
	text_print(text, "%uK\n", cache_of(id)->size);
	return 0;
}

static int write_cache_type(const uint64_t *id, struct text *text)
{
	text_print(text, "%s\n", cpu_cache_kind(cache_of(id)));
	return 0;
}

/* --- Lists --- */

static bool next_online_cpu(const uint64_t *id, uint64_t *at)
{
	(void)id;
	return *at < smp_ncpus();
}

static bool next_cache(const uint64_t *id, uint64_t *at)
{
	return *at < caches_of(id[0])->n;
}

static bool knows_frequency(const uint64_t *id)
{
	(void)id;
	return machine_caps()->max_mhz != 0;
}

/* --- /proc/cpuinfo --- */

/* Counts the cores of the CPU's package by the first CPU of each. */
static unsigned cores_of(uint64_t cpu)
{
	unsigned n = 0;

	for (uint64_t other = 0; other < smp_ncpus(); other++) {
		const struct cpumask core = cpus_that(is_of_core, &other);

		n += is_of_package(&cpu, (unsigned)other) && cpumask_next(&core, 0) == other;
	}
	return n;
}

static void write_cpu_block(struct text *text, unsigned cpu)
{
	const uint64_t id = cpu;
	const struct cpumask siblings = cpus_that(is_of_package, &id);

	cpu_text_block(text, &(struct cpu_block){
				     .cpu = cpu,
				     .caps = machine_caps(),
				     .place = topology_of(cpu),
				     .caches = caches_of(cpu),
				     .siblings = cpumask_count(&siblings),
				     .cores = cores_of(cpu),
				     .khz = tsc_khz(),
			     });
}

static int write_cpuinfo(const uint64_t *id, struct text *text)
{
	(void)id;
	for (unsigned cpu = 0; cpu < smp_ncpus(); cpu++)
		write_cpu_block(text, cpu);
	return 0;
}

void sys_cpu_init(void)
{
	synth_domains.cpu.next = next_online_cpu;
	synth_domains.cache.next = next_cache;
	synth_writers.proc_cpuinfo.write = write_cpuinfo;
	synth_writers.cpu_kernel_max.write = write_kernel_max;
	synth_writers.cpu_list.write = write_cpu_list;
	synth_writers.cpu_online.write = write_online;
	synth_writers.cpu_threads.write = write_threads;
	synth_writers.cpu_smt.write = write_smt;
	synth_writers.cache_id.write = write_cache_id;
	synth_writers.cache_level.write = write_cache_level;
	synth_writers.cache_line.write = write_cache_line;
	synth_writers.cache_sets.write = write_cache_sets;
	synth_writers.cache_shared_list.write = write_shared_list;
	synth_writers.cache_shared_map.write = write_shared_map;
	synth_writers.cache_size.write = write_cache_size;
	synth_writers.cache_type.write = write_cache_type;
	synth_writers.cache_ways.write = write_cache_ways;
	synth_writers.topology_core_id.write = write_core_id;
	synth_writers.topology_core_list.write = write_core_list;
	synth_writers.topology_core_map.write = write_core_map;
	synth_writers.topology_die_id.write = write_die_id;
	synth_writers.topology_package_id.write = write_package_id;
	synth_writers.topology_package_list.write = write_core_list;
	synth_writers.topology_thread_list.write = write_thread_list;
	synth_writers.topology_thread_map.write = write_thread_map;
	synth_writers.frequency_max =
		(struct synth_writer){.write = write_frequency_max, .there = knows_frequency};
	synth_writers.frequency_now =
		(struct synth_writer){.write = write_frequency_now, .there = knows_frequency};
}
