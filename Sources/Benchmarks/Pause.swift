#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Suspends this thread, to leave a measured process idle or to send calls at a fixed rate.
func pause(_ duration: Duration) {
  let (seconds, attoseconds) = duration.components
  var time = timespec(tv_sec: Int(seconds), tv_nsec: Int(attoseconds / 1_000_000_000))
  var rest = timespec()
  while nanosleep(&time, &rest) != 0, errno == EINTR { time = rest }
}
