// SPDX-License-Identifier: BSD-2-Clause
/* openmp.c - a sum by four threads. */
#include <omp.h>
#include <stdio.h>

int main(void)
{
	long sum = 0;
	int threads = 0;

#pragma omp parallel num_threads(4) reduction(+ : sum, threads)
	{
		threads++;
#pragma omp for
		for (long i = 0; i < 100000; i++)
			sum += i;
	}
	printf("%ld by %d threads\n", sum, threads);
	return 0;
}
