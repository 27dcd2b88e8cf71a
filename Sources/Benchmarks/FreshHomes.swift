#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Homes in which nothing was done before, for programs that are measured; all of them are gone when
/// nobody measures any more.
final class FreshHomes {
  private let folder: String
  private var count = 0

  /// Nil when the system makes no folder for them.
  init?() {
    var name = Array("/tmp/sonde-bench-homes.XXXXXX".utf8CString)
    guard
      let folder = name.withUnsafeMutableBufferPointer({ buffer in
        buffer.baseAddress.flatMap { mkdtemp($0) }.map { String(cString: $0) }
      })
    else { return nil }
    self.folder = folder
  }

  deinit { _ = BenchData.output(of: "rm -rf '\(folder)'") }

  /// Another home; the program that has it makes its folder.
  func next() -> String {
    count += 1
    return "\(folder)/\(count)"
  }
}
