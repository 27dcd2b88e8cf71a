#pragma once

#include <stddef.h>
#include <stdint.h>

/// Runs Swift's jobs on threads that sleep until there is work.
///
/// The executor that comes with Swift on Linux hands jobs to Dispatch, whose internal work queues look
/// after their threads once a second for as long as the program lives. A program that waits for a key
/// shall not be woken by that. To be called once, before the first task; does nothing where the system
/// itself looks after Dispatch's threads.
void executor_install(void);

/// Calls `ring` with `context` after so many nanoseconds, once, on a thread of its own that must not be
/// kept for long. Time goes on while the machine sleeps. Returns a number above 0 for ``alarm_cancel``, or
/// 0 where there are no alarms: where the system itself has timers that wake nobody in between.
int64_t alarm_set(int64_t wait, void (*ring)(void *), void *context);

/// Returns whether the alarm was still to come: then it does not ring any more.
int alarm_cancel(int64_t number);

/// Starts a thread that nobody waits for, with a stack of so many bytes.
///
/// No signal comes to it but those of its own faults, which are handled even when its stack is used up.
/// Returns 0, or the system's number for why there is none: ENOSYS where the system itself has threads
/// for all that needs one.
int thread_start(void (*body)(void *), void *context, size_t stack);

/// The cores that this process may use.
int thread_cores(void);

/// The system's number of the calling thread.
int thread_number(void);

/// Confines a thread to all cores of the process but the first, or lets it use all of them again. Does
/// nothing where there is one core, or where threads cannot be confined.
void thread_confine(int number, int is_confined);
