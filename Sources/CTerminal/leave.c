#define _GNU_SOURCE
#include "CTerminal.h"

#if defined(__linux__)

#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static const size_t stack_size = 64 << 10;
/* Longer than the program's threads need to end, but too short to notice. */
static const struct timespec moment = {.tv_nsec = 50 * 1000 * 1000};

/* Shares the program's memory and thread-local storage, so it makes only plain system calls: the
   library's own close and nanosleep are cancellation points of the calling thread. */
static int outlive(void *unused) {
  (void)unused;
  for (int fd = 0; fd <= 2; fd++) syscall(SYS_close, fd);
  syscall(SYS_nanosleep, &moment, NULL);
  syscall(SYS_exit_group, 0);
  return 0;
}

void ct_leave_quickly(void) {
  char *stack = mmap(NULL, stack_size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (stack == MAP_FAILED) return;
  /* If it fails, the program exits as usual. */
  clone(outlive, stack + stack_size, CLONE_VM | SIGCHLD, NULL);
}

#else

void ct_leave_quickly(void) {}

#endif
