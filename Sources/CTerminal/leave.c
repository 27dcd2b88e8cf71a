#define _GNU_SOURCE
#include "CTerminal.h"

#if defined(__linux__)

#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

static const size_t stack_size = 64 << 10;
/* Longer than the program's threads need to end, shorter than anybody would notice. */
static const struct timespec moment = {.tv_nsec = 50 * 1000 * 1000};

/* Runs in memory that still is the program's: it may call the system and nothing else. */
static int outlive(void *unused) {
  (void)unused;
  for (int fd = 0; fd <= 2; fd++) close(fd);
  nanosleep(&moment, NULL);
  _exit(0);
}

void ct_leave_quickly(void) {
  char *stack = mmap(NULL, stack_size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (stack == MAP_FAILED) return;
  /* Where it cannot be, the program ends as any other does. */
  clone(outlive, stack + stack_size, CLONE_VM | SIGCHLD, NULL);
}

#else

void ct_leave_quickly(void) {}

#endif
