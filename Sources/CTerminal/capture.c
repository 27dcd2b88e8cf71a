#define _GNU_SOURCE
#define _DARWIN_C_SOURCE
#include "capture.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

enum {
  chunk_size = 16 << 10,
  /* A program may end while its children keep the pipes open. */
  timeout_ms = 50, /* milliseconds */
  max_rounds_after_end = 4,
  /* How long a program may take to end by itself. */
  time_to_end = 2000 /* milliseconds */
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

/* Opens a pipe that other programs do not inherit. */
static bool open_pipe(int ends[2]) {
#ifdef __linux__
  return pipe2(ends, O_CLOEXEC) == 0;
#else
  if (pipe(ends) != 0) return false;
  for (int i = 0; i < 2; i++) fcntl(ends[i], F_SETFD, FD_CLOEXEC);
  return true;
#endif
}

int ct_start_program(
  char *const arguments[], char *const variables[], const char *input,
  struct ct_program *program) {
  char **environment = environment_with(variables);
  int output[2] = {-1, -1}, errors[2] = {-1, -1};
  int failure = environment ? 0 : ENOMEM;
  if (!failure && !(open_pipe(output) && open_pipe(errors))) failure = errno;
  if (!failure) {
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    short flags = set_default_signals(&attributes);
    /* In its own session, a program cannot read from the terminal or write to it. */
    posix_spawnattr_setflags(&attributes, flags | POSIX_SPAWN_SETSID);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 0, input, O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, output[1], 1);
    posix_spawn_file_actions_adddup2(&actions, errors[1], 2);
    failure = posix_spawnp(
      &program->process, arguments[0], &actions, &attributes, arguments, environment);
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
  }
  close_end(&output[1]);
  close_end(&errors[1]);
  if (failure) {
    close_end(&output[0]);
    close_end(&errors[0]);
  }
  program->output = output[0];
  program->errors = errors[0];
  free(environment);
  return failure;
}

/* Keeps the beginning of the output. When the buffer is full, closes the pipe, so that the program
   gets SIGPIPE. */
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

/* Keeps the last bytes of the errors. */
static void read_errors(int *end, struct ct_captured *captured) {
  char chunk[chunk_size];
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

void ct_read_program(struct ct_program program, int stop, struct ct_captured *captured) {
  int rounds = 0;
  long long kill_time = 0;
  for (;;) {
    /* What a program writes before it ends is read after this. Its process id stays in use. */
    siginfo_t end = {0};
    int failure = waitid(P_PID, (id_t)program.process, &end, WEXITED | WNOHANG | WNOWAIT);
    bool has_ended = (failure != 0 && errno != EINTR) || end.si_pid == program.process;
    if (has_ended && rounds++ == max_rounds_after_end) break;
    if (kill_time && !has_ended && ct_milliseconds() >= kill_time) kill(-program.process, SIGKILL);
    struct pollfd ends[3] = {
      {.fd = program.output, .events = POLLIN}, {.fd = program.errors, .events = POLLIN},
      {.fd = stop, .events = POLLIN}};
    int ready = poll(ends, 3, has_ended ? 0 : timeout_ms);
    if (ready == 0 && has_ended) break;
    if (ready <= 0) continue;
    if (ends[0].revents) read_output(&program.output, captured);
    if (ends[1].revents) read_errors(&program.errors, captured);
    if (ends[2].revents) {
      kill_time = ct_milliseconds() + time_to_end;
      stop = -1;
    }
  }
  close_end(&program.output);
  close_end(&program.errors);
}

void ct_stop_program(int32_t process) { kill(-process, SIGTERM); }

int ct_end_program(int32_t process) {
  int result = 0;
  while (waitpid(process, &result, 0) < 0 && errno == EINTR) {}
  return WIFEXITED(result) ? WEXITSTATUS(result) : 128 + WTERMSIG(result);
}
