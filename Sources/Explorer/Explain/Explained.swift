import InstaQL
package import TerminalUI
import Triples

/// A line to read, and how it is coloured.
package struct TextLine: Sendable, Equatable {
  package let text: String
  package let role: Role

  package init(_ text: String, _ role: Role = .text) {
    self.text = text
    self.role = role
  }
}

/// How a query is answered, and why one entity is among its rows or is not.
enum Explained {
  /// - Parameter isShown: Of a store elsewhere, whether the entity is among the rows that came; nil
  ///   where all is known.
  /// - Complexity: O(matches of the query).
  static func lines(
    _ plan: QueryPlan, _ entity: EntityID?, in snapshot: StoreSnapshot, isShown: Bool? = nil,
    by keeper: ExplainOrder.Keeper = .server
  ) -> [TextLine] {
    let catalog = Catalog(snapshot: snapshot)
    let why =
      entity.map { lines(of: Verdict($0, plan, in: catalog, isShown: isShown), by: keeper) } ?? []
    if isShown != nil {
      let untold = "The \(keeper.rawValue) answers the query, and does not tell how"
      return why + [TextLine(untold, .dim)]
    }
    return why + [TextLine("How the query is answered", .title)] + steps(plan, in: catalog)
  }

  private static func steps(_ plan: QueryPlan, in catalog: Catalog) -> [TextLine] {
    do throws(QueryError) {
      let explanation = try QueryEngine.explain(plan, in: catalog.store)
      let steps = explanation.steps.flatMap { step in
        let indent = String(repeating: "  ", count: step.depth + 1)
        let estimate = step.estimate.map { "guessed \(NumberText.grouped($0)), " } ?? ""
        let found = "found \(NumberText.grouped(step.found))"
        return [
          TextLine(indent + step.what),
          TextLine(
            "\(indent)    \(step.how); \(estimate)\(found); \(NumberText.elapsed(step.time))", .dim),
        ]
      }
      let rows = explanation.rows == 1 ? "1 row" : "\(NumberText.grouped(explanation.rows)) rows"
      let all =
        explanation.rows == explanation.total
        ? "all that match" : "of the \(NumberText.grouped(explanation.total)) that match"
      let found = explanation.total == 0 ? "nothing matches" : "\(rows), \(all)"
      return steps + [TextLine("  \(found), in \(NumberText.elapsed(explanation.time))")]
    } catch {
      return [TextLine("  " + error.message, .error)]
    }
  }

  private static func lines(
    of verdict: Verdict, by keeper: ExplainOrder.Keeper
  ) -> [TextLine] {
    let head = TextLine(verdict.sentence(by: keeper), verdict.isIn ? .success : .warning)
    let wide = verdict.lines.map { $0.depth * 2 + TextWidth.columns(of: $0.what) }.max() ?? 0
    let conditions = verdict.lines.map { line in
      let indent = String(repeating: "  ", count: line.depth)
      let used = line.depth * 2 + TextWidth.columns(of: line.what)
      let gap = String(repeating: " ", count: max(0, min(wide, widest) - used) + 2)
      return TextLine(
        "  \(line.holds ? "✓" : "✗") \(indent)\(line.what)"
          + (line.values.map { gap + $0 } ?? ""), line.holds ? .text : .warning)
    }
    let none = verdict.lines.isEmpty ? [TextLine("  There is no condition", .dim)] : []
    return [head] + conditions + none + [TextLine("")]
  }

  /// Values beside longer conditions stand where these end.
  private static let widest = 44
}
