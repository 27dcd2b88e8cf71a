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
    #expect(try mine.claimOwn().path == folder.file("place-1"))
    #expect(try mine.takeOver().map(\.number) == [1])

    await child.kill()
    #expect(try mine.takeOver().map(\.number) == [0, 1])
    #expect(try mine.claimOwn().number == 1)
    var others = ProcessPlaces(in: folder.path, named: "place")
    #expect(try others.claimOwn().number == 2)
  }
}
