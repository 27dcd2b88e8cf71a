/* Renaming as the system can do it and Swift's view of the C library does not show. */
#ifndef SONDE_CFILES_H
#define SONDE_CFILES_H

/* Gives two files or folders each other's name in one step.
   Returns 0, or the error number; ENOTSUP where the system cannot. */
int sonde_rename_exchange(const char *a, const char *b);

/* Renames, unless something has the new name already (EEXIST).
   Returns 0, or the error number; ENOTSUP where the system cannot. */
int sonde_rename_new(const char *from, const char *to);

#endif
