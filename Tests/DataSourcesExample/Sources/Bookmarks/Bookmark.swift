/// A bookmarked page.
struct Bookmark: Codable, Sendable, Hashable, Identifiable {
  var id: String
  var address: String
}
