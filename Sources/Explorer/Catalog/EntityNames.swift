import DataSources
import InstaQL
package import LiveQueries
package import Triples

/// Adds labels of entities to messages of stores and servers.
package enum EntityNames {
  private static let maxEntities = 20
  private static let maxNamespaces = 100

  /// Returns the message with the label of each known entity added after the entity's id.
  ///
  /// - Parameter known: A snapshot that provides the schema, and the labels if the query fails.
  package static func adding(
    to message: String, from store: any StoreDataSource, _ known: StoreSnapshot
  ) async -> String {
    guard let query = query(for: message, in: known.store.schema) else { return message }
    // If the store cannot be queried, only entities in the known snapshot get labels.
    let answered = try? await store.get(query)
    return Catalog(snapshot: answered ?? known).addingLabels(toIDsIn: message)
  }

  /// Returns a query for the entities whose ids occur in a message; nil if the message contains no
  /// ids.
  private static func query(for message: String, in schema: Schema) -> QueryDocument? {
    let ids = Catalog.entities(in: message).prefix(maxEntities).map { Value.text($0.text) }
    if ids.isEmpty { return nil }
    let forms = schema.namespaces.prefix(maxNamespaces).map {
      let isOneOfThem: Value = .object([schema.identityLabel(of: $0): ["$in": .array(Array(ids))]])
      return JSONObject.Member(key: $0, value: ["$": ["where": isOneOfThem]])
    }
    return try? QueryDocument(instaQL: .object(JSONObject(forms)), reading: .served)
  }
}
