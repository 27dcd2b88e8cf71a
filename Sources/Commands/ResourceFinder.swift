#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif
import Stores

/// Finds the folders that come with the program: `themes` and `demo-data`.
///
/// They lie in `share/sonde` beside the `bin` of an installed program, beside an unpacked one, or at the
/// top of the checkout that the program was built in. `SONDE_SHARE` names another place.
enum ResourceFinder {
  static func folder(_ name: String) -> String? {
    candidates.lazy.map { $0 + "/" + name }.first { Files.kind(of: $0) == .folder }
  }

  private static var candidates: [String] {
    var folders: [String] = []
    if let chosen = getenv("SONDE_SHARE") { folders.append(String(cString: chosen)) }
    guard var folder = executable.map(parent) else { return folders }
    folders.append(parent(folder) + "/share/sonde")
    // .build/x86_64-unknown-linux-gnu/release/sonde: the checkout is a few folders up.
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

  /// The program's own file, links resolved.
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
