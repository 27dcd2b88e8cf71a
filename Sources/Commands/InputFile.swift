import LiveQueries
import Stores
import Triples

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A file that a command reads as a whole; `-` is standard input.
struct InputFile {
  let path: String

  init(_ path: String) {
    self.path = path
  }

  private var name: String { path == "-" ? "Standard input" : path }

  /// More than any transaction needs, and little enough to lie in memory.
  private static let mostBytes = 1 << 30

  /// How much of standard input is read between two reports.
  private static let partBytes = 1 << 20

  func bytes(_ progress: ProgressReport = .unread) throws(Failure) -> [UInt8] {
    do throws(SystemError) {
      let bytes =
        path == "-"
        ? try Self.standardInput(progress)
        : try Files.bytes(ofAny: path, limit: Self.mostBytes + 1)
      guard bytes.count <= Self.mostBytes else {
        throw SystemError(errno: EFBIG)
      }
      return bytes
    } catch {
      throw Failure(
        message: "\(name) cannot be read: \(error.reason).", status: ExitStatus.usage)
    }
  }

  /// All that comes, up to one byte too many.
  private static func standardInput(_ progress: ProgressReport) throws(SystemError) -> [UInt8] {
    var bytes: [UInt8] = []
    var part: [UInt8]
    repeat {
      part = try Files.bytes(from: 0, limit: partBytes)
      bytes += part
      progress(LoadingProgress(done: bytes.count, of: nil, .bytes))
    } while part.count >= partBytes && bytes.count <= mostBytes
    return bytes
  }

  /// The file as one value of JSON.
  func json() throws(Failure) -> Value {
    let bytes = try bytes()
    do throws(JSONError) {
      return try JSONReader.value(of: bytes)
    } catch {
      var details = JSONObject()
      details["line"] = .integer(Int64(error.line))
      details["column"] = .integer(Int64(error.column))
      throw Failure(
        message: "\(name), line \(error.line), column \(error.column): \(error.reason).",
        status: ExitStatus.question, details: details)
    }
  }
}
