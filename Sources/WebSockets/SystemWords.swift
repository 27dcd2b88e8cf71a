#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Returns the system's description of an error, for use within a sentence.
func reason(ofErrno code: Int32) -> String {
  let words = String(cString: strerror(code))
  guard let first = words.first else { return "error \(code)" }
  return first.lowercased() + words.dropFirst()
}
