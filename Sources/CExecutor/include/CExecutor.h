#pragma once

#include <stddef.h>
#include <stdint.h>

/// Makes Swift's jobs run on threads that sleep until there is work.
///
/// Swift's own executor on Linux uses Dispatch, whose internal work queues check their threads
/// once a second, which would wake an idle program. Call this once, before the first task. It
/// does nothing where the kernel manages Dispatch's threads.
///
/// Measured on two cores with both executors: an explorer at rest wakes 0 times in 40 s with this
/// one and 40 times with Swift's. First paint, the end of the program, and a server's answers
/// (0.35 ms) take equally long. The wake-ups are the only reason to keep it.
void executor_install(void);

/// Calls `ring` with `context` once, after `wait` nanoseconds.
///
/// The call is made on the alarm thread, and `ring` must not block that thread. Time in which the
/// machine is suspended counts. Returns a number above 0 for ``alarm_cancel``. Returns 0 on systems
/// without alarms, whose own timers cause no periodic wakeups.
int64_t alarm_set(int64_t wait, void (*ring)(void *), void *context);

/// Cancels an alarm. Returns whether the alarm had not rung yet. In this case it never rings.
int alarm_cancel(int64_t number);

/// Starts a detached thread with a stack of `stack` bytes.
///
/// The thread receives only signals for its own faults, which are handled even after a stack
/// overflow. Returns 0 or an errno; ENOSYS on systems whose own threads are sufficient.
int thread_start(void (*body)(void *), void *context, size_t stack);

/// Returns the number of threads that can be started now, up to `count`.
///
/// It starts threads to find out, and returns when they have ended.
int thread_available(int count);

/// Returns the number of CPU cores that this process may use.
int thread_cores(void);

/// Returns the system's id of the calling thread.
int thread_number(void);

/// Confines a thread to all cores of the process except the first, or lets it use all of them
/// again. Does nothing with a single core, or where thread affinity is not supported.
void thread_confine(int number, int is_confined);
