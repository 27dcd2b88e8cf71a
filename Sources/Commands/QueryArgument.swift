import InstaQL
import Triples

/// Parses a query that the user typed: text, or InstaQL if it begins with `{`.
enum QueryArgument {
  /// Parses `text` as a query document. If a schema is given, it also checks all names.
  static func document(_ text: String, for schema: Schema?) throws(Failure) -> QueryDocument {
    do throws(QueryError) {
      let document = try QueryDocument(text: text, schema: schema)
      // Only InstaQL that a server could answer is checked by the rules of InstantDB's clients.
      if text.first(where: { !$0.isWhitespace }) == "{", let query = try? document.instaQL() {
        try QueryValidator(schema: schema).validate(query)
      }
      return document
    } catch {
      throw Failure(error)
    }
  }
}
