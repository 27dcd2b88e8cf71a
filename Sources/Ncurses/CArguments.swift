#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Calls `body` with texts as a null-terminated C array.
///
/// The array and its strings are freed when `body` returns.
package func withCArguments<Result>(
  _ arguments: [String], _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>) -> Result
) -> Result {
  let pointers = arguments.map { (argument: String) in strdup(argument) } + [nil]
  defer { for pointer in pointers { free(pointer) } }
  return body(pointers)
}
