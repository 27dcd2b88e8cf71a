import DataSources
import DataSourcesTesting
import Testing

@testable import Bookmarks

@Test(arguments: KeyValueContract.rows)
func `bookmarks fulfill the key/value contract`(row: ContractRow) async {
  let source = BookmarkSource(InMemoryDataSource<Bookmark>()).mapped(
    to: Mapper { bookmark throws(DataSourceError) in Note(bookmark.id, bookmark.address) },
    from: Mapper { note throws(DataSourceError) in Bookmark(id: note.id, address: note.text) })

  let complaints = await row.complaints(about: source)
  #expect(complaints == [])
}

@Test func `bookmarks are found by a part of their name or address`() async throws {
  let source = BookmarkSource(InMemoryDataSource<Bookmark>())
  try await source.put(Bookmark(id: "swift", address: "https://swift.org"), id: "swift")
  try await source.put(Bookmark(id: "linux", address: "https://kernel.org"), id: "linux")

  #expect(try await source.getAll(SearchQuery(text: "kernel")).map(\.id) == ["linux"])
}
