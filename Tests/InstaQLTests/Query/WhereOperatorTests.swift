import InstaQL
import Testing
import Triples

@Suite("Operators of filters")
struct WhereOperatorTests {
  @Test("each operator builds the condition of its text", arguments: WhereOperator.allCases)
  func builds(_ chosen: WhereOperator) throws {
    let values: [Value]
    let operand: String
    switch chosen.operand {
    case .none: (values, operand) = ([], "")
    case .value: (values, operand) = ([5], "5")
    case .text: (values, operand) = (["5_%"], "'5_%'")
    case .list: (values, operand) = ([1, nil], "(1, null)")
    case .pair: (values, operand) = ([1, 2], "1 and 2")
    }
    let built = try #require(chosen.condition("a.b", values))
    #expect(try ConditionNode(parsing: "a.b \(chosen.spelling) \(operand)") == built)
    #expect(try ConditionNode(parsing: built.text) == built)
    #expect(!chosen.help.isEmpty)
  }

  @Test("too few, too many or wrong values give nil")
  func refuses() {
    #expect(WhereOperator.equal.condition("a") == nil)
    #expect(WhereOperator.isNull.condition("a", [1]) == nil)
    #expect(WhereOperator.between.condition("a", [1]) == nil)
    #expect(WhereOperator.contains.condition("a", [1]) == nil)
  }

  @Test("equal to null means is null")
  func null() {
    #expect(WhereOperator.equal.condition("a", [nil]) == .isNull("a", true))
    #expect(WhereOperator.notEqual.condition("a", [nil]) == .isNull("a", false))
  }

  @Test("contains, begins and ends match literally")
  func literalText() {
    #expect(
      WhereOperator.contains.condition("a", ["5%_\\"]) == .compare("a", .like, "%5\\%\\_\\\\%"))
    #expect(WhereOperator.begins.condition("a", ["x"]) == .compare("a", .like, "x%"))
    #expect(WhereOperator.ends.condition("a", ["x"]) == .compare("a", .like, "%x"))
  }
}
