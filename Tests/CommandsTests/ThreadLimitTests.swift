import Foundation
import Testing

#if os(Linux)
  @Suite("Without threads", .waitsForPrograms, .timeLimit(.minutes(10)))
  struct ThreadLimitTests {
    @Test("the program ends with the reason instead of waiting forever", .enabled(if: canLimit))
    func few() throws {
      let limited = #"ulimit -u 2 && exec "$0" query goals 'todos count'"#
      let shell = ["/bin/bash", "-c", limited, Program.path]
      // The limit does not apply to root.
      let user = ["--reuid=65534", "--regid=65534", "--clear-groups"]
      let program = try Child(getuid() == 0 ? [Self.setpriv] + user + shell : shell)
      let end = program.finish()
      #expect(end.status == 3, "\(end.complaints)")
      #expect(end.complaints.contains("Cannot start"), "\(end.complaints)")
    }

    private static let setpriv = "/usr/bin/setpriv"

    /// Whether another user can run the program.
    private static var canLimit: Bool {
      if getuid() != 0 { return true }
      let folders = sequence(first: URL(filePath: Program.path)) { url in
        url.path == "/" ? nil : url.deletingLastPathComponent()
      }
      return access(setpriv, X_OK) == 0
        && folders.allSatisfy { url in
          let mode = try? FileManager.default.attributesOfItem(atPath: url.path)[.posixPermissions]
          return ((mode as? Int) ?? 0) & 1 == 1
        }
    }
  }
#endif
