// SPDX-License-Identifier: BSD-2-Clause
/* try.c - which exception an instruction has raised. */
#include "tests/guests/try.h"

#include "tests/guests/guests.h"
#include "tests/guests/world/guest_world.h"

void try_begin(void)
{
	world_vector = TRY_NONE;
	world_error = 0;
	write_cr2(0);
}

unsigned try_vector(void)
{
	return world_vector;
}

void try_tell(const char *what)
{
	if (world_vector == TRY_NONE)
		guest_print("%s: no fault", what);
	else
		guest_print("%s: vector %u, error %llx, CR2 %llx", what, world_vector,
			    (unsigned long long)world_error, (unsigned long long)read_cr2());
}
