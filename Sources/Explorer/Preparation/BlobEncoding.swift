import FoundationEssentials
import InstaQL
import LiveQueries
import Triples

// Loads BLOB values as base64 for exports. The screen only knows the sizes of BLOBs.
extension Schema {
  /// The attributes that can have BLOB values.
  fileprivate var ofBytes: [Attribute] {
    attributes.filter { $0.column != nil && $0.checkedType == nil }
  }
}

extension Value {
  /// Whether the value represents a BLOB by its size, because the contents are not loaded.
  var isCountOfBytes: Bool {
    guard case .object(let object) = self, object.count == 1 else { return false }
    return object["bytes"] != nil
  }

  /// The size of a BLOB in bytes; nil for any other value.
  var byteCount: Int? {
    guard isCountOfBytes, case .object(let object) = self,
      case .integer(let count)? = object["bytes"]
    else { return nil }
    return Int(clamping: count)
  }
}

extension TripleStore {
  /// Whether any value represents a BLOB by its size.
  ///
  /// - Complexity: O(entities of tables that can have BLOBs).
  fileprivate var countsBytes: Bool {
    schema.ofBytes.contains { attribute in
      rows(of: attribute.namespace).handles.contains {
        value($0, attribute.id)?.isCountOfBytes == true
      }
    }
  }

  /// Returns the store with the sizes of BLOBs replaced by the base64 text that `blobs` contains.
  fileprivate func resolvingBlobs(by blobs: TripleStore) -> TripleStore {
    var steps: [TransactionStep] = []
    for attribute in schema.ofBytes {
      for entity in blobs.rows(of: attribute.namespace).handles {
        let id = blobs.id(of: entity)
        guard let own = handle(of: id), value(own, attribute.id)?.isCountOfBytes == true,
          case .text(let text)? = blobs.value(entity, attribute.id)
        else { continue }
        steps.append(.addTriple(.id(id), attribute.id, .text(text)))
      }
    }
    var copy = self
    // If the text cannot be stored, the store keeps the sizes.
    _ = try? copy.transact(Transaction(steps), rules: .optimistic)
    return copy
  }
}

extension Answer {
  /// Returns the answer with the sizes of BLOBs replaced by the base64 text that `blobs` contains.
  func resolvingBlobs(by blobs: TripleStore) -> Answer {
    adding([], in: store.resolvingBlobs(by: blobs))
  }

  /// Returns the query that loads the BLOBs of these rows and of their nested rows.
  ///
  /// Nil if there are no BLOBs, or if there are too many rows to list them by id.
  func blobQuery(among rows: [EntityHandle]) -> QueryPlan? {
    guard table == nil, count == nil, !rows.isEmpty, rows.count <= Self.maxNamed,
      store.countsBytes
    else { return nil }
    let ids = rows.map { store.id(of: $0) }
    return plan.removing(.filter, .order, .page)
      .filter(store.schema.condition(matching: ids, in: plan.namespace))
  }

  private static let maxNamed = TextMenu.maxRows
}

extension QueryManager {
  /// Returns the text to render, with BLOB contents as base64 instead of their sizes.
  nonisolated func includingBlobs(_ what: Preparation) async -> Preparation {
    guard case .text(let rendering, let sink) = what, let blobQuery = rendering.blobQuery else {
      return what
    }
    do throws(LiveFailure) {
      return .text(rendering.resolvingBlobs(by: try await includingBlobs(blobQuery)), sink)
    } catch {
      // If the bytes cannot be loaded, a text with the sizes is still useful.
      return what
    }
  }

  /// Returns the export, with BLOB contents as base64 instead of their sizes.
  nonisolated func includingBlobs(_ order: ExportOrder) async throws(LiveFailure) -> ExportOrder {
    guard case .result = order.form else { return order }
    switch order.rows {
    case .marked(let ids):
      let rows = ids.compactMap { order.answer.store.handle(of: $0) }
      guard let blobQuery = order.answer.blobQuery(among: rows) else { return order }
      return order.replacingAnswer(
        with: order.answer.resolvingBlobs(by: try await includingBlobs(blobQuery)))
    case .shown, .all:
      guard order.answer.table == nil, order.answer.count == nil,
        order.answer.store.countsBytes
      else { return order }
      let plan = order.answer.plan
      let blobs = try await includingBlobs(order.rows == .all ? plan.removing(.page) : plan)
      return order.replacingAnswer(with: order.answer.resolvingBlobs(by: blobs))
    }
  }

  private nonisolated func includingBlobs(_ plan: QueryPlan) async throws(LiveFailure)
    -> TripleStore
  {
    try await snapshot(of: QueryDocument(plan), showing: AnswerView(bytes: .spelled)).store
  }
}

extension ExportOrder {
  /// Returns the export with `answer`, whose rows are the same but contain more data.
  fileprivate func replacingAnswer(with answer: Answer) -> ExportOrder {
    var order = self
    order.answer = answer
    order.snapshot = StoreSnapshot(answer.store, served: snapshot.served)
    return order
  }
}

extension SQLText {
  /// Returns the SQL literal of bytes given in base64; nil if the text is not base64.
  static func bytes(_ base64: String) -> String? {
    guard let data = Data(base64Encoded: base64) else { return nil }
    let digits = Array("0123456789ABCDEF".utf8)
    let hex = data.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
    return "X'" + String(decoding: hex, as: UTF8.self) + "'"
  }
}
