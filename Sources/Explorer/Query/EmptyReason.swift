import InstaQL
import Triples

/// The reason why a query finds nothing.
struct EmptyReason: Sendable, Equatable {
  let plan: QueryPlan
  private let sentence: String

  init(plan: QueryPlan, sentence: String) {
    (self.plan, self.sentence) = (plan, sentence)
  }

  /// Creates the reason that a filter has the letters of a flag emoji, such as `flag = "AF"`. Nil if
  /// the answer is empty for another reason.
  init?(lettersOfFlagIn answer: Answer) {
    let (plan, store) = (answer.plan, answer.store)
    let letters = (plan.condition?.conjuncts ?? []).lazy.compactMap { condition -> String? in
      guard case .compare(let path, .equal, .text(let letters)) = condition,
        path.expression == nil, let flag = Self.flag(of: letters),
        let owner = store.schema.namespace(from: plan.namespace, along: path.links),
        let attribute = store.schema.attribute(owner, path.label),
        store.rows(attribute.id, .equal(.text(flag))).count > 0
      else { return nil }
      return letters
    }.first
    guard let letters else { return nil }
    self.init(
      plan: plan,
      sentence: "The letters \(letters) stand for a flag emoji. Filter by the cell that shows them."
    )
  }

  /// Creates the reason that a filter compares values of any type with a number in quotes, such as
  /// `meta.size > "3"`. Nil if the answer is empty for another reason.
  init?(quotedNumberIn answer: Answer) {
    let (plan, schema) = (answer.plan, answer.store.schema)
    let quoted = (plan.condition?.conjuncts ?? []).lazy.compactMap { condition -> String? in
      guard case .compare(let path, let comparison, .text(let text)) = condition,
        comparison == .equal || comparison.isOrdering, Value(exactNumber: text) != nil,
        schema.hasValuesOfAnyType(at: path, of: plan.namespace)
      else { return nil }
      return text
    }.first
    guard let quoted else { return nil }
    self.init(
      plan: plan, sentence: "\"\(quoted)\" is a string. To compare numbers, write \(quoted).")
  }

  /// Returns the emoji that is drawn as two uppercase letters; nil for any other text.
  private static func flag(of letters: String) -> String? {
    let scalars = letters.unicodeScalars
    guard scalars.count == 2, scalars.allSatisfy({ ("A"..."Z").contains($0) }) else { return nil }
    return String(
      String.UnicodeScalarView(
        scalars.compactMap { Unicode.Scalar(0x1F1E6 + $0.value - Unicode.Scalar("A").value) }))
  }

  /// Returns the sentence that says why `plan` finds nothing; nil if the reason is that of another
  /// query.
  func sentence(for plan: QueryPlan) -> String? { plan == self.plan ? sentence : nil }
}

extension Schema {
  /// Returns whether a path leads to an attribute without a type, or into its JSON.
  fileprivate func hasValuesOfAnyType(at path: AttributePath, of namespace: String) -> Bool {
    var plain = path
    if let expression = path.expression {
      guard case .path(let inner) = expression else { return false }
      plain = inner
    }
    return jsonPath(plain.labels, from: namespace).map { $0.attribute.checkedType == nil } ?? false
  }
}
