#pragma once

#include <stddef.h>

/// Starts a thread that nobody waits for, that no signal comes to, and with a stack of so many bytes.
/// Returns 0, or the reason why there is none.
int thread_start(void *(*body)(void *), size_t stack);
