#define _GNU_SOURCE
#include "CFiles.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>

#if defined(__linux__)
#include <sys/syscall.h>
#include <unistd.h>

static int rename_with(const char *from, const char *to, unsigned int flags) {
#ifdef SYS_renameat2
  if (syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, flags) == 0) return 0;
  /* File systems without these flags return EINVAL, old kernels ENOSYS. */
  return errno == EINVAL || errno == ENOSYS ? ENOTSUP : errno;
#else
  return ENOTSUP;
#endif
}

int sonde_rename_exchange(const char *a, const char *b) { return rename_with(a, b, 2); }

int sonde_rename_new(const char *from, const char *to) { return rename_with(from, to, 1); }

#elif defined(__APPLE__)
int sonde_rename_exchange(const char *a, const char *b) {
  return renamex_np(a, b, RENAME_SWAP) == 0 ? 0 : errno == EINVAL ? ENOTSUP : errno;
}

int sonde_rename_new(const char *from, const char *to) {
  return renamex_np(from, to, RENAME_EXCL) == 0 ? 0 : errno == EINVAL ? ENOTSUP : errno;
}

#else
int sonde_rename_exchange(const char *a, const char *b) { return ENOTSUP; }

int sonde_rename_new(const char *from, const char *to) { return ENOTSUP; }
#endif
