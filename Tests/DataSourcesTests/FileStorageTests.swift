import DataSources
import DataSourcesTesting
import Testing

@Suite struct `File storage` {
  @Test func `a file contains the object's bytes and is named after the key`() async throws {
    let folder = TemporaryFolder()
    let files = FileSystemStorageDataSource(folder: folder.path)

    try await files.put([1, 2, 3], id: "report-1")
    try await files.put([4], id: "../.x")
    try await files.put([5], id: "A")

    #expect(folder.names == ["%2e%2e%2f%2ex.one", "%41.one", "report-1.one"])
    #expect(folder.bytes("report-1.one") == [1, 2, 3])
  }

  @Test func `keys too long for a file name are stored next to their hash`() async throws {
    let folder = TemporaryFolder()
    let files = FileSystemStorageDataSource(folder: folder.path)
    let long = String(repeating: "ab/", count: 300)

    try await files.put([1], id: long)
    try await files.putAll([[2], []], id: long + "x")

    #expect(try await files.get(id: long) == [1])
    #expect(try await files.getAll(AllObjectsQuery()) == [[1], [2], []])
    try await files.delete(AllObjectsQuery())
    #expect(folder.names == [])
  }

  @Test func `two spellings of a letter are two keys, also in one call`() async throws {
    let folder = TemporaryFolder()
    let files = FileSystemStorageDataSource(folder: folder.path)
    let spellings = ["\u{E9}", "e\u{301}"]

    try await files.putAll([[1], [2]], ids: spellings)

    #expect(folder.names == ["%c3%a9.one", "e%cc%81.one"])
    #expect(try await files.getAll(ids: spellings) == [[1], [2]])
    try await files.delete(ids: spellings)
    #expect(folder.names == [])
  }

  @Test func `other files are neither listed nor deleted`() async throws {
    let folder = TemporaryFolder()
    let files = FileSystemStorageDataSource(folder: folder.path)
    try await files.put([1], id: "a")
    try folder.write("mine", to: "README.txt")
    try folder.write("mine", to: "B%zz.one")

    let listed = try await files.getAll(AllObjectsQuery())
    try await files.delete(AllObjectsQuery())

    #expect(listed == [[1]])
    #expect(folder.names == ["B%zz.one", "README.txt"])
  }

  @Test(arguments: [FileSystemStep.open, .write, .sync])
  func `a failed write of several files changes none of them`(step: FileSystemStep) async throws {
    let folder = TemporaryFolder()
    try await FileSystemStorageDataSource(folder: folder.path).put([1], id: "a")
    let disk = FileSystem { met, path throws(DataSourceError) in
      if met == step, path.hasSuffix("b.one") { throw .system(errno: 28, "Full.") }
    }
    let files = FileSystemStorageDataSource(folder: folder.path, disk: disk)

    let error = await failure { () throws(DataSourceError) in
      try await files.putAll([[7], [8], [9]], ids: ["a", "b", "c"])
    }

    #expect(error?.code == .system(errno: 28))
    #expect(folder.names == ["a.one"])
    #expect(folder.bytes("a.one") == [1])
  }

  @Test func `a file that cannot be removed is an error`() async throws {
    let folder = TemporaryFolder()
    try await FileSystemStorageDataSource(folder: folder.path).put([1], id: "a")
    let disk = FileSystem { met, _ throws(DataSourceError) in
      if met == .remove { throw .system(errno: 13, "Permission denied.") }
    }

    let error = await failure { () throws(DataSourceError) in
      try await FileSystemStorageDataSource(folder: folder.path, disk: disk).delete(id: "a")
    }

    #expect(error?.code == .system(errno: 13))
    #expect(folder.bytes("a.one") == [1])
  }

  @Test func `a damaged array is reported and left unchanged`() async throws {
    let folder = TemporaryFolder()
    try folder.write("xx", to: "a.many")
    let files = FileSystemStorageDataSource(folder: folder.path)

    let error = await failure { () throws(DataSourceError) in try await files.getAll(id: "a") }

    #expect(error?.code == .dataSerialization)
    #expect(folder.bytes("a.many") == Array("xx".utf8))
  }

  @Test func `a folder that cannot be created is an error`() async throws {
    let folder = TemporaryFolder()
    try folder.write("a file", to: "taken")
    let files = FileSystemStorageDataSource(folder: folder.file("taken/inside"))

    let error = await failure { () throws(DataSourceError) in try await files.put([1], id: "a") }

    #expect(error?.code == .system(errno: 20))
  }
}
