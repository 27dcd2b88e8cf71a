public import DataSources
import InstaQL
public import LiveQueries
import Triples

// Everything that a server gives: one query for each namespace, put together in one store.
extension RemoteStore {
  /// How often the namespaces are read again because the server changed in between.
  private static let maxRounds = 5

  /// Everything that the server shows to this user.
  ///
  /// The namespaces are read one after the other, and again until no transaction came in between.
  ///
  /// - Throws: When the server cannot be reached, refuses a query, or answers with fewer entities than
  ///   it counts.
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
      remarks.append(
        "The server changed while it was read: the namespaces are not all of the same moment.")
    } else {
      try await checkCounts(namespaces)
    }
    return WholeStore(
      Self.merged(namespaces.mapValues(\.store), schema), remarks: Array(Set(remarks)).sorted())
  }

  /// Reads the namespaces that are not of the newest transaction read so far.
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
          remarks.append("Changes that the server has not confirmed yet are among the data.")
        }
      } catch {
        // Namespaces of the system are given to administrators only.
        guard namespace.hasPrefix("$"), case .refused = error.code else { throw error }
        remarks.append("The server does not give \(namespace): it is not in the export.")
      }
    }
  }

  /// All entities of a namespace with all that they link to.
  private static func everything(in namespace: String, of schema: Schema) -> QueryDocument {
    let links = schema.attributes.filter {
      $0.namespace == namespace && $0.valueType == .ref
    }
    return QueryDocument(
      QueryPlan(
        namespace,
        relations: links.map { QueryPlan.Relation($0.label, QueryPlan($0.label, fields: [])) }))
  }

  /// The snapshot, when it is the server's present answer and not one that was kept.
  private func current(_ snapshot: StoreSnapshot) throws(DataSourceError) -> StoreSnapshot {
    switch snapshot.freshness {
    case .live, .optimistic: return snapshot
    case .stale(let reason), .offline(_, _, let reason):
      throw DataSourceError(
        .network(status: nil),
        "The server cannot give all of its data now: \(reason). Try again when it can be reached.",
        operation: .get)
    case .connecting, .archived:
      throw DataSourceError(
        .network(status: nil),
        "The server cannot be reached, so all of its data cannot be read.", operation: .get)
    }
  }

  /// Compares what was read with what the server counts, where it counts at all.
  private func checkCounts(_ namespaces: [String: StoreSnapshot]) async throws(DataSourceError) {
    for (namespace, snapshot) in namespaces.sorted(by: { $0.key < $1.key }) {
      guard let counting = try? await get(QueryDocument(QueryPlan(namespace, isCount: true))),
        counting.knownTransaction == snapshot.knownTransaction, counting.pending.count == 0,
        let count = counting.served?.counts[namespace]
      else { continue }
      let found = snapshot.store.count(of: namespace)
      guard found >= count else {
        throw .failed(
          "The server counts \(count) entities of \(namespace) and gave \(found): nothing was "
            + "exported.")
      }
    }
  }

  /// One store with each namespace from its own answer.
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
