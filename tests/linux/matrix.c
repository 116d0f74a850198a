/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * matrix.c - a row of a matrix product, by the obvious loops, or, with an
 * argument, by loops that walk along the rows of both matrices.
 */
#include <stdio.h>

#define N    2048
#define ROWS 1

static double a[ROWS][N], b[N][N], c[ROWS][N];

static void multiply(void)
{
	for (int i = 0; i < ROWS; i++)
		for (int j = 0; j < N; j++) {
			double sum = 0;

			for (int k = 0; k < N; k++)
				sum += a[i][k] * b[k][j];
			c[i][j] = sum;
		}
}

static void multiply_by_rows(void)
{
	for (int i = 0; i < ROWS; i++)
		for (int k = 0; k < N; k++)
			for (int j = 0; j < N; j++)
				c[i][j] += a[i][k] * b[k][j];
}

int main(int argc, char **argv)
{
	(void)argv;
	for (int i = 0; i < N; i++) {
		b[i][i] = 1;
		for (int row = 0; row < ROWS; row++)
			a[row][i] = i;
	}
	if (argc > 1)
		multiply_by_rows();
	else
		multiply();
	printf("%.0f\n", c[ROWS - 1][N - 1]);
	return 0;
}
