#pragma once

/// Makes the allocator request memory in large pieces and keep it, for programs that load much data.
///
/// Call this once, before the first thread is started.
void memory_expect_much(void);

/// Makes the allocator return freed memory at once, for programs that run for days: ends what
/// `memory_expect_much` began.
void memory_keep_little(void);

/// Asks the kernel for huge pages for this thread's next allocations, up to some tens of megabytes.
///
/// This is only a hint; call it before filling much memory.
void memory_prefer_large_pages(void);

/// Returns freed memory to the system, which the allocator keeps otherwise. Takes some milliseconds.
void memory_give_back(void);
