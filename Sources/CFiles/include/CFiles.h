/* Rename operations that are missing in Swift's C library. */
#ifndef SONDE_CFILES_H
#define SONDE_CFILES_H

/* Atomically exchanges two files or folders.
   Returns 0 or an errno; ENOTSUP if the system does not support it. */
int sonde_rename_exchange(const char *a, const char *b);

/* Renames a file, unless the new name exists (EEXIST).
   Returns 0 or an errno; ENOTSUP if the system does not support it. */
int sonde_rename_new(const char *from, const char *to);

#endif
