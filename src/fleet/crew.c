/* src/fleet/crew.c - processes of this machine that make the runs: one at a time each, forked anew for every list, so that none inherits
 * anything from the run before it, and none outlives the sweep.
 * SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include "fleet.h"
#include "core/core.h"

typedef struct own {
    pid_t *child; /* of each worker; 0: free */
    sigset_t before;
} own;

int tyi_fleet_cores(void)
{
    return tyi_tasks_threads(0);
}

pid_t tyi_fleet_crew_fork(const tyi_fleet_spec *spec, const char *dir, const size_t *list, size_t count)
{
    pid_t parent = getpid(), child;
    fflush(NULL);
    child = fork();
    if (child == 0) {
        sigset_t none;
        prctl(PR_SET_PDEATHSIG, SIGKILL); /* who was killed with its master leaves nothing half done behind */
        if (getppid() != parent) {
            _exit(1);
        }
        int nothing = open("/dev/null", O_RDWR);
        for (int i = 0; i < 3; i++) {
            dup2(nothing, i);
        }
        close_range(3, ~0u, 0);
        signal(SIGINT, SIG_IGN); /* Ctrl-C is the master's to answer */
        signal(SIGTERM, SIG_DFL);
        signal(SIGHUP, SIG_DFL);
        signal(SIGXFSZ, SIG_IGN);
        sigemptyset(&none);
        sigprocmask(SIG_SETMASK, &none, NULL);
        tyi_fleet_work(spec, dir, list, count);
        _exit(0);
    }
    return child;
}

static bool start(tyi_fleet_crew *crew, int worker, const size_t *list, size_t count)
{
    own *o = crew->own;
    pid_t child = tyi_fleet_crew_fork(crew->spec, crew->dir, list, count);
    o->child[worker] = child > 0 ? child : 0;
    return child > 0;
}

static int look(tyi_fleet_crew *crew, int *how)
{
    own *o = crew->own;
    for (int i = 0; i < crew->workers; i++) {
        if (o->child[i] && waitpid(o->child[i], how, WNOHANG) == o->child[i]) {
            o->child[i] = 0;
            return i;
        }
    }
    return -1;
}

/* asleep until a child ends: SIGCHLD is blocked, so none is missed between looking and sleeping */
static int wait_for(tyi_fleet_crew *crew, double seconds, int *how)
{
    sigset_t child;
    struct timespec limit = { (time_t)seconds, (long)(1e9 * (seconds - (double)(time_t)seconds)) };
    int worker = look(crew, how);
    if (worker < 0) {
        sigemptyset(&child);
        sigaddset(&child, SIGCHLD);
        sigtimedwait(&child, NULL, &limit);
        worker = look(crew, how);
    }
    return worker;
}

static void kill_one(tyi_fleet_crew *crew, int worker)
{
    own *o = crew->own;
    if (o->child[worker]) {
        kill(o->child[worker], SIGKILL);
    }
}

static void end(tyi_fleet_crew *crew)
{
    own *o = crew->own;
    for (int i = 0; i < crew->workers; i++) {
        kill_one(crew, i);
    }
    for (int i = 0; i < crew->workers; i++) {
        if (o->child[i]) {
            waitpid(o->child[i], NULL, 0);
        }
    }
    sigprocmask(SIG_SETMASK, &o->before, NULL);
    free(o->child);
    free(o);
}

ty_status tyi_fleet_crew_local(tyi_fleet_crew *crew, const tyi_fleet_spec *spec, const char *dir, int workers,
                               ty_diag *diag)
{
    sigset_t child;
    own *o = calloc(1, sizeof *o);
    pid_t *list = calloc((size_t)workers, sizeof *list);
    if (!o || !list) {
        free(o);
        free(list);
        return ty_fail(diag, TY_ERR_MEMORY, "sweep: out of memory for %d workers", workers);
    }
    o->child = list;
    *crew = (tyi_fleet_crew){ workers, "processes", start, wait_for, kill_one, end, spec, dir, o };
    sigemptyset(&child);
    sigaddset(&child, SIGCHLD);
    sigprocmask(SIG_BLOCK, &child, &o->before);
    return TY_OK;
}
