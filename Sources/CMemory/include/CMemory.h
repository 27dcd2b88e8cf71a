#pragma once

/// Makes the allocator request memory in large pieces and keep it, for programs that load much data.
///
/// Call this once, before the first thread is started.
void memory_expect_much(void);

/// Makes the allocator return freed memory immediately, for programs that run for days.
///
/// This reverses the effect of `memory_expect_much`.
void memory_keep_little(void);

/// Asks the kernel for huge pages for this thread's next allocations, up to some tens of megabytes.
///
/// This is only a hint to the kernel. Call it before filling much memory.
void memory_prefer_large_pages(void);

/// Returns memory to the system that the program freed, but the allocator kept. This takes some
/// milliseconds.
void memory_give_back(void);
