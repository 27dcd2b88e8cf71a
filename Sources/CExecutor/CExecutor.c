#include "CExecutor.h"

// See executor_install in CExecutor.h for why Swift's own executor is not used. The disadvantage is
// that the layout of a job below is private to the runtime. Set SONDE_STANDARD_EXECUTOR=1 in the
// environment of the build to use Swift's executor.
#if defined(__linux__) && !defined(SONDE_STANDARD_EXECUTOR)

#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

// The Swift runtime's interface for custom executors: a hook for each job without its own executor, and
// the call that runs such a job.
typedef struct Job Job;
typedef struct {
  void *identity;
  uintptr_t implementation;
} SerialExecutor;

#define SWIFT_CALL __attribute__((swiftcall))
typedef SWIFT_CALL void (*EnqueueOriginal)(Job *);
extern SWIFT_CALL void (*swift_task_enqueueGlobal_hook)(Job *, EnqueueOriginal);
extern SWIFT_CALL void swift_job_run(Job *, SerialExecutor);

// The first words of a job in the runtime's layout: an object header, then two words for the scheduler,
// the first of which links waiting jobs.
struct Job {
  void *header[2];
  Job *next;
  void *reserved;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t filled = PTHREAD_COND_INITIALIZER;
static Job *first, *last;
// A thread counts as idle until it runs again, even if a waiting job will be its next.
static long waiting, idle, started, limit;

static void work(void *unused) {
  (void)unused;
  pthread_mutex_lock(&lock);
  for (;;) {
    while (first == NULL) {
      idle++;
      pthread_cond_wait(&filled, &lock);
      idle--;
    }
    Job *job = first;
    first = job->next;
    if (first == NULL) last = NULL;
    waiting--;
    pthread_mutex_unlock(&lock);
    swift_job_run(job, (SerialExecutor){NULL, 0});
    pthread_mutex_lock(&lock);
  }
}

// Without any thread no job would ever run, and the program would hang silently.
static void give_up(void) {
  static const char words[] =
      "sonde: Cannot start a thread. Raise the limits (ulimit -u, ulimit -v) or end other programs.\n";
  // If standard error is closed, the message is lost.
  if (write(STDERR_FILENO, words, strlen(words)) < 0) {}
  _exit(3);
}

static SWIFT_CALL void enqueue(Job *job, EnqueueOriginal original) {
  (void)original;
  pthread_mutex_lock(&lock);
  job->next = NULL;
  if (last == NULL) first = job; else last->next = job;
  last = job;
  waiting++;
  if (waiting <= idle) pthread_cond_signal(&filled);
  else if (started < limit && thread_start(work, NULL, 4 << 20) == 0) started++;
  else if (started == 0) give_up();
  pthread_mutex_unlock(&lock);
}

void executor_install(void) {
  long cores = sysconf(_SC_NPROCESSORS_ONLN);
  // There is one more thread than cores, because one thread may wait for the disk (fsync) while a
  // store writes. A thread that waits needs no core.
  limit = cores < 1 ? 2 : cores > 63 ? 64 : cores + 1;
  swift_task_enqueueGlobal_hook = enqueue;
}

#else

void executor_install(void) {}

#endif
