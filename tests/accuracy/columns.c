// SPDX-License-Identifier: BSD-2-Clause
/*
 * columns [rows] - a row of a matrix product, down the columns of the second matrix or, with an
 * argument, along its rows. All of it was written before, so that each page is one of its own.
 */
#include <stdio.h>

#define N 768

static double a[N], b[N][N], c[N];

static void fill_matrices(void)
{
	for (int i = 0; i < N; i++) {
		a[i] = i;
		for (int j = 0; j < N; j++)
			b[i][j] = i == j;
	}
}

static void multiply_by_columns(void)
{
	for (int j = 0; j < N; j++) {
		double sum = 0;

		for (int k = 0; k < N; k++)
			sum += a[k] * b[k][j];
		c[j] += sum;
	}
}

static void multiply_by_rows(void)
{
	for (int k = 0; k < N; k++)
		for (int j = 0; j < N; j++)
			c[j] += a[k] * b[k][j];
}

int main(int argc, char **argv)
{
	(void)argv;
	fill_matrices();
	for (int round = 0; round < 8; round++)
		if (argc > 1)
			multiply_by_rows();
		else
			multiply_by_columns();
	printf("%.0f\n", c[N - 1]);
	return 0;
}
