#define _GNU_SOURCE
#define _DARWIN_C_SOURCE
#include "CTerminal.h"
#include <fcntl.h>
#include <langinfo.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>
#include <wchar.h>

int ct_width(uint32_t scalar) { return wcwidth((wchar_t)scalar); }

bool ct_size(int fd, int *columns, int *rows) {
  struct winsize size;
  if (ioctl(fd, TIOCGWINSZ, &size) != 0 || size.ws_col == 0 || size.ws_row == 0) return false;
  *columns = size.ws_col;
  *rows = size.ws_row;
  return true;
}

bool ct_pipe(int fds[2]) {
  if (pipe(fds) != 0) return false;
  for (int i = 0; i < 2; i++) {
    fcntl(fds[i], F_SETFD, FD_CLOEXEC);
    fcntl(fds[i], F_SETFL, O_NONBLOCK);
  }
  return true;
}

static bool is_utf8(void) {
  const char *set = nl_langinfo(CODESET);
  return strcmp(set, "UTF-8") == 0 || strcmp(set, "utf8") == 0;
}

static bool names_locale(const char *variable) {
  const char *value = getenv(variable);
  return value && *value;
}

bool ct_set_locale(void) {
  /* Sets only the text encoding: other categories would open a file each, and would translate the
     system's error messages. */
  setlocale(LC_CTYPE, "");
  if (is_utf8()) return true;
  if (names_locale("LC_ALL") || names_locale("LC_CTYPE") || names_locale("LANG")) return false;
  /* No locale is set, as in containers and bare ssh sessions. Terminals use UTF-8. */
  return (setlocale(LC_CTYPE, "C.UTF-8") || setlocale(LC_CTYPE, "en_US.UTF-8")) && is_utf8();
}
