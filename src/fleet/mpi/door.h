/* src/fleet/mpi/door.h - what sweeps and worlds over ranks ask of MPI. MPI itself is seen by door.c alone, which is a library of its own (libtycho_mpi.so beside the
 * program), opened when something runs on ranks: the program does without it.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TYI_FLEET_MPI_DOOR_H
#define TYI_FLEET_MPI_DOOR_H
#include <stddef.h>

typedef struct tyi_fleet_door {
    int (*open)(int *rank, int *size); /* 0: MPI is up */
    void (*send)(int to, const void *data, int bytes);
    /* Takes the next message, if one comes within `seconds`: its bytes, and who sent it; -1: none came. Sleeps meanwhile: MPI's own waiting
     * would keep a core busy. */
    int (*take)(double seconds, void *data, int most, int *from);
    void (*close)(void);
    /* The same without waiting, as one of both may die meanwhile: a message sets off; bytes of the next one that is announced, or -1, and whose it is; that one
     * is let in. Data stay until done() says, once, that all of it is there. */
    void *(*post)(int to, const void *data, int bytes); /* NULL: no memory */
    int (*next)(int *from);
    void *(*get)(int from, void *data, int bytes);
    int (*done)(void *posted);
    /* MPI's own sockets become nothing, so that it does not notice that its daemon goes, on which it would end this process; nothing of MPI may be
     * used after it. For signal handlers, too. */
    void (*leave)(void);
} tyi_fleet_door;

#endif
