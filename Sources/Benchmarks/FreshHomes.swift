#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Creates empty home folders for the measured programs. All of them are removed at the end.
final class FreshHomes {
  private let folder: String
  private var count = 0

  /// Creates the folder that will contain the home folders; nil if that fails.
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

  /// Returns the path of a new home folder. The measured program creates it.
  func next() -> String {
    count += 1
    return "\(folder)/\(count)"
  }
}
