import InstaQL
import Triples

/// Parses a typed query: text, or InstaQL if it starts with `{`.
enum QueryText {
  /// The document of `text`, checked against the store's schema if one is given.
  static func document(_ text: String, for schema: Schema?) throws(Failure) -> QueryDocument {
    do throws(QueryError) {
      let document = try QueryDocument(text: text, schema: schema)
      // Some queries can only be answered by local stores, not by a server.
      if text.first(where: { !$0.isWhitespace }) == "{", let query = try? document.instaQL() {
        try QueryValidator(schema: schema).validate(query)
      }
      return document
    } catch {
      throw Failure(error)
    }
  }
}
