import Triples

/// A condition on a computed value, such as `population / area > 100`.
struct ComputedTest: Sendable {
  enum Test: Sendable {
    /// The value must pass the test. Null is tested like any other value.
    case cell(CellTest)
    /// The value must not equal the value of the test. Null passes.
    case different(CellTest)
    case isNull
    case isStored
    /// The relation must hold between the value and another computed value. If either of them is
    /// null, only `!=` holds.
    case compared(FieldComparison.Relation, PreparedExpression)
  }

  let value: PreparedExpression
  let test: Test
  /// The condition as query text, shown by `explain`.
  let text: String

  func holds(for entity: EntityHandle, in store: TripleStore) -> Bool {
    holds(for: .entity(entity, store))
  }

  func holds(for source: PreparedExpression.Source) -> Bool {
    let value = value.value(of: source)
    switch test {
    case .cell(let test): return test.matches(value)
    case .different(let test): return !test.matches(value)
    case .isNull: return value == .null
    case .isStored: return value != .null
    case .compared(let relation, let other):
      let isDate = self.value.type == .date || other.type == .date
      return FieldComparison.holds([value], relation, [other.value(of: source)], isDate: isDate)
    }
  }

  /// Calls `body` for each attribute that the test reads, and passes the links that lead to the
  /// attribute.
  func forEachSource(_ body: ([Link], Attribute?) -> Void) {
    value.forEachSource(body)
    if case .compared(_, let other) = test { other.forEachSource(body) }
  }
}

extension ComputedTest {
  /// Creates the test. Nil if no computed value can pass it, such as `= null`.
  init?(_ value: PreparedExpression, _ question: ValueQuestion, text: String) {
    func cell(_ predicate: ValuePredicate) -> CellTest {
      CellTest(predicate, isDate: value.type == .date)
    }
    let test: Test
    switch question {
    case .positive(.equal(.null)), .never, .idPrefix: return nil
    case .positive(.notNull), .notEqual(.null): test = .isStored
    case .positive(let predicate): test = .cell(cell(predicate))
    case .notEqual(let other): test = .different(cell(.equal(other)))
    case .isNull: test = .isNull
    case .reference(.compare(let comparison, let other)):
      self.init(value, ValueQuestion(comparison, other), text: text)
      return
    case .reference(.isIn(let values)):
      self.init(value, .positive(.oneOf(values)), text: text)
      return
    }
    self.init(value: value, test: test, text: text)
  }
}
