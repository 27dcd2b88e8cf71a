#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A temporary folder that is removed at the end.
final class TemporaryPath {
  let path: String
  private var files: Set<String> = []

  init() throws {
    var name = Array("/tmp/sonde-fuzz-XXXXXX".utf8CString)
    guard mkdtemp(&name) != nil else { throw Difference(what: "there is no place for files") }
    path = String(decoding: name.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  func write(_ bytes: [UInt8], to file: String) throws {
    guard let stream = fopen(file, "w") else { throw Difference(what: "cannot write \(file)") }
    files.insert(file)
    fwrite(bytes, 1, bytes.count, stream)
    fclose(stream)
  }

  deinit {
    for file in files { unlink(file) }
    rmdir(path)
  }
}
