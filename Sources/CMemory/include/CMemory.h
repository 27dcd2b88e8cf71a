#pragma once

/// Asks for memory in large pieces and keeps it: for a program that loads much at once.
///
/// To be called once, before the first thread is started.
void memory_expect_much(void);

/// Has what this thread allocates from now on, some tens of megabytes, lie in large pages, where the
/// system has them.
///
/// A hint for whoever is about to fill much memory: nothing depends on it.
void memory_prefer_large_pages(void);

/// Gives freed memory back to the system, which the allocator keeps otherwise. Takes some milliseconds.
void memory_give_back(void);
