import Testing

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The lock of a state file, held as by another process.
enum Locked {
  static func hold<Answer>(_ path: String, _ body: () async throws -> Answer) async throws -> Answer
  {
    let file = open(path + ".lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    defer {
      // A child process that is being started may have a copy of the file.
      _ = flock(file, LOCK_UN)
      close(file)
    }
    try #require(flock(file, LOCK_EX | LOCK_NB) == 0)
    return try await body()
  }
}
