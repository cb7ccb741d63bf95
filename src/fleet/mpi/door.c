/* src/fleet/mpi/door.c - see door.h
 * SPDX-License-Identifier: BSD-3-Clause */
#include <fcntl.h>
#include <mpi.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include "door.h"

#define MOST 1024      /* numbers of files that are looked at */
static bool own[MOST]; /* MPI's sockets */
static int nothing = -1;

static bool is_socket(int file)
{
    struct stat s;
    return !fstat(file, &s) && S_ISSOCK(s.st_mode);
}

static int open_it(int *rank, int *size)
{
    int threads;
    bool before[MOST];
    for (int i = 0; i < MOST; i++) {
        before[i] = is_socket(i);
    }
    /* messages through shared memory, not out of the sender's: it may die, and the reader with it */
    setenv("OMPI_MCA_btl_vader_single_copy_mechanism", "none", 0);
    nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
    if (MPI_Init_thread(NULL, NULL, MPI_THREAD_SINGLE, &threads) != MPI_SUCCESS) {
        return 1;
    }
    MPI_Comm_rank(MPI_COMM_WORLD, rank);
    MPI_Comm_size(MPI_COMM_WORLD, size);
    for (int i = 0; i < MOST; i++) {
        own[i] = !before[i] && is_socket(i);
    }
    return 0;
}

static void leave_it(void)
{
    for (int i = 0; i < MOST && nothing >= 0; i++) {
        if (own[i]) {
            dup2(nothing, i);
        }
    }
}

static void send_it(int to, const void *data, int bytes)
{
    MPI_Send(data, bytes, MPI_BYTE, to, 0, MPI_COMM_WORLD);
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int take_it(double seconds, void *data, int most, int *from)
{
    double end = now() + seconds;
    for (long pause = 50000;; pause = pause < 2000000 ? 2 * pause : pause) { /* [ns] */
        MPI_Status status;
        int there, bytes;
        MPI_Iprobe(MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &there, &status);
        if (there) {
            MPI_Get_count(&status, MPI_BYTE, &bytes);
            MPI_Recv(data, most, MPI_BYTE, status.MPI_SOURCE, 0, MPI_COMM_WORLD, &status);
            *from = status.MPI_SOURCE;
            return bytes;
        }
        if (now() >= end) {
            return -1;
        }
        nanosleep(&(struct timespec){ 0, pause }, NULL);
    }
}

static void *post_it(int to, const void *data, int bytes)
{
    MPI_Request *request = malloc(sizeof *request);
    if (request) {
        MPI_Isend(data, bytes, MPI_BYTE, to, 0, MPI_COMM_WORLD, request);
    }
    return request;
}

static int is_done(void *posted)
{
    int done;
    MPI_Test(posted, &done, MPI_STATUS_IGNORE);
    if (done) {
        free(posted);
    }
    return done;
}

static int next_is(int *from)
{
    MPI_Status status;
    int there, bytes;
    MPI_Iprobe(MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &there, &status);
    if (!there) {
        return -1;
    }
    MPI_Get_count(&status, MPI_BYTE, &bytes);
    *from = status.MPI_SOURCE;
    return bytes;
}

static void *get_it(int from, void *data, int bytes)
{
    MPI_Request *request = malloc(sizeof *request);
    if (request) {
        MPI_Irecv(data, bytes, MPI_BYTE, from, 0, MPI_COMM_WORLD, request);
    }
    return request;
}

static void close_it(void)
{
    MPI_Finalize();
}

extern const tyi_fleet_door tyi_fleet_mpi_door;
__attribute__((visibility("default")))
const tyi_fleet_door tyi_fleet_mpi_door = { open_it, send_it, take_it, close_it, post_it,
                                            next_is, get_it,  is_done, leave_it };
