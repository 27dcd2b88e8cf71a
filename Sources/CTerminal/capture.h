#pragma once
#include "CTerminal.h"
#include <spawn.h>

/* Sets the signal mask and the default handlers of a program to start. Its flags are returned, to be
   set together with others. */
short set_default_signals(posix_spawnattr_t *attributes);
/* The time of a clock that only goes forward. */
long long ct_milliseconds(void);
/* The environment with other variables. The caller frees it, but not its texts. */
char **environment_with(char *const variables[]);
