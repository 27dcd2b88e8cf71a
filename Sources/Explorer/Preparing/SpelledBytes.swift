import FoundationEssentials
import InstaQL
import LiveQueries
import Triples

// Bytes of a database: the screen knows how many there are, and who writes asks for them.
extension Schema {
  /// The attributes that may have bytes among their values.
  fileprivate var ofBytes: [Attribute] {
    attributes.filter { $0.column != nil && $0.checkedType == nil }
  }
}

extension Value {
  /// Whether it only says how many bytes a database has there.
  var isCountOfBytes: Bool {
    guard case .object(let object) = self, object.count == 1 else { return false }
    return object["bytes"] != nil
  }
}

extension TripleStore {
  /// Whether it says of some value only how many bytes it has.
  ///
  /// - Complexity: O(entities of tables that may have any).
  fileprivate var countsBytes: Bool {
    schema.ofBytes.contains { attribute in
      rows(of: attribute.namespace).handles.contains {
        value($0, attribute.id)?.isCountOfBytes == true
      }
    }
  }

  /// The same with what another one says of the bytes that are only counted here.
  fileprivate func spelling(by told: TripleStore) -> TripleStore {
    var steps: [TransactionStep] = []
    for attribute in schema.ofBytes {
      for entity in told.rows(of: attribute.namespace).handles {
        let id = told.id(of: entity)
        guard let own = handle(of: id), value(own, attribute.id)?.isCountOfBytes == true,
          case .text(let text)? = told.value(entity, attribute.id)
        else { continue }
        steps.append(.addTriple(.id(id), attribute.id, .text(text)))
      }
    }
    var copy = self
    // Where it cannot be said, it stays counted.
    _ = try? copy.transact(Transaction(steps), rules: .optimistic)
    return copy
  }
}

extension Answer {
  /// The same with the bytes of its rows, as far as they are told.
  func spelling(by told: TripleStore) -> Answer { adding([], in: store.spelling(by: told)) }

  /// What asks for the bytes of these rows, and of what the plan nests in them; nil where none are only
  /// counted, or the rows are too many to be named.
  func questionOfBytes(among rows: [EntityHandle]) -> QueryPlan? {
    guard table == nil, count == nil, !rows.isEmpty, rows.count <= Self.mostNamed,
      store.countsBytes
    else { return nil }
    let ids = rows.map { Value.text(store.id(of: $0).text) }
    return plan.removing(.filter, .order, .page).filter(.isIn(AttributePath(["id"]), ids))
  }

  private static let mostNamed = TextMenu.mostRows
}

extension QueryManager {
  /// What is to be made, with the bytes of a database where it would only count them.
  nonisolated func spelled(_ what: Preparation) async -> Preparation {
    guard case .text(let order) = what, let question = order.questionOfBytes else { return what }
    do throws(LiveFailure) {
      return .text(order.spelling(by: try await spelled(question)))
    } catch {
      // What is known is still a text.
      return what
    }
  }

  /// The order with the bytes of its rows.
  nonisolated func spelled(_ order: ExportOrder) async throws(LiveFailure) -> ExportOrder {
    guard case .result = order.form else { return order }
    switch order.rows {
    case .marked(let rows):
      guard let question = order.answer.questionOfBytes(among: rows) else { return order }
      return order.of(order.answer.spelling(by: try await spelled(question)))
    case .shown, .named, .all:
      guard order.answer.table == nil, order.answer.count == nil,
        order.answer.store.countsBytes
      else { return order }
      let plan = order.answer.plan
      let told = try await spelled(order.rows == .all ? plan.removing(.page) : plan)
      return order.of(order.answer.spelling(by: told))
    }
  }

  private nonisolated func spelled(_ plan: QueryPlan) async throws(LiveFailure) -> TripleStore {
    try await snapshot(of: QueryDocument(plan), showing: AnswerView(bytes: .spelled)).store
  }
}

extension ExportOrder {
  /// The same rows of the same answer, from a store that knows more.
  fileprivate func of(_ answer: Answer) -> ExportOrder {
    ExportOrder(
      form: form, rows: rows, path: path, isReplacing: isReplacing, answer: answer,
      snapshot: StoreSnapshot(answer.store, served: snapshot.served), title: title)
  }
}

extension SQLText {
  /// Bytes that are given in base64, as a statement has them; nil where they are not.
  static func bytes(_ base64: String) -> String? {
    guard let data = Data(base64Encoded: base64) else { return nil }
    let digits = Array("0123456789ABCDEF".utf8)
    let hex = data.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
    return "X'" + String(decoding: hex, as: UTF8.self) + "'"
  }
}
