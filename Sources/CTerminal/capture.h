#pragma once
#include "CTerminal.h"
#include <spawn.h>

/* Sets the signal mask and the default handlers for a program to start. Returns the flags that the
   caller must set in the attributes, together with its own. */
short set_default_signals(posix_spawnattr_t *attributes);
/* Returns the time of a monotonic clock, in milliseconds. */
long long ct_milliseconds(void);
/* Returns the environment with these variables replaced. The caller frees the array, but not its
   texts. */
char **environment_with(char *const variables[]);
