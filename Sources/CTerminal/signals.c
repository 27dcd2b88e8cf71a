#define _GNU_SOURCE
#define _DARWIN_C_SOURCE
#include "CTerminal.h"
#include "capture.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

enum { count = 6, seconds_until_forced = 3 };
static const int numbers[count] = {SIGWINCH, SIGTSTP, SIGCONT, SIGTERM, SIGINT, SIGHUP};
static struct sigaction before[count], alarm_before;
static volatile sig_atomic_t pipe_fd = -1, ending, is_hung_up;
/* The process id of the program for which ct_run waits; 0 if there is none. */
static volatile pid_t in_front;

void ct_end_front(int signal) {
  pid_t child = in_front;
  if (child > 0) kill(child, signal);
}

static void die_of(int signal) {
  ct_end_front(SIGHUP);
  ct_guard_restore();
  struct sigaction action = {.sa_handler = SIG_DFL};
  sigaction(signal, &action, NULL);
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, signal);
  pthread_sigmask(SIG_UNBLOCK, &set, NULL);
  raise(signal);
  _exit(128 + signal);
}

static void on_alarm(int signal) {
  (void)signal;
  if (ending) die_of(ending);
}

static void on_signal(int signal) {
  int kept = errno;
  bool asks_to_end = signal == SIGTERM || signal == SIGINT || signal == SIGHUP;
  /* A closing window may send HUP twice, so only a repeated TERM or INT forces the exit. */
  if (signal == SIGHUP) is_hung_up = 1;
  if (asks_to_end && ending && signal != SIGHUP) die_of(signal);
  if (asks_to_end && !ending) {
    ending = signal;
    alarm(seconds_until_forced);
    /* The program in the foreground restores its own modes before this program does. */
    ct_end_front(signal);
  }
  unsigned char byte = (unsigned char)signal;
  if (write(pipe_fd, &byte, 1) < 0) { /* a full pipe holds enough of them */ }
  errno = kept;
}

static void install(int signal, void (*handler)(int), struct sigaction *old) {
  struct sigaction action = {.sa_handler = handler, .sa_flags = SA_RESTART};
  sigfillset(&action.sa_mask);
  sigaction(signal, &action, old);
}

void ct_signals_note(void) {
  for (int i = 0; i < count; i++) sigaction(numbers[i], NULL, &before[i]);
}

void ct_signals_open(int fd) {
  pipe_fd = fd;
  ending = 0;
  install(SIGALRM, on_alarm, &alarm_before);
  sigset_t set;
  sigemptyset(&set);
  for (int i = 0; i < count; i++) {
    install(numbers[i], on_signal, NULL);
    /* HUP stays ignored when started with nohup. */
    if (numbers[i] == SIGHUP && before[i].sa_handler == SIG_IGN) install(SIGHUP, SIG_IGN, NULL);
    sigaddset(&set, numbers[i]);
  }
  pthread_sigmask(SIG_UNBLOCK, &set, NULL);
}

void ct_signals_close(void) {
  alarm(0);
  for (int i = 0; i < count; i++) sigaction(numbers[i], &before[i], NULL);
  /* The program is exiting and must not be killed by another HUP while it saves its state. */
  if (is_hung_up) install(SIGHUP, SIG_IGN, NULL);
  sigaction(SIGALRM, &alarm_before, NULL);
  pipe_fd = -1;
}

void ct_signals_seen(void) {
  alarm(0);
  ending = 0;
}

void ct_stop_job(void) {
  install(SIGCONT, SIG_DFL, NULL);
  install(SIGTSTP, SIG_IGN, NULL);
  kill(0, SIGTSTP);
  install(SIGTSTP, SIG_DFL, NULL);
  raise(SIGTSTP);
  install(SIGTSTP, on_signal, NULL);
  install(SIGCONT, on_signal, NULL);
}

long long ct_milliseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1000LL + now.tv_nsec / 1000000;
}

bool ct_feed(char *const arguments[], const char *bytes, size_t length, int limit) {
  int ends[2];
  if (pipe(ends) != 0) return false;
  fcntl(ends[1], F_SETFD, FD_CLOEXEC);
  fcntl(ends[1], F_SETFL, O_NONBLOCK);
  long long end = ct_milliseconds() + limit;
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[0], 0);
  posix_spawn_file_actions_addclose(&actions, ends[0]);
  posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
  pid_t child;
  int failure = posix_spawnp(&child, arguments[0], &actions, NULL, arguments, environ);
  posix_spawn_file_actions_destroy(&actions);
  close(ends[0]);
  struct sigaction pipe_before;
  install(SIGPIPE, SIG_IGN, &pipe_before);
  while (!failure && length > 0) {
    ssize_t written = write(ends[1], bytes, length);
    if (written > 0) {
      bytes += written;
      length -= (size_t)written;
      continue;
    }
    if (written < 0 && errno == EINTR) continue;
    long long left = end - ct_milliseconds();
    if (written == 0 || errno != EAGAIN || left <= 0) break;
    struct pollfd room = {.fd = ends[1], .events = POLLOUT};
    poll(&room, 1, (int)left);
  }
  close(ends[1]);
  sigaction(SIGPIPE, &pipe_before, NULL);
  if (failure) return false;
  int status = -1;
  pid_t ended;
  while ((ended = waitpid(child, &status, WNOHANG)) == 0 && ct_milliseconds() < end) poll(NULL, 0, 1);
  if (ended == 0) {
    kill(child, SIGKILL);
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {}
  }
  return length == 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static void wait_for_front(pid_t child, int *status) {
  /* The first wait keeps the child's process id in use, so that ct_end_front never signals another
     process. */
  siginfo_t end;
  while (waitid(P_PID, (id_t)child, &end, WEXITED | WNOWAIT) < 0 && errno == EINTR) {}
  in_front = 0;
  int result = 0;
  while (waitpid(child, &result, 0) < 0 && errno == EINTR) {}
  *status = WIFEXITED(result) ? WEXITSTATUS(result) : 128 + WTERMSIG(result);
}

short set_default_signals(posix_spawnattr_t *attributes) {
  sigset_t set;
  sigemptyset(&set);
  posix_spawnattr_setsigmask(attributes, &set);
  for (int i = 0; i < count; i++) sigaddset(&set, numbers[i]);
  const int more[] = {SIGQUIT, SIGPIPE, SIGALRM, SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGABRT, SIGFPE};
  for (size_t i = 0; i < sizeof more / sizeof *more; i++) sigaddset(&set, more[i]);
  posix_spawnattr_setsigdefault(attributes, &set);
  return POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF;
}

int ct_run(char *const arguments[], char *const variables[], int *status) {
  char **environment = environment_with(variables);
  if (!environment) return ENOMEM;
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, set_default_signals(&attributes));
  /* The terminal sends signals for keys to the whole job. An interrupt is meant for the
     program in the foreground only; a stop is meant for both programs. */
  struct sigaction quit;
  install(SIGINT, SIG_IGN, NULL);
  install(SIGQUIT, SIG_IGN, &quit);
  install(SIGTSTP, SIG_DFL, NULL);
  install(SIGCONT, SIG_DFL, NULL);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  if (ct_terminal_errors() >= 0) {
    posix_spawn_file_actions_adddup2(&actions, ct_terminal_errors(), 2);
  }
  pid_t child;
  int failure = posix_spawnp(&child, arguments[0], &actions, &attributes, arguments, environment);
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  if (!failure) {
    in_front = child;
    /* Forwards a signal that arrived before the child was known. */
    if (ending) ct_end_front(ending);
    wait_for_front(child, status);
  }
  free(environment);
  install(SIGINT, on_signal, NULL);
  sigaction(SIGQUIT, &quit, NULL);
  install(SIGTSTP, on_signal, NULL);
  install(SIGCONT, on_signal, NULL);
  return failure;
}
