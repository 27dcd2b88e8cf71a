#pragma once
#include "CTerminal.h"
#include <sys/types.h>

/* The pipes through which a program's output and errors are read. */
struct capture_pipes {
  int output[2], errors[2];
};

/* Returns false and sets errno if there are no pipes. */
bool open_pipes(struct capture_pipes *pipes);
/* Reads what `child` writes until it ends, and closes the pipes. A child of 0 is not waited for. */
void read_pipes(struct capture_pipes *pipes, pid_t child, struct ct_captured *captured);
/* The environment with other variables. The caller frees it, but not its texts. */
char **environment_with(char *const variables[]);
