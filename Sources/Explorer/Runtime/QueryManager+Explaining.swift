import InstaQL
package import LiveQueries
import Triples

// Explains how queries are evaluated.
extension QueryManager {
  /// The number of rows of the explained query that a database reads.
  private static let rowCount = 100

  /// Returns the lines of an explanation. A database executes the query again for them.
  package nonisolated func lines(of request: ExplainRequest) async -> [TextLine] {
    var request = request
    if let document = request.databaseQuery {
      var view = AnswerView(window: .init(count: Self.rowCount))
      view.explains = true
      view.showsTotals = false
      do throws(LiveFailure) {
        let snapshot = try await snapshot(of: document, showing: view)
        // A query that SQL cannot express is evaluated in memory.
        request.evaluation = try? QueryEngine.explain(request.plan, in: snapshot).lines
      } catch {
        request.evaluation = [error.message]
      }
    }
    return await Self.concurrently { [request] in request.lines }
  }
}
