/* src/fleet/ranks.c - ranks of mpirun that make the runs: rank 0 hands them out, each other one forks a process for every list, as crew.c does.
 * Rows come as files, so that all ranks must see the folder.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <dlfcn.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include "fleet.h"
#include "core/core.h"
#include "ranks.h"

#define LIST 64

/* rank 0 to another: count runs; 0: the end; -1: end the one at hand */
typedef struct order {
    long count;
    size_t list[LIST];
} order;

bool tyi_fleet_ranks_wanted(void)
{
    const char *size = getenv("OMPI_COMM_WORLD_SIZE");
    return size && atoi(size) > 1;
}

bool tyi_fleet_ranks_other(void)
{
    const char *rank = getenv("OMPI_COMM_WORLD_RANK");
    return tyi_fleet_ranks_wanted() && rank && atoi(rank) > 0;
}

ty_status tyi_fleet_ranks_open(tyi_fleet_ranks **out, int *rank, int *size, ty_diag *diag)
{
    char path[TY_PATH_MAX + 40];
    ssize_t n = readlink("/proc/self/exe", path, TY_PATH_MAX);
    tyi_fleet_ranks *r = calloc(1, sizeof *r);
    *out = NULL;
    path[n > 0 ? n : 0] = '\0';
    char *slash = strrchr(path, '/');
    for (int i = 0; r && slash && i < 2 && !r->library; i++) {
        strcpy(slash, i ? "/../lib/libtycho_mpi.so" : "/libtycho_mpi.so");
        r->library = dlopen(path, RTLD_NOW | RTLD_GLOBAL); /* OpenMPI opens parts of itself, which look for the rest */
    }
    if (r && r->library) {
        r->door = dlsym(r->library, "tyi_fleet_mpi_door");
    }
    if (!r || !r->door) {
        free(r);
        return ty_fail(
            diag, TY_ERR_FILE,
            "this Tycho was built without MPI (libopenmpi-dev), so that there are no ranks to work on: leave `mpirun` and --mpi away");
    }
    if (r->door->open(&r->rank, &r->size)) {
        free(r);
        return ty_fail(diag, TY_ERR_FILE, "MPI does not start");
    }
    if (r->size < 2) {
        r->door->close();
        free(r);
        return ty_fail(
            diag, TY_ERR_INPUT,
            "there is 1 rank, but a sweep on ranks takes one that hands out and at least one that works: mpirun -n 3 tycho sweep SPEC");
    }
    *rank = r->rank;
    *size = r->size;
    *out = r;
    return TY_OK;
}

void tyi_fleet_ranks_close(tyi_fleet_ranks *r)
{
    if (r) {
        order end = { 0 };
        for (int i = 1; i < r->size && r->rank == 0; i++) {
            r->door->send(i, &end, (int)sizeof end.count);
        }
        r->door->close();
        free(r); /* the library stays: OpenMPI does not like to go */
    }
}

/* ---- rank 0 ---- */

static bool start(tyi_fleet_crew *crew, int worker, const size_t *list, size_t count)
{
    tyi_fleet_ranks *r = crew->own;
    order o = { .count = (long)count };
    memcpy(o.list, list, count * sizeof *list);
    r->door->send(worker + 1, &o, (int)(offsetof(order, list) + count * sizeof *list));
    return true;
}

static int wait_for(tyi_fleet_crew *crew, double seconds, int *how)
{
    tyi_fleet_ranks *r = crew->own;
    int from;
    return r->door->take(seconds, how, (int)sizeof *how, &from) < 0 ? -1 : from - 1;
}

static void kill_one(tyi_fleet_crew *crew, int worker)
{
    tyi_fleet_ranks *r = crew->own;
    order o = { .count = -1 };
    r->door->send(worker + 1, &o, (int)sizeof o.count);
}

static void end(tyi_fleet_crew *crew)
{
    for (int i = 0; i < crew->workers; i++) {
        kill_one(crew, i);
    }
}

void tyi_fleet_ranks_crew(tyi_fleet_ranks *r, tyi_fleet_crew *crew, const tyi_fleet_spec *spec, const char *dir)
{
    *crew = (tyi_fleet_crew){ r->size - 1, "ranks", start, wait_for, kill_one, end, spec, dir, r };
}

/* ---- the others ---- */

bool tyi_fleet_ranks_work(tyi_fleet_ranks *r, const tyi_fleet_spec *spec, const char *dir)
{
    order o;
    int from, how;
    if (r->door->take(0.5, &o, (int)sizeof o, &from) < 0 || o.count < 0) {
        return true;
    }
    if (o.count == 0) {
        return false;
    }
    pid_t child = tyi_fleet_crew_fork(spec, dir, o.list, (size_t)o.count);
    for (how = 1 << 8; child > 0 && waitpid(child, &how, WNOHANG) == 0;) {
        order more;
        if (r->door->take(0.002, &more, (int)sizeof more, &from) >= 0) {
            kill(child, SIGKILL);
            if (more.count == 0) {
                waitpid(child, &how, 0);
                return false;
            }
        }
    }
    r->door->send(0, &how, (int)sizeof how);
    return true;
}
