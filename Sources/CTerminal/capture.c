#define _GNU_SOURCE
#define _DARWIN_C_SOURCE
#include "capture.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

enum {
  chunk_size = 64 << 10,
  /* A program may end while its children keep the pipes open. */
  patience = 50, /* milliseconds */
  max_rounds_after_end = 4
};

static bool have_same_name(const char *a, const char *b) {
  size_t length = strcspn(a, "=");
  return length == strcspn(b, "=") && strncmp(a, b, length) == 0;
}

char **environment_with(char *const variables[]) {
  size_t own = 0, inherited = 0, count = 0;
  while (variables && variables[own]) own++;
  while (environ[inherited]) inherited++;
  char **all = calloc(own + inherited + 1, sizeof *all);
  if (!all) return NULL;
  for (size_t i = 0; i < own; i++) all[count++] = variables[i];
  for (size_t i = 0; i < inherited; i++) {
    bool is_replaced = false;
    for (size_t k = 0; k < own && !is_replaced; k++) {
      is_replaced = have_same_name(environ[i], variables[k]);
    }
    if (!is_replaced) all[count++] = environ[i];
  }
  return all;
}

static void close_end(int *end) {
  if (*end >= 0) close(*end);
  *end = -1;
}

bool open_pipes(struct capture_pipes *pipes) {
  if (pipe(pipes->output) != 0) return false;
  if (pipe(pipes->errors) != 0) {
    int failure = errno;
    close_end(&pipes->output[0]);
    close_end(&pipes->output[1]);
    errno = failure;
    return false;
  }
  for (int i = 0; i < 2; i++) {
    fcntl(pipes->output[i], F_SETFD, FD_CLOEXEC);
    fcntl(pipes->errors[i], F_SETFD, FD_CLOEXEC);
  }
  return true;
}

/* Keeps the beginning. A full buffer closes the pipe, so that the program gets SIGPIPE. */
static void read_output(int *end, struct ct_captured *captured) {
  size_t room = captured->output_room - captured->output_length;
  char extra;
  ssize_t got = room > 0 ? read(*end, captured->output + captured->output_length, room)
                         : read(*end, &extra, 1);
  if (got < 0 && errno == EINTR) return;
  if (got > 0 && room > 0) {
    captured->output_length += (size_t)got;
    return;
  }
  captured->is_output_cut = got > 0;
  close_end(end);
}

/* Keeps the last bytes. */
static void read_errors(int *end, struct ct_captured *captured) {
  static char chunk[chunk_size];
  ssize_t got = read(*end, chunk, sizeof chunk);
  if (got < 0 && errno == EINTR) return;
  if (got <= 0) return close_end(end);
  size_t kept = captured->errors_room < (size_t)got ? captured->errors_room : (size_t)got;
  size_t old = captured->errors_length;
  if (old > captured->errors_room - kept) {
    size_t dropped = old - (captured->errors_room - kept);
    old -= dropped;
    memmove(captured->errors, captured->errors + dropped, old);
  }
  memcpy(captured->errors + old, chunk + got - kept, kept);
  captured->errors_length = old + kept;
}

void read_pipes(struct capture_pipes *pipes, pid_t child, struct ct_captured *captured) {
  close_end(&pipes->output[1]);
  close_end(&pipes->errors[1]);
  int rounds = 0;
  while (child > 0 && (pipes->output[0] >= 0 || pipes->errors[0] >= 0)) {
    /* What a program writes before it ends is read after this. */
    siginfo_t end = {0};
    int failure = waitid(P_PID, (id_t)child, &end, WEXITED | WNOHANG | WNOWAIT);
    bool has_ended = (failure != 0 && errno != EINTR) || end.si_pid == child;
    if (has_ended && rounds++ == max_rounds_after_end) break;
    struct pollfd ends[2] = {
      {.fd = pipes->output[0], .events = POLLIN}, {.fd = pipes->errors[0], .events = POLLIN}};
    int ready = poll(ends, 2, has_ended ? 0 : patience);
    if (ready == 0 && has_ended) break;
    if (ready <= 0) continue;
    if (ends[0].revents) read_output(&pipes->output[0], captured);
    if (ends[1].revents) read_errors(&pipes->errors[0], captured);
  }
  close_end(&pipes->output[0]);
  close_end(&pipes->errors[0]);
}
