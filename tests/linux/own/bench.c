// SPDX-License-Identifier: BSD-2-Clause
/* bench.c - sorts numbers that are the same in each run. */
#include <stdio.h>
#include <stdlib.h>

static int compare(const void *a, const void *b)
{
	return *(const int *)a - *(const int *)b;
}

int main(int argc, char **argv)
{
	const size_t n = argc > 1 ? strtoul(argv[1], NULL, 0) : 10000;
	int *numbers = malloc(n * sizeof(*numbers));

	if (!numbers)
		return 1;
	for (size_t i = 0; i < n; i++)
		numbers[i] = rand() % 1000000;
	qsort(numbers, n, sizeof(*numbers), compare);
	printf("%zu numbers, the middle one is %d\n", n, n ? numbers[n / 2] : 0);
	free(numbers);
	return 0;
}
