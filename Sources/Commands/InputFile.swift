import Stores
import Triples

/// A file that a command reads as a whole; `-` is standard input.
struct InputFile {
  let path: String

  init(_ path: String) {
    self.path = path
  }

  private var name: String { path == "-" ? "Standard input" : path }

  func bytes() throws(Failure) -> [UInt8] {
    if path == "-" {
      // A line after the other, ends and all, since nobody knows how much will come.
      return LineReader(longest: .max - 1).reduce(into: []) { $0 += $1 + [UInt8(ascii: "\n")] }
    }
    do throws(SystemError) {
      return try Files.bytes(of: path)
    } catch {
      throw Failure(
        message: "\(name) cannot be read: \(error.reason).", status: ExitStatus.usage)
    }
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
