#include "CMemory.h"

#include <stdlib.h>

#if defined(__linux__) && defined(__GLIBC__)

#include <malloc.h>
#include <stdint.h>
#include <sys/mman.h>

// The size of the heaps that the allocator creates for each thread. They are aligned to this size.
static const uintptr_t heap_size = 64 << 20;

void memory_expect_much(void) {
  // Heaps get their full size at the beginning. If a heap grew page by page, there could never be a
  // huge page at its end, where new memory is allocated.
  mallopt(M_TOP_PAD, (int)heap_size);
  // Large arrays are allocated in heaps, too, so that freed memory is reused. A new mapping for each
  // array would cost a page fault for every page.
  mallopt(M_MMAP_THRESHOLD, 32 << 20);
  mallopt(M_TRIM_THRESHOLD, (int)heap_size);
}

void memory_keep_little(void) {
  // malloc_trim does not shrink the end of a thread's heap. Only free does, above these sizes.
  mallopt(M_TOP_PAD, 128 << 10);
  mallopt(M_MMAP_THRESHOLD, 1 << 20);
  mallopt(M_TRIM_THRESHOLD, 1 << 20);
}

void memory_prefer_large_pages(void) {
  // The probe is too large for small gaps, so it is most likely at the end of the thread's heap.
  void *probe = malloc(256 << 10);
  if (probe == NULL) return;
  uintptr_t heap = (uintptr_t)probe & ~(heap_size - 1);
  free(probe);
  // madvise skips unmapped pages in the range.
  madvise((void *)heap, heap_size, MADV_HUGEPAGE);
}

void memory_give_back(void) { malloc_trim(0); }

#else

void memory_give_back(void) {}
void memory_expect_much(void) {}
void memory_keep_little(void) {}
void memory_prefer_large_pages(void) {}

#endif
