#define _GNU_SOURCE
#define _DARWIN_C_SOURCE
#include "CTerminal.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* Handlers make only async-signal-safe calls: write, poll, fcntl, tcsetattr, lseek,
   read, sigaction, raise. */

/* The signals of crashes, and other signals that end a process by default. */
static const int numbers[] = {
  SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGABRT, SIGFPE, SIGQUIT, SIGSYS,
  SIGUSR1, SIGUSR2, SIGXCPU, SIGXFSZ, SIGVTALRM, SIGPROF,
#ifdef SIGPOLL
  SIGPOLL,
#endif
#ifdef SIGPWR
  SIGPWR,
#endif
#ifdef SIGSTKFLT
  SIGSTKFLT,
#endif
#ifdef SIGEMT
  SIGEMT,
#endif
};
enum {
  count = sizeof numbers / sizeof *numbers,
  room = 1024,
  alternate_stack_bytes = 64 * 1024,
  timeout_ms = 500 /* milliseconds */
};
static struct sigaction before[count];
static char restore_bytes[room];
static volatile sig_atomic_t restore_length, is_armed, is_installed, terminal_fd;
static struct termios restore_modes;
static volatile sig_atomic_t kept_errors = -1, terminal_errors = -1;
static int chains;
static void *stack;

/* Writes all bytes. It gives up after a timeout, so that a stalled terminal does not prevent the
   exit. */
static void write_all(int fd, const char *bytes, size_t length) {
  int flags = fcntl(fd, F_GETFL);
  fcntl(fd, F_SETFL, flags | O_NONBLOCK);
  while (length > 0) {
    ssize_t written = write(fd, bytes, length);
    if (written > 0) {
      bytes += written;
      length -= (size_t)written;
      continue;
    }
    struct pollfd writable = {.fd = fd, .events = POLLOUT};
    if (errno == EAGAIN ? poll(&writable, 1, timeout_ms) <= 0 : errno != EINTR) break;
  }
  /* The shell shares this open file description, so its flags are restored. */
  fcntl(fd, F_SETFL, flags);
}

static void show_errors(void) {
  if (kept_errors < 0) return;
  char buffer[4096];
  ssize_t got;
  lseek(kept_errors, 0, SEEK_SET);
  while ((got = read(kept_errors, buffer, sizeof buffer)) > 0)
    write_all(terminal_errors, buffer, (size_t)got);
}

void ct_guard_restore(void) {
  /* Two threads may crash at the same moment. */
  if (!__atomic_exchange_n(&is_armed, 0, __ATOMIC_ACQ_REL)) return;
  write_all(terminal_fd, restore_bytes, (size_t)restore_length);
  /* If the process is in the background, tcsetattr would stop it with SIGTTOU. */
  sigset_t set, old;
  sigemptyset(&set);
  sigaddset(&set, SIGTTOU);
  pthread_sigmask(SIG_BLOCK, &set, &old);
  tcsetattr(terminal_fd, TCSANOW, &restore_modes);
  pthread_sigmask(SIG_SETMASK, &old, NULL);
  show_errors();
}

static void on_crash(int signal, siginfo_t *info, void *context) {
  (void)context;
  ct_end_front(SIGHUP);
  ct_guard_restore();
  for (int i = 0; i < count; i++) {
    if (numbers[i] != signal) continue;
    struct sigaction action = {.sa_handler = SIG_DFL};
    sigaction(signal, chains ? &before[i] : &action, NULL);
  }
  /* A fault occurs again when the handler returns. A signal that was sent must be raised again. */
  if (info->si_code <= 0 || signal == SIGABRT || signal == SIGQUIT || signal == SIGTRAP ||
      signal == SIGXCPU || signal == SIGXFSZ || signal == SIGVTALRM || signal == SIGPROF)
    raise(signal);
}

void ct_guard_arm(int fd, const char *restore, size_t length, const struct termios *modes) {
  is_armed = 0;
  terminal_fd = fd;
  restore_modes = *modes;
  if (length > room) length = room;
  memcpy(restore_bytes, restore, length);
  restore_length = (sig_atomic_t)length;
  if (!is_installed) {
    is_installed = 1;
    chains = getenv("SWIFT_BACKTRACE") != NULL;
    /* The program may call exit while the screen is open. */
    static bool is_registered;
    if (!is_registered) is_registered = atexit(ct_guard_restore) == 0;
    if (!stack) {
      stack = mmap(NULL, alternate_stack_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANON, -1, 0);
      stack_t alternate = {.ss_sp = stack, .ss_size = alternate_stack_bytes};
      if (stack != MAP_FAILED) sigaltstack(&alternate, NULL);
    }
    struct sigaction action = {.sa_sigaction = on_crash, .sa_flags = SA_SIGINFO | SA_ONSTACK};
    sigemptyset(&action.sa_mask);
    for (int i = 0; i < count; i++) {
      sigaction(numbers[i], &action, &before[i]);
      /* Signals that were ignored stay ignored. */
      if (before[i].sa_handler == SIG_IGN) sigaction(numbers[i], &before[i], NULL);
    }
  }
  is_armed = 1;
}

void ct_guard_disarm(void) { is_armed = 0; }

void ct_guard_close(void) {
  is_armed = 0;
  if (!is_installed) return;
  is_installed = 0;
  for (int i = 0; i < count; i++) sigaction(numbers[i], &before[i], NULL);
}

void ct_capture_errors(void) {
  if (!isatty(2) || kept_errors >= 0) return;
  FILE *file = tmpfile();
  if (!file) return;
  fflush(stderr);
  /* A program that runs in the foreground gets the terminal's descriptor instead: see
     ct_terminal_errors. */
  int kept = fcntl(fileno(file), F_DUPFD_CLOEXEC, 3);
  fclose(file);
  int terminal = fcntl(2, F_DUPFD_CLOEXEC, 3);
  if (kept < 0 || terminal < 0 || dup2(kept, 2) < 0) {
    if (kept >= 0) close(kept);
    if (terminal >= 0) close(terminal);
    return;
  }
  terminal_errors = terminal;
  kept_errors = kept;
}

int ct_terminal_errors(void) { return terminal_errors; }

void ct_release_errors(void) {
  if (kept_errors < 0) return;
  fflush(stderr);
  dup2(terminal_errors, 2);
  show_errors();
  int kept = kept_errors, terminal = terminal_errors;
  kept_errors = terminal_errors = -1;
  close(kept);
  close(terminal);
}
