/* src/fleet/ranks.h - MPI when it is up: ranks.c (sweeps) and world.c (one world) share it.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYI_FLEET_RANKS_H
#define TYI_FLEET_RANKS_H
#include "mpi/door.h"

struct tyi_fleet_ranks {
    const tyi_fleet_door *door;
    void *library;
    int rank, size;
};

#endif
