/* SPDX-FileCopyrightText: The Slipway authors
   SPDX-License-Identifier: GPL-3.0-or-later */
/* The sum of 1/n^2 is pi^2/6. */
#include <math.h>
#include <stdio.h>

int main(void)
{
    double sum = 0;
    for (int n = 1; n < 1000000; ++n)
        sum += 1.0 / ((double)n * n);
    printf("%.4f\n", sqrt(6 * sum));
    return 0;
}
