/* src/core/tasks.c - the one place that knows OpenMP.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <math.h>
#include <omp.h>
#include "alone.h"
#include "core.h"

int tyi_tasks_threads(int asked)
{
    return asked > 0 ? asked : omp_get_num_procs();
}

void tyi_tasks_alone(void)
{
    omp_set_max_active_levels(0);
}

void tyi_tasks_for(int threads, size_t n, tyi_job job, void *user)
{
    threads = tyi_tasks_threads(threads);
    if (threads == 1 || n < 2) {
        for (size_t i = 0; i < n; i++) {
            job(user, i, 0);
        }
        return;
    }
#pragma omp parallel for schedule(dynamic, 1) num_threads(threads)
    for (size_t i = 0; i < n; i++) {
        job(user, i, omp_get_thread_num());
    }
}

double tyi_sum(const double *values, size_t n)
{
    double sum = 0.0, lost = 0.0; /* Neumaier: keeps the part that rounding drops */
    for (size_t i = 0; i < n; i++) {
        double next = sum + values[i];
        lost += fabs(sum) >= fabs(values[i]) ? (sum - next) + values[i] : (values[i] - next) + sum;
        sum = next;
    }
    return sum + lost;
}

uint64_t tyi_hash(const void *data, size_t bytes, uint64_t start)
{
    const unsigned char *p = data;
    for (size_t i = 0; i < bytes; i++) {
        start = (start ^ p[i]) * 0x100000001b3ull;
    }
    return start;
}
