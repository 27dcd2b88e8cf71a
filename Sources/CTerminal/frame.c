#define _GNU_SOURCE
#include "CTerminal.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static int terminal_fd = -1, stream_fd = -1, memory_fd = -1;
static FILE *stream;
static char *bytes;
static size_t room;

#if defined(__linux__)

FILE *ct_frame_stream(FILE *terminal) {
  terminal_fd = fileno(terminal);
  if (stream) return dup3(terminal_fd, stream_fd, O_CLOEXEC) < 0 ? terminal : stream;
  memory_fd = memfd_create("frame", MFD_CLOEXEC);
  stream_fd = memory_fd < 0 ? -1 : fcntl(terminal_fd, F_DUPFD_CLOEXEC, 3);
  if (stream_fd >= 0) stream = fdopen(stream_fd, "w");
  return stream ? stream : terminal;
}

int ct_frame_begin(void) {
  if (!stream || dup3(memory_fd, stream_fd, O_CLOEXEC) < 0) return -1;
  return stream_fd;
}

/* The memory file's descriptor and the stream's share one offset, which is the end of the frame. */
long ct_frame_length(void) { return lseek(memory_fd, 0, SEEK_CUR); }

void ct_frame_rewind(long length) {
  lseek(memory_fd, length, SEEK_SET);
  while (dup3(terminal_fd, stream_fd, O_CLOEXEC) < 0 && (errno == EINTR || errno == EBUSY)) {
  }
}

/* Synchronized output (mode 2026): the terminal displays what is between the marks at once. */
static const char sync_start[] = "\33[?2026h", sync_end[] = "\33[?2026l";
enum { SYNC_MARK = sizeof sync_start - 1 };
/* A terminal reads a shorter frame in one piece, so that it needs no marks. */
enum { MIN_SYNCHRONIZED = 1000 };

void ct_frame_end(int can_synchronize) {
  off_t length = ct_frame_length();
  ct_frame_rewind(0);
  if (length <= 0) return;
  size_t mark = can_synchronize && length >= MIN_SYNCHRONIZED ? SYNC_MARK : 0;
  size_t need = (size_t)length + 2 * mark;
  if (need > room) {
    char *larger = realloc(bytes, need * 2);
    if (!larger) return;
    bytes = larger;
    room = need * 2;
  }
  memcpy(bytes, sync_start, mark);
  ssize_t count = pread(memory_fd, bytes + mark, (size_t)length, 0);
  if (count < 0) return;
  memcpy(bytes + mark + count, sync_end, mark);
  count += 2 * (ssize_t)mark;
  for (ssize_t done = 0; done < count;) {
    ssize_t written = write(terminal_fd, bytes + done, (size_t)(count - done));
    if (written > 0) done += written;
    if (written >= 0 || errno == EINTR) continue;
    if (errno != EAGAIN) return;
    /* Another process may have set O_NONBLOCK on the same terminal. */
    poll(&(struct pollfd){.fd = terminal_fd, .events = POLLOUT}, 1, -1);
  }
}

void ct_frame_close(void) {
  if (!stream) return;
  /* The descriptor is not closed: ncurses still uses it, and another file could get its number. */
  int nothing = open("/dev/null", O_WRONLY | O_CLOEXEC);
  if (nothing < 0) return;
  dup3(nothing, stream_fd, O_CLOEXEC);
  close(nothing);
}

#else

FILE *ct_frame_stream(FILE *terminal) { return terminal; }
int ct_frame_begin(void) { return -1; }
long ct_frame_length(void) { return 0; }
void ct_frame_rewind(long length) { (void)length; }
void ct_frame_end(int can_synchronize) { (void)can_synchronize; }
void ct_frame_close(void) {}

#endif
