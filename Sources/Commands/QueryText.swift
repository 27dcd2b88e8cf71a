import InstaQL
import Triples

/// Reads a query that somebody typed: as text, or as InstaQL when it begins with `{`.
enum QueryText {
  /// The document that `text` spells, its names and values checked against the store's schema
  /// where one is given.
  static func document(_ text: String, for schema: Schema?) throws(Failure) -> QueryDocument {
    do throws(QueryError) {
      let document = try QueryDocument(text: text, schema: schema)
      if text.first(where: { !$0.isWhitespace }) == "{" {
        try QueryValidator(schema: schema).validate(document.instaQL())
      }
      return document
    } catch {
      throw Failure(error)
    }
  }
}
