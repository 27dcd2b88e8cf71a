import LiveQueries
import Stores
import Triples

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A file that a command reads completely; `-` is standard input.
struct InputFile {
  let path: String

  init(_ path: String) {
    self.path = path
  }

  private var name: String { path == "-" ? "Standard input" : path }

  /// The maximum size in bytes. It exceeds any transaction, but fits in memory.
  private static let maxBytes = 1 << 30

  /// The number of bytes to read from standard input between two progress reports.
  private static let partBytes = 1 << 20

  func bytes(_ progress: ProgressReport = .unread) throws(Failure) -> [UInt8] {
    do throws(SystemError) {
      let bytes =
        path == "-"
        ? try Self.standardInput(progress)
        : try Files.bytes(ofAny: path, limit: Self.maxBytes + 1)
      guard bytes.count <= Self.maxBytes else {
        throw SystemError(errno: EFBIG)
      }
      return bytes
    } catch {
      throw Failure.unreadableInput(name, error.reason)
    }
  }

  /// Reads standard input until its end, or until one byte beyond the limit.
  private static func standardInput(_ progress: ProgressReport) throws(SystemError) -> [UInt8] {
    var bytes: [UInt8] = []
    var part: [UInt8]
    repeat {
      part = try Files.bytes(from: 0, limit: partBytes)
      bytes += part
      progress(LoadingProgress(done: bytes.count, of: nil, .bytes))
    } while part.count >= partBytes && bytes.count <= maxBytes
    return bytes
  }

  /// Returns the content of the file, parsed as JSON.
  func json() throws(Failure) -> ExactJSON {
    let bytes = try bytes()
    do throws(JSONError) {
      return try ExactJSON(bytes)
    } catch {
      var details = JSONObject()
      details["line"] = .integer(Int64(error.line))
      details["column"] = .integer(Int64(error.column))
      throw Failure(
        message: "\(name), line \(error.line), column \(error.column): \(error.reason).",
        status: ExitStatus.invalidQuery, details: details)
    }
  }
}
