import InstaQL
import Triples

/// Reads a query that somebody typed: as text, or as InstaQL when it begins with `{`.
enum QueryText {
  /// The document that `text` spells, its names and values checked against the store's schema
  /// where one is given.
  static func document(_ text: String, for schema: Schema?) throws(Failure) -> QueryDocument {
    do throws(QueryError) {
      let document = try QueryDocument(text: text, schema: schema)
      // What only a store on this machine can answer is no server's query.
      if text.first(where: { !$0.isWhitespace }) == "{", let query = try? document.instaQL() {
        try QueryValidator(schema: schema).validate(query)
      }
      return document
    } catch {
      throw Failure(error)
    }
  }
}
