import InstaQL
import Triples

/// What is wanted at once and may take longer than a key: it is made aside, and keys go on meanwhile.
package enum Preparation: Sendable, Equatable {
  case text(TextOrder)
  case deletion(DeletionOrder)

  /// What is said while it is made.
  var title: String {
    switch self {
    case .text: Notice.renderingText
    case .deletion: Notice.previewingDeletion
    }
  }

  /// Makes it.
  ///
  /// - Parameter tell: Told how many rows are done.
  /// - Returns: What came of it; nil when nobody waits for it any more.
  package func made(tell: (Int) -> Void = { _ in }) -> Prepared? {
    switch self {
    case .text(let order):
      do throws(QueryError) {
        return .text(try order.text(tell: tell), order.use)
      } catch .cancelled {
        return nil
      } catch {
        return .failed(order.notice(of: error))
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

/// What came of a preparation.
package enum Prepared: Sendable, Equatable {
  case text(String, TextUse)
  case deletion(ForeseenDeletion)
  /// Why there is nothing.
  case failed(Notice)
}
