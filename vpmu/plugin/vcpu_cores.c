// SPDX-License-Identifier: BSD-2-Clause
/* vcpu_cores.c - makes the caches and cores of a machine. */
#include "vpmu/plugin/vcpu_cores.h"

#include <stdlib.h>
#include <string.h>

#include "vpmu/model/geometry.h"

static struct {
	const struct geometry *geometry;
	unsigned vcpus, flags;
	/* Large cores, and small ones. */
	struct core_model model[2];
	struct core_shape shape[2];
	struct micro_shared *llc;
	struct micro_shared **modules; /* L2 caches of modules of small cores; NULL ends the list */
} cores;

void *cores_zeros(size_t bytes)
{
	void *memory = NULL;

	if (posix_memalign(&memory, 64, bytes))
		abort();
	return memset(memory, 0, bytes);
}

static struct micro_shared *new_shared(const struct geometry_cache *cache)
{
	return micro_shared_init(cores_zeros(micro_shared_bytes(cache)), cache);
}

/* The first small core: on a hybrid the second half are small. */
static unsigned first_small(void)
{
	return cores.geometry->small ? (cores.vcpus + 1) / 2 : cores.vcpus;
}

/* The L2 of the module of a core of geometry `g`, small core number `small`; the first CPU of the
 * module makes it. NULL: the core has its own L2. */
static struct micro_shared *module_of(const struct geometry *g, unsigned small)
{
	const unsigned cpus = vpmu_geometry_module(cores.vcpus);
	struct micro_shared **l2 = &cores.modules[small / cpus];

	if (g->l2.shared != GEOMETRY_MODULE)
		return NULL;
	if (small % cpus == 0)
		*l2 = new_shared(&g->l2);
	return *l2;
}

static bool find_model(struct core_model *model, const char *uarch, const struct geometry *g)
{
	if (vpmu_geometry(g->name) != g)
		return core_model_small(model);
	return core_model_near(model, uarch) || core_model_near(model, g->name);
}

/* The tables of the personality, or of the core that its geometry is of. */
static bool begin_core_model(unsigned kind, const char *uarch, const struct geometry *g)
{
	struct core_model *model = &cores.model[kind];
	struct core_shape *shape = &cores.shape[kind];

	if (!find_model(model, uarch, g))
		return false;
	*shape = *model->shape;
	shape->width = g->width;
	time_shape_lines(shape, g);
	model->shape = shape;
	return true;
}

bool cores_begin(const char *uarch, unsigned vcpus, unsigned flags)
{
	const struct geometry *g = vpmu_geometry(uarch);

	cores.modules = calloc(vcpus + 1, sizeof(struct micro_shared *));
	if (!g || !cores.modules || !begin_core_model(0, uarch, g) ||
	    (g->small && !begin_core_model(1, uarch, g->small)))
		return false;
	cores.geometry = g;
	cores.vcpus = vcpus;
	cores.flags = flags;
	cores.llc = new_shared(&g->llc);
	if (vcpus > 1)
		micro_directory_init(cores.llc, g, vcpus,
				     cores_zeros(micro_directory_bytes(g, vcpus)));
	return true;
}

struct micro *cores_add(unsigned vcpu, micro_translate_fn *translate, uint64_t *counts)
{
	const bool is_small = vcpu >= first_small();
	const struct geometry *g = is_small ? cores.geometry->small : cores.geometry;
	struct micro_shared *l2 = module_of(g, is_small ? vcpu - first_small() : vcpu);
	struct micro *m = cores_zeros(micro_bytes(g));

	return micro_init(m, g, cores.flags, l2, cores.llc, translate, counts) ? m : NULL;
}

bool cores_add_time(unsigned vcpu, struct run_time *time, uint64_t *counts)
{
	const bool is_small = vcpu >= first_small();

	return time_begin(time, &cores.model[is_small],
			  is_small ? cores.geometry->small : cores.geometry,
			  cores.flags & MICRO_IPC1, counts);
}

const struct core_model *cores_model(void)
{
	return &cores.model[0];
}

const struct geometry *cores_geometry(void)
{
	return cores.geometry;
}

void cores_reset_shared(void)
{
	micro_shared_reset(cores.llc);
	for (unsigned i = 0; cores.modules[i]; i++)
		micro_shared_reset(cores.modules[i]);
}
