import InstaQL
import Triples

/// Work that may take longer than a key press. It runs in the background while the user goes on.
package enum Preparation: Sendable, Equatable {
  case text(Rendering, TextSink)
  case deletion(DeletionPreviewRequest)

  /// The notice while the work runs.
  var title: String {
    switch self {
    case .text: Notice.renderingText
    case .deletion: Notice.previewingDeletion
    }
  }

  /// Runs the work.
  ///
  /// - Parameter tell: Called with the number of rows done so far.
  /// - Returns: The response; nil if the task was canceled.
  package func run(tell: (Int) -> Void = { _ in }) -> Response? {
    switch self {
    case .text(let rendering, let sink):
      do throws(QueryError) {
        return .text(try sink.text(of: rendering, tell: tell), sink)
      } catch .cancelled {
        return nil
      } catch {
        return .failed(sink.notice(of: error, rendering))
      }
    case .deletion(let order):
      if let refusal = order.refusal { return .failed(refusal) }
      do throws(TransactionError) {
        return .deletion(try order.foreseen())
      } catch {
        return .failed(.error(error.message))
      }
    }
  }
}
