import InstaQL
import TerminalUI
import Triples

// Renders query plans and condition reports as text.
extension ExplainRequest {
  /// The lines of the explanation.
  ///
  /// - Complexity: O(matches of the query).
  package var lines: [TextLine] {
    let catalog = Catalog(snapshot: snapshot)
    let report = entity.map { ConditionReport($0, plan, in: catalog, isShown: isShown) }
    let duration = elapsed.map {
      TextLine("  Loading the rows on the screen took \(NumberText.elapsed($0))", .dim)
    }
    return way + (report.map { lines(of: $0) } ?? []) + evaluationLines(in: catalog)
      + [duration].compactMap { $0 }
  }

  private func evaluationLines(in catalog: Catalog) -> [TextLine] {
    if let evaluation {
      return [TextLine("How the \(executor.rawValue) evaluates the query", .title)]
        + evaluation.map { TextLine("  " + $0) }
    }
    if isShown != nil {
      let notice = "The \(executor.rawValue) evaluates the query; its query plan is not available"
      return [TextLine(notice, .dim)]
    }
    return [TextLine("How the query is evaluated", .title)] + Self.steps(plan, in: catalog)
  }

  private static func steps(_ plan: QueryPlan, in catalog: Catalog) -> [TextLine] {
    do throws(QueryError) {
      let explanation = try QueryEngine.explain(plan, in: catalog.store)
      let steps = explanation.steps.flatMap { step in
        let indent = String(repeating: "  ", count: step.depth + 1)
        let estimate = step.estimate.map { "estimated \(NumberText.grouped($0)), found " } ?? ""
        let found = NumberText.count(step.found, "row")
        return [
          TextLine(indent + step.what),
          TextLine(
            "\(indent)    \(step.how); \(estimate)\(found); \(NumberText.elapsed(step.time))", .dim),
        ]
      }
      let (rows, total) = (explanation.rows, NumberText.grouped(explanation.total))
      let noun = plan.groups.isEmpty ? "matching row" : "group"
      let result =
        switch explanation.total {
        case 0: plan.groups.isEmpty ? "no rows match" : "no groups"
        case _ where plan.isCount: "counted \(NumberText.count(explanation.total, noun))"
        case 1 where rows == 1: "returned the only \(noun)"
        case rows: "returned all \(total) \(noun)s"
        default: "returned \(NumberText.grouped(rows)) of \(total) \(noun)s"
        }
      return steps + [TextLine("  \(result); took \(NumberText.elapsed(explanation.time))")]
    } catch {
      return [TextLine("  " + error.message, .error)]
    }
  }

  private func lines(of verdict: ConditionReport) -> [TextLine] {
    let head = TextLine(verdict.sentence(by: executor), verdict.isIn ? .success : .warning)
    let wide = verdict.lines.map { $0.depth * 2 + TextWidth.columns(of: $0.what) }.max() ?? 0
    let conditions = verdict.lines.map { line in
      let indent = String(repeating: "  ", count: line.depth)
      let used = line.depth * 2 + TextWidth.columns(of: line.what)
      let gap = String(repeating: " ", count: max(0, min(wide, Self.maxWidth) - used) + 2)
      return TextLine(
        "  \(line.holds ? "✓" : "✗") \(indent)\(line.what)"
          + (line.values.map { gap + $0 } ?? ""), line.holds ? .text : .warning)
    }
    let none = verdict.lines.isEmpty ? [TextLine("  No filter", .dim)] : []
    return [head] + conditions + none + [TextLine("")]
  }

  /// The maximum width of the column of conditions. Values after wider conditions are not aligned.
  private static let maxWidth = 44
}
