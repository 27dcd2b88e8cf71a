#include "CMemory.h"

#include <stdlib.h>

#if defined(__linux__) && defined(__GLIBC__)

#include <malloc.h>
#include <stdint.h>
#include <sys/mman.h>

// The allocator gives each thread heaps of this size, at multiples of it.
static const uintptr_t heap_size = 64 << 20;

void memory_expect_much(void) {
  // A heap is there as a whole from the beginning: one that grew a page at a time could never have a
  // large page at its end, where everything is allocated.
  mallopt(M_TOP_PAD, (int)heap_size);
  // Large arrays come from heaps too, and what is freed stays for the next: a mapping for each would
  // be filled page by page, by a fault each, again and again.
  mallopt(M_MMAP_THRESHOLD, 32 << 20);
  mallopt(M_TRIM_THRESHOLD, (int)heap_size);
}

void memory_prefer_large_pages(void) {
  // Too large for what was freed here and there, so most likely at the end of the thread's heap.
  void *probe = malloc(256 << 10);
  if (probe == NULL) return;
  uintptr_t heap = (uintptr_t)probe & ~(heap_size - 1);
  free(probe);
  // What is not mapped around there is passed over.
  madvise((void *)heap, heap_size, MADV_HUGEPAGE);
}

void memory_give_back(void) { malloc_trim(0); }

#else

void memory_give_back(void) {}
void memory_expect_much(void) {}
void memory_prefer_large_pages(void) {}

#endif
