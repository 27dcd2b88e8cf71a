#pragma once

/// Runs Swift's jobs on threads that sleep until there is work.
///
/// The executor that comes with Swift on Linux hands jobs to Dispatch, whose internal work queues look
/// after their threads once a second for as long as the program lives. A program that waits for a key
/// shall not be woken by that. To be called once, before the first task; does nothing where the system
/// itself looks after Dispatch's threads.
void executor_install(void);
