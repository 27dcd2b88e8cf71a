import DataSources
import DataSourcesTesting
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

@Suite struct `Places that processes share` {
  @Test func `each process has its own, and takes over those of ended processes`()
    async throws
  {
    let folder = TemporaryFolder()
    let child = try await ChildProgram.living("none", folder.path, "place")
    #expect(child.line == folder.file("place"))

    var mine = ProcessPlaces(in: folder.path, named: "place")
    #expect(try mine.claimOwn().path == folder.file("place-1"))
    #expect(try mine.takeOver().map(\.number) == [1])

    await child.kill()
    #expect(try mine.takeOver().map(\.number) == [0, 1])
    #expect(try mine.claimOwn().number == 1)
    var others = ProcessPlaces(in: folder.path, named: "place")
    #expect(try others.claimOwn().number == 2)
  }

  @Test func `a released place is free while a child process has a copy of its lock`() throws {
    let folder = TemporaryFolder()
    let copy: Int32
    do {
      var mine = ProcessPlaces(in: folder.path, named: "place")
      #expect(try mine.claimOwn().number == 0)
      let lock = try #require(Self.descriptor(of: folder.file("place.lock")))
      copy = fcntl(lock, F_DUPFD_CLOEXEC, 0)
      withExtendedLifetime(mine) {}
    }
    defer { close(copy) }
    #expect(copy >= 0)
    var others = ProcessPlaces(in: folder.path, named: "place")
    #expect(try others.claimOwn().number == 0)
  }

  /// The descriptor with which this process has a file open.
  private static func descriptor(of path: String) -> Int32? {
    var file = stat()
    guard stat(path, &file) == 0 else { return nil }
    return (0..<getdtablesize()).first { descriptor in
      var other = stat()
      return fstat(descriptor, &other) == 0 && other.st_dev == file.st_dev
        && other.st_ino == file.st_ino
    }
  }
}
