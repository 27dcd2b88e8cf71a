#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A value that one thread at a time may read or change.
///
/// `Mutex` of the module `Synchronization` does the same. But each clean build compiles that module
/// from its interface, about 3 seconds of processor time of the 20 that `DataSources` takes.
///
/// `@unchecked Sendable` is safe. After `init`, `value` is only used between `pthread_mutex_lock` and
/// `pthread_mutex_unlock`, and both it and what `withLock` returns are `Sendable`. The mutex is on
/// the heap, so it never moves; `deinit` destroys it when no thread refers to the object anymore.
final class Locked<Value: Sendable>: @unchecked Sendable {
  private var value: Value
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)

  init(_ value: Value) {
    self.value = value
    mutex.initialize(to: pthread_mutex_t())
    let status = pthread_mutex_init(mutex, nil)
    precondition(status == 0, "Cannot create a mutex: error \(status).")
  }

  deinit {
    pthread_mutex_destroy(mutex)
    mutex.deinitialize(count: 1)
    mutex.deallocate()
  }

  /// Runs `body` with exclusive access to the value. `body` must not use the same lock again.
  func withLock<Result: Sendable>(_ body: (inout Value) -> Result) -> Result {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return body(&value)
  }
}
