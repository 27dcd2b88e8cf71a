import FoundationEssentials
import GRDB
import InstaQL
import Synchronization
import Triples

/// The functions of ``DocumentFunction`` for SQLite, which read cells as ``CellReader`` does.
enum JSONFunctions {
  static let all = DocumentFunction.allCases.map { function($0) }

  private static func function(_ kind: DocumentFunction) -> DatabaseFunction {
    DatabaseFunction(kind.rawValue, argumentCount: 2, pure: true) { values in
      guard case .string(let text) = values[1].storage else { return nil }
      return result(of: kind, JSONCell.value(of: values[0]), text)
    }
  }

  private static func result(
    of kind: DocumentFunction, _ document: Value, _ text: String
  ) -> DatabaseValue {
    if kind == .test {
      return (tests.test(text)?.holds(for: document) ?? false).databaseValue
    }
    let value = DocumentPath(text).part(of: document)
    switch kind {
    case .test: return .null
    case .order: return value.orderKey.map { Data($0).databaseValue } ?? .null
    case .text: return value == .null ? .null : JSONCell.text(of: value).databaseValue
    case .group: return value.groupKey?.databaseValue ?? .null
    case .number: return value.numberToCount?.databaseValue ?? .null
    }
  }

  /// The parsed tests of recent statements.
  private static let tests = ParsedTests()

  private final class ParsedTests: Sendable {
    private let known = Mutex<[String: DocumentTest]>([:])
    private static let maxTests = 100

    func test(_ text: String) -> DocumentTest? {
      known.withLock { known in
        if let test = known[text] { return test }
        if known.count >= Self.maxTests { known = [:] }
        let test = DocumentTest(text)
        known[text] = test
        return test
      }
    }
  }
}
