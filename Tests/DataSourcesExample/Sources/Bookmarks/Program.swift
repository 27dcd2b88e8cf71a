import DataSources

/// `Bookmarks FILE`, `Bookmarks FILE NAME ADDRESS`, `Bookmarks FILE find TEXT`, `Bookmarks FILE drop NAME`
@main
struct Program {
  static func main() async {
    let words = Array(CommandLine.arguments.dropFirst())
    guard let file = words.first else { return print("Bookmarks FILE [NAME ADDRESS]") }
    do throws(DataSourceError) {
      let bookmarks = BookmarkSource.file(file)
      switch (words.count, words.dropFirst().first) {
      case (3, "find"): show(try await bookmarks.getAll(SearchQuery(text: words[2])))
      case (3, "drop"): try await bookmarks.delete(id: words[2])
      case (3, let name?):
        try await bookmarks.put(nil, in: ObjectQuery(Bookmark(id: name, address: words[2])))
      default: show(try await bookmarks.getAll(AllObjectsQuery()))
      }
    } catch {
      print(error)
    }
  }

  private static func show(_ bookmarks: [Bookmark]) {
    for bookmark in bookmarks { print(bookmark.id, bookmark.address) }
  }
}
