import DataSources
import InstaQL
package import LiveQueries
package import Triples

/// Adds to the messages of stores and servers what the entities in them are called.
package enum EntityNames {
  private static let maxEntities = 20
  private static let maxNamespaces = 100

  /// A message, with the label of each entity behind its id where the store knows it.
  ///
  /// - Parameter known: A snapshot of the store with its schema.
  package static func adding(
    to message: String, from store: any StoreDataSource, _ known: StoreSnapshot
  ) async -> String {
    guard let query = query(for: message, in: known.store.schema) else { return message }
    // A store that cannot be asked leaves the ids as they are.
    let answered = try? await store.get(query)
    return Catalog(snapshot: answered ?? known).naming(entitiesIn: message)
  }

  /// Asks every namespace for the entities in a message; nil when there are none.
  private static func query(for message: String, in schema: Schema) -> QueryDocument? {
    let ids = Catalog.entities(in: message).prefix(maxEntities).map { Value.text($0.text) }
    if ids.isEmpty { return nil }
    let isOneOfThem: Value = ["$": ["where": ["id": ["$in": .array(Array(ids))]]]]
    let forms = schema.namespaces.prefix(maxNamespaces).map {
      JSONObject.Member(key: $0, value: isOneOfThem)
    }
    return try? QueryDocument(instaQL: .object(JSONObject(forms)), reading: .served)
  }
}
