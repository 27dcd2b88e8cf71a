import DataSources
import LiveQueries
import Triples

/// A transaction in one of two formats.
enum TransactionText {
  /// The steps of a transaction in the protocol's format.
  case steps(Transaction)
  /// InstaML operations, which are resolved against the store's schema.
  case operations([InstaMLOperation])

  init(_ json: Value) throws(Failure) {
    if Self.isSteps(json) {
      do throws(TransactionError) {
        self = .steps(try Transaction(json: json))
      } catch {
        var failure = Failure(DataSourceError(error))
        failure.hint = failure.hint ?? Self.help
        throw failure
      }
    } else {
      do throws(InstaMLError) {
        self = .operations(try InstaMLOperation.list(json: json))
      } catch {
        throw Failure(
          message: error.message, status: ExitStatus.invalidQuery,
          hint: Self.help)
      }
    }
  }

  /// Parses JSON, and keeps the digits that the columns of a schema keep.
  init(_ json: ExactJSON, for schema: Schema) throws(Failure) {
    let transaction: Value
    do throws(JSONError) {
      transaction = try json.transaction(in: schema)
    } catch {
      throw Failure(message: "Invalid number: \(error.reason).", status: ExitStatus.invalidQuery)
    }
    try self.init(transaction)
  }

  private static let help = "'sonde help transact' describes the operations and steps."

  /// Returns whether the JSON is a list whose first item begins with the name of a step.
  private static func isSteps(_ json: Value) -> Bool {
    guard case .array(let items) = json, case .array(let parts)? = items.first,
      case .text(let word)? = parts.first
    else { return false }
    return InstaMLOperation.Action(rawValue: word) == nil
  }

  private var count: Int {
    switch self {
    case .steps(let transaction): transaction.steps.count
    case .operations(let operations): operations.count
    }
  }

  /// Returns the transaction. For operations, it includes steps that create missing attributes.
  ///
  /// - Parameter isWhole: Whether the store is complete. In a partial store, an entity that is not
  ///   loaded may satisfy a requirement.
  /// - Throws: The store's error, with the number of the step or operation.
  func transaction(
    for store: TripleStore, isWhole: Bool
  ) throws(Failure) -> Transaction {
    let rules: TransactionRules = isWhole ? .store : .optimistic
    switch attempt(first: count, on: store, rules) {
    case .success(let transaction): return transaction
    case .failure(let refusal):
      let place = place(of: refusal, in: store, rules).map { "Step \($0): " } ?? ""
      var failure = Failure(refusal)
      failure.message = place + failure.message
      throw failure
    }
  }

  private func attempt(
    first count: Int, on store: TripleStore, _ rules: TransactionRules
  ) -> Result<Transaction, LiveFailure> {
    var copy = store
    do {
      let transaction =
        switch self {
        case .steps(let transaction): Transaction(Array(transaction.steps.prefix(count)))
        case .operations(let operations):
          try TransactionBuilder(Array(operations.prefix(count))).transaction(in: store)
        }
      _ = try copy.transact(transaction, rules: rules)
      return .success(transaction)
    } catch let error as TransactionError {
      return .failure(LiveFailure(DataSourceError(error)))
    } catch {
      return .failure(LiveFailure(message: "\(error)", kind: .refused))
    }
  }

  /// Returns the number of the step that the store rejected, counted from 1; nil if there is only
  /// one step.
  private func place(
    of refusal: LiveFailure, in store: TripleStore, _ rules: TransactionRules
  ) -> Int? {
    guard count > 1 else { return nil }
    var (least, most) = (1, count)
    while least < most {
      let middle = (least + most) / 2
      if case .failure(refusal) = attempt(first: middle, on: store, rules) {
        most = middle
      } else {
        least = middle + 1
      }
    }
    return least
  }
}
