import DataSources

/// Asks for the bookmarks whose name or address contains a text. It knows of no source.
struct SearchQuery: Query {
  var text: String
}

/// Bookmarks in any source that can list them, with searching added.
struct BookmarkSource: Sendable {
  private let base: any LiveDataSource<Bookmark>

  init(_ base: any LiveDataSource<Bookmark>) {
    self.base = base
  }

  /// Bookmarks in a state file: what was looked up stays known for a minute.
  static func file(_ path: String) -> BookmarkSource {
    BookmarkSource(
      DeviceStorageDataSource<Bookmark>(StateFile(path: path), layout: .table("bookmarks"))
        .cached(timeToLive: .seconds(60)))
  }
}

extension BookmarkSource: GetDataSource {
  func get(_ query: any Query) async throws(DataSourceError) -> Bookmark {
    try await base.get(query)
  }

  func getAll(_ query: any Query) async throws(DataSourceError) -> [Bookmark] {
    guard let search = query as? SearchQuery else { return try await base.getAll(query) }
    return try await base.getAll(AllObjectsQuery()).filter { bookmark in
      bookmark.id.contains(search.text) || bookmark.address.contains(search.text)
    }
  }
}

extension BookmarkSource: PutDataSource {
  @discardableResult
  func put(_ object: Bookmark?, in query: any Query) async throws(DataSourceError) -> Bookmark {
    try await base.put(object, in: query)
  }

  @discardableResult
  func putAll(
    _ objects: [Bookmark], in query: any Query
  ) async throws(DataSourceError) -> [Bookmark] {
    try await base.putAll(objects, in: query)
  }
}

extension BookmarkSource: DeleteDataSource {
  func delete(_ query: any Query) async throws(DataSourceError) {
    try await base.delete(query)
  }
}

extension BookmarkSource: WatchDataSource {
  func watch(_ query: any Query) -> DataStream<Bookmark> {
    base.watch(query)
  }

  func watchAll(_ query: any Query) -> DataStream<[Bookmark]> {
    base.watchAll(query)
  }
}
