#if defined(__linux__)

#define _GNU_SOURCE
#include "CExecutor.h"
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

// The signals for a thread's own faults. If they were blocked, the kernel would kill the program without
// running the handler that restores the terminal.
static const int faults[] = {SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGFPE, SIGABRT, SIGSYS};

// The stack for handling a fault after a stack overflow.
static const size_t fault_stack = 64 << 10;

typedef struct {
  void (*body)(void *);
  void *context;
} Start;

static void *run(void *handed) {
  Start start = *(Start *)handed;
  free(handed);
  void *memory = mmap(NULL, fault_stack, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory != MAP_FAILED)
    sigaltstack(&(stack_t){.ss_sp = memory, .ss_size = fault_stack}, NULL);
  start.body(start.context);
  if (memory != MAP_FAILED) {
    sigaltstack(&(stack_t){.ss_flags = SS_DISABLE}, NULL);
    munmap(memory, fault_stack);
  }
  return NULL;
}

int thread_start(void (*body)(void *), void *context, size_t stack) {
  Start *start = malloc(sizeof *start);
  if (start == NULL) return ENOMEM;
  *start = (Start){body, context};
  sigset_t others, before;
  sigfillset(&others);
  for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) sigdelset(&others, faults[i]);
  pthread_sigmask(SIG_SETMASK, &others, &before);
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  pthread_attr_setstacksize(&attributes, stack);
  pthread_t thread;
  int failure = pthread_create(&thread, &attributes, run, start);
  pthread_attr_destroy(&attributes);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  if (failure) free(start);
  return failure;
}

static void *wait_at(void *gate) {
  pthread_mutex_lock(gate);
  pthread_mutex_unlock(gate);
  return NULL;
}

int thread_available(int count) {
  pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
  pthread_t threads[count];
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, 64 << 10);
  int started = 0;
  // The threads wait at the gate, so that all of them exist at the same time.
  pthread_mutex_lock(&gate);
  while (started < count && pthread_create(&threads[started], &attributes, wait_at, &gate) == 0)
    started++;
  pthread_mutex_unlock(&gate);
  pthread_attr_destroy(&attributes);
  for (int i = 0; i < started; i++) pthread_join(threads[i], NULL);
  return started;
}

int thread_number(void) { return (int)syscall(SYS_gettid); }

// Gets the CPU cores of the main thread, which may use all of them, and returns their number.
static int process_cores(cpu_set_t *cores) {
  if (sched_getaffinity(getpid(), sizeof *cores, cores) != 0) return 1;
  return CPU_COUNT(cores);
}

int thread_cores(void) {
  cpu_set_t cores;
  return process_cores(&cores);
}

void thread_confine(int number, int is_confined) {
  cpu_set_t cores;
  if (process_cores(&cores) < 2) return;
  if (is_confined) {
    int first = 0;
    while (!CPU_ISSET(first, &cores)) first++;
    CPU_CLR(first, &cores);
  }
  sched_setaffinity(number, sizeof cores, &cores);
}

#else

#include "CExecutor.h"
#include <errno.h>
#include <unistd.h>

int thread_number(void) { return 0; }
int thread_cores(void) { return (int)sysconf(_SC_NPROCESSORS_ONLN); }
void thread_confine(int number, int is_confined) { (void)number, (void)is_confined; }

int thread_available(int count) { return count; }

int thread_start(void (*body)(void *), void *context, size_t stack) {
  (void)body, (void)context, (void)stack;
  return ENOSYS;
}

#endif
