#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif
import Stores

/// Finds the bundled folders `themes` and `demo-data`.
///
/// They are in `share/sonde` next to the `bin` folder of an installed program, next to an unpacked
/// program, or at the top of the checkout in which the program was built. `SONDE_SHARE` overrides
/// the path.
enum ResourceFinder {
  static func folder(_ name: String) -> String? {
    candidates.lazy.map { $0 + "/" + name }.first { Files.kind(of: $0) == .folder }
  }

  private static var candidates: [String] {
    var folders: [String] = []
    if let chosen = getenv("SONDE_SHARE") { folders.append(String(cString: chosen)) }
    guard var folder = executable.map(parent) else { return folders }
    folders.append(parent(folder) + "/share/sonde")
    // The program is in .build/x86_64-unknown-linux-gnu/release, a few folders below the checkout.
    for _ in 0..<5 {
      folders.append(folder)
      folder = parent(folder)
    }
    return folders
  }

  private static func parent(_ path: String) -> String {
    guard let slash = path.lastIndex(of: "/"), slash != path.startIndex else { return "/" }
    return String(path[..<slash])
  }

  /// The path of the executable, with symbolic links resolved.
  private static var executable: String? {
    #if os(Linux)
      let path = "/proc/self/exe"
    #else
      let path = CommandLine.arguments[0]
    #endif
    guard let resolved = realpath(path, nil) else { return nil }
    defer { free(resolved) }
    return String(cString: resolved)
  }
}
