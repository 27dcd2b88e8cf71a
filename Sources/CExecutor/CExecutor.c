#include "CExecutor.h"

// Why not the executor that comes with Swift: see executor_install in CExecutor.h. The price is that the
// layout of a job below is the runtime's own affair. Built with SONDE_STANDARD_EXECUTOR=1 in the
// environment, the package takes Swift's executor instead.
#if defined(__linux__) && !defined(SONDE_STANDARD_EXECUTOR)

#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

// What the Swift runtime offers to those who bring their own threads: a hook that is called with each
// job that has no executor of its own, and the call that runs such a job.
typedef struct Job Job;
typedef struct {
  void *identity;
  uintptr_t implementation;
} SerialExecutor;

#define SWIFT_CALL __attribute__((swiftcall))
typedef SWIFT_CALL void (*EnqueueOriginal)(Job *);
extern SWIFT_CALL void (*swift_task_enqueueGlobal_hook)(Job *, EnqueueOriginal);
extern SWIFT_CALL void swift_job_run(Job *, SerialExecutor);

// The first words of a job, as the runtime lays it out: an object's header, then two words for whoever
// schedules it. The first of these links the jobs that wait.
struct Job {
  void *header[2];
  Job *next;
  void *reserved;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t filled = PTHREAD_COND_INITIALIZER;
static Job *first, *last;
// A thread is idle until it runs again, also when a job that waits is as good as its own.
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

// Without a single thread no job would ever be run, and the program would wait for it without a word.
static void give_up(void) {
  static const char words[] =
      "sonde: The system starts no thread. Raise its limits (ulimit -u, ulimit -v) or end other programs.\n";
  // There is no one else to tell when standard error is closed.
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
  limit = cores < 2 ? 2 : cores > 64 ? 64 : cores;
  swift_task_enqueueGlobal_hook = enqueue;
}

#else

void executor_install(void) {}

#endif
