import DataSources

/// Asks for the bookmarks whose name or address contains a text. It knows of no source.
struct SearchQuery: Query {
  var text: String
}

/// Bookmarks in any source that can list them, with searching added. Every other call is the base's.
struct BookmarkSource: DataSourceWrapper {
  let base: AnyDataSource<Bookmark>

  init(_ base: any DataSource<Bookmark>) {
    self.base = AnyDataSource(base)
  }

  /// Bookmarks in a state file: what was looked up stays known for a minute.
  static func file(_ path: String) -> BookmarkSource {
    BookmarkSource(
      DeviceStorageDataSource<Bookmark>(StateFile(path: path), layout: .table("bookmarks"))
        .cached(timeToLive: .seconds(60)))
  }
}

extension BookmarkSource: LiveDataSource {
  func getAll(_ query: any Query) async throws(DataSourceError) -> [Bookmark] {
    guard let search = query as? SearchQuery else { return try await base.getAll(query) }
    return try await base.getAll(AllObjectsQuery()).filter { bookmark in
      bookmark.id.contains(search.text) || bookmark.address.contains(search.text)
    }
  }
}
