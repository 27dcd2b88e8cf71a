import DataSources
import DataSourcesTesting
import Testing

@Suite struct `Places that processes share` {
  @Test func `each process has its own, and takes over those of ended processes`()
    async throws
  {
    let folder = TemporaryFolder()
    let child = try await ChildProgram.living("none", folder.path, "place")
    #expect(child.line == folder.file("place"))

    var mine = ProcessPlaces(in: folder.path, named: "place")
    #expect(try mine.takeOwn().path == folder.file("place-1"))
    #expect(try mine.takeOver().map(\.number) == [1])

    await child.kill()
    #expect(try mine.takeOver().map(\.number) == [0, 1])
    #expect(try mine.takeOwn().number == 1)
    var others = ProcessPlaces(in: folder.path, named: "place")
    #expect(try others.takeOwn().number == 2)
  }
}
