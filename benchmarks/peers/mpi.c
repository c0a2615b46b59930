/* Barriers and all-reduces of MPI, as one rank of a world.
 *
 * usage: mpi BYTES WARM COUNT
 *
 * BYTES may be several sizes with commas between them: buckets that are reduced one by one.
 *
 * Rank 0 prints a line each for the barrier, unless BYTES is large, and the all-reduce:
 * what p50 US p99 US mean US
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LARGE (1 << 20)

#define MOST_BUCKETS 1000

static float *values[MOST_BUCKETS];
static int elements[MOST_BUCKETS];
static int buckets;

static void barrier(void) { MPI_Barrier(MPI_COMM_WORLD); }

static void allreduce(void) {
  for (int i = 0; i < buckets; i++)
    MPI_Allreduce(MPI_IN_PLACE, values[i], elements[i], MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
}

static int ascending(const void *a, const void *b) {
  double difference = *(const double *)a - *(const double *)b;
  return (difference > 0) - (difference < 0);
}

static void measure(const char *what, void (*call)(void), int warm, int count) {
  double *times = malloc(sizeof(double) * count), sum = 0;
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int i = 0; i < warm; i++) call();
  for (int i = 0; i < count; i++) {
    double start = MPI_Wtime();
    call();
    times[i] = (MPI_Wtime() - start) * 1e6;
    sum += times[i];
  }
  qsort(times, count, sizeof(double), ascending);
  int high = (int)((long)count * 99 / 100);
  if (rank == 0)
    printf("%s p50 %.2f p99 %.2f mean %.2f\n", what, times[count / 2],
           times[high < count ? high : count - 1], sum / count);
  fflush(stdout);
  free(times);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  if (argc != 4) {
    fprintf(stderr, "usage: mpi BYTES WARM COUNT\n");
    MPI_Abort(MPI_COMM_WORLD, 2);
  }
  int warm = atoi(argv[2]), count = atoi(argv[3]);
  long bytes = 0;
  for (char *size = strtok(argv[1], ","); size && buckets < MOST_BUCKETS; size = strtok(NULL, ",")) {
    bytes += atol(size);
    elements[buckets] = atol(size) / sizeof(float);
    values[buckets] = calloc(elements[buckets], sizeof(float));
    buckets++;
  }
  if (bytes < LARGE) measure("barrier", barrier, warm, count);
  measure("allreduce", allreduce, warm, count);
  MPI_Finalize();
  for (int i = 0; i < buckets; i++) free(values[i]);
  return 0;
}
