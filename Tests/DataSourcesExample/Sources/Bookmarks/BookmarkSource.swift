import DataSources

/// Selects the bookmarks whose name or URL contains a text, independently of any source.
struct SearchQuery: Query {
  var text: String
}

/// Adds searching to any source that can list bookmarks. All other calls go to the base.
struct BookmarkSource: DataSourceWrapper {
  let base: AnyDataSource<Bookmark>

  init(_ base: any DataSource<Bookmark>) {
    self.base = AnyDataSource(base)
  }

  /// Bookmarks in a state file; search results are cached for a minute.
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
