public import DataSources
import InstaQL
public import LiveQueries
import Triples

// Reading a whole store: one query per namespace, combined in one store.
extension RemoteStore {
  /// The maximum number of attempts if the server's data changes while it is read.
  private static let maxRounds = 5

  /// Reads all entities that this user may see.
  ///
  /// The namespaces are read one after the other. If a transaction happens meanwhile, the outdated
  /// namespaces are read again, up to five times. A remark reports data that is still inconsistent.
  ///
  /// - Throws: An error if the server is unreachable, rejects a query, or returns fewer entities
  ///   than it counts.
  public func wholeStore(bytes: AnswerView.Bytes) async throws(DataSourceError) -> WholeStore {
    let schema = try current(try await get(AllObjectsQuery())).store.schema
    var namespaces: [String: StoreSnapshot] = [:]
    var remarks: [String] = []
    var round = 0
    repeat {
      round += 1
      try await readOutdated(&namespaces, of: schema, &remarks)
    } while round < Self.maxRounds && Set(namespaces.values.map(\.knownTransaction)).count > 1
    if Set(namespaces.values.map(\.knownTransaction)).count > 1 {
      remarks.append(ExportRemark.inconsistent)
    } else {
      try await checkCounts(namespaces)
    }
    return WholeStore(
      Self.merged(namespaces.mapValues(\.store), schema), remarks: Array(Set(remarks)).sorted())
  }

  /// Reads each namespace whose snapshot is missing or older than the newest transaction seen.
  private func readOutdated(
    _ namespaces: inout [String: StoreSnapshot], of schema: Schema, _ remarks: inout [String]
  ) async throws(DataSourceError) {
    let newest = namespaces.values.compactMap(\.knownTransaction).max()
    for namespace in schema.entityNamespaces {
      if let known = namespaces[namespace], known.knownTransaction == newest { continue }
      do throws(DataSourceError) {
        let snapshot = try current(try await get(Self.everything(in: namespace, of: schema)))
        namespaces[namespace] = snapshot
        if snapshot.pending.count > 0 {
          remarks.append(ExportRemark.unconfirmed)
        }
      } catch {
        // Only admins may read system namespaces.
        guard namespace.hasPrefix("$"), case .refused = error.code else { throw error }
        remarks.append(ExportRemark.notAllowed(namespace))
      }
    }
  }

  /// Returns the query for all entities of a namespace with all links.
  private static func everything(in namespace: String, of schema: Schema) -> QueryDocument {
    let links = schema.attributes.filter {
      $0.namespace == namespace && $0.valueType == .ref
    }
    return QueryDocument(
      links.reduce(QueryPlan(namespace)) { plan, link in plan.with(link.label) { $0.fields([]) } })
  }

  /// Returns the snapshot if it is the server's current answer; otherwise throws an error.
  private func current(_ snapshot: StoreSnapshot) throws(DataSourceError) -> StoreSnapshot {
    switch snapshot.freshness {
    case .live, .optimistic: return snapshot
    case .stale(let reason), .offline(_, _, let reason):
      throw .serverIncomplete(reason)
    case .loading, .connecting, .archived:
      throw .serverUnreachable
    }
  }

  /// Compares the number of read entities with the server's counts, if it provides them.
  private func checkCounts(_ namespaces: [String: StoreSnapshot]) async throws(DataSourceError) {
    for (namespace, snapshot) in namespaces.sorted(by: { $0.key < $1.key }) {
      guard let counting = try? await get(QueryDocument(QueryPlan(namespace).count())),
        counting.knownTransaction == snapshot.knownTransaction, counting.pending.count == 0,
        let count = counting.served?.counts[namespace]
      else { continue }
      let found = snapshot.store.count(of: namespace)
      guard found >= count else {
        throw .entitiesMissing(found, of: count, namespace)
      }
    }
  }

  /// Combines the answers of all namespaces.
  private static func merged(_ answers: [String: TripleStore], _ schema: Schema) -> TripleStore {
    var store = TripleStore()
    for attribute in schema.attributes { store.addAttribute(attribute) }
    for attribute in schema.attributes {
      guard let answer = answers[attribute.namespace] else { continue }
      for entity in answer.rows(attribute.id, .stored).handles {
        let copy = store.makeEntity(answer.id(of: entity), in: attribute.namespace)
        for (value, time) in zip(
          answer.values(entity, attribute.id), answer.createdTimes(entity, attribute.id))
        {
          store.insert(value, of: copy, attribute.id, at: time)
        }
      }
    }
    return store
  }
}
