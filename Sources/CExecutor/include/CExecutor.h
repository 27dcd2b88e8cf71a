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

/// Calls `ring` with `context` once after `wait` nanoseconds, on the alarm thread, which it must
/// not block. Time in which the machine is suspended counts. Returns a number above 0 for
/// ``alarm_cancel``, or 0 where alarms are not available, because the system has timers without
/// periodic wakeups.
int64_t alarm_set(int64_t wait, void (*ring)(void *), void *context);

/// Cancels an alarm. Returns whether it had not rung yet; it will not ring any more then.
int alarm_cancel(int64_t number);

/// Starts a detached thread with a stack of `stack` bytes.
///
/// It receives only the signals of its own faults, which are handled even after a stack overflow.
/// Returns 0 or an errno; ENOSYS where the system's own threads suffice.
int thread_start(void (*body)(void *), void *context, size_t stack);

/// The number of threads that can be started now, up to `count`. They end before it returns.
int thread_available(int count);

/// The number of CPU cores that this process may use.
int thread_cores(void);

/// The system's ID of the calling thread.
int thread_number(void);

/// Confines a thread to all cores of the process except the first, or lets it use all of them
/// again. Does nothing with a single core, or where thread affinity is not supported.
void thread_confine(int number, int is_confined);
