#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A failure that the system named by number.
package struct SystemError: Error, Hashable {
  let errno: Int32

  /// Nobody wants what was being done any more.
  static let cancelled = SystemError(errno: ECANCELED)

  /// The system's own words, in lower case: "no such file or directory".
  package var reason: String {
    String(cString: strerror(errno)).lowercasedFirst
  }
}

extension String {
  fileprivate var lowercasedFirst: String {
    prefix(1).lowercased() + dropFirst()
  }
}

/// What lies in a folder, and what a file holds.
package enum Files {
  /// Paths of the plain files in `folder` by name, hidden ones left out.
  package static func files(in folder: String) throws(SystemError) -> [String] {
    guard let stream = opendir(folder) else { throw SystemError(errno: errno) }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if !name.hasPrefix(".") { names.append(name) }
    }
    return names.sorted().map { folder + "/" + $0 }.filter { kind(of: $0) == .file }
  }

  /// The last part of a path.
  package static func name(of path: String) -> String {
    path.split(separator: "/").last.map(String.init) ?? path
  }

  /// Which file a path leads to: another one under the same name is another.
  struct Identity: Sendable, Hashable {
    private let device: UInt64
    private let number: UInt64

    /// Nil when nothing stands there or it may not be looked at.
    init?(_ path: String) {
      var status = stat()
      guard stat(path, &status) == 0 else { return nil }
      device = UInt64(truncatingIfNeeded: status.st_dev)
      number = UInt64(truncatingIfNeeded: status.st_ino)
    }
  }

  /// The path without symbolic links; the path itself when there is nothing.
  static func resolved(_ path: String) -> String {
    guard let found = realpath(path, nil) else { return path }
    defer { free(found) }
    return String(cString: found)
  }

  package enum Kind { case file, folder, other }

  /// What stands at `path`, links followed; nil when there is nothing or it may not be looked at.
  package static func kind(of path: String) -> Kind? {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    return switch status.st_mode & S_IFMT {
    case S_IFREG: .file
    case S_IFDIR: .folder
    default: .other
    }
  }

  /// All bytes of the file at `path`.
  package static func bytes(of path: String) throws(SystemError) -> [UInt8] {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw SystemError(errno: errno) }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw SystemError(errno: errno) }
    var failure: SystemError?
    let bytes = [UInt8](unsafeUninitializedCapacity: Int(status.st_size) + 1) { buffer, count in
      failure = fill(buffer, count: &count, from: descriptor)
    }
    if let failure { throw failure }
    return bytes
  }

  /// Reads until the end of the file or the buffer; a file that grew meanwhile is read next time.
  private static func fill(
    _ buffer: UnsafeMutableBufferPointer<UInt8>, count: inout Int, from descriptor: Int32
  ) -> SystemError? {
    count = 0
    while count < buffer.count {
      let got = read(descriptor, buffer.baseAddress! + count, buffer.count - count)
      if got == 0 { return nil }
      if got < 0 {
        if errno == EINTR { continue }
        return SystemError(errno: errno)
      }
      count += got
    }
    return nil
  }
}
