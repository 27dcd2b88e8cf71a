/// A page to come back to.
struct Bookmark: Codable, Sendable, Hashable, Identifiable {
  var id: String
  var address: String
}
