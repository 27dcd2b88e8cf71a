package import InstaQL
import Triples

/// Where a rendered text goes: to the clipboard, or to the pager or editor.
package enum TextSink: Sendable, Equatable {
  case copying, outside

  /// The maximum size of the text of many rows in bytes.
  private var maxBytes: Int {
    switch self {
    case .copying: 1 << 20
    case .outside: 32 << 20
    }
  }

  /// Returns the text of a rendering.
  ///
  /// - Parameter tell: Called at intervals with the number of rows done so far.
  /// - Throws: `cancelled` if the task is canceled, or an error if the text is too long or the
  ///   format cannot represent the answer.
  package func text(
    of rendering: Rendering, tell: (Int) -> Void = { _ in }
  ) throws(QueryError) -> String {
    let maxBytes = rendering.format.isLimited ? maxBytes : .max
    var portions = rendering.portions(upTo: maxBytes)
    var text: [UInt8] = []
    while let bytes = try portions.next() {
      text += bytes
      if Task.isCancelled { throw .cancelled }
      if text.count > maxBytes { throw .store(RuntimeWords.tooLongForPager) }
      if portions.done > 0, portions.done < portions.count { tell(portions.done) }
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// Returns the notice that a text cannot be rendered, with a format to use instead.
  func notice(of error: QueryError, _ rendering: Rendering) -> Notice {
    switch self {
    case .copying: .tooManyRowsToCopy(rendering.answer.pageCount)
    case .outside: .tooLongForPager(error.message)
    }
  }
}

extension Rendering.Format {
  fileprivate var isLimited: Bool {
    switch self {
    case .result, .json, .object: true
    case .table, .ids, .insertion, .values: false
    }
  }
}

// Previews of texts.
extension Rendering {
  /// The first line of the text, rendered from a few rows without links; nil if that fails.
  var preview: String? {
    if case .values(.link(let link), nil) = format {
      let count = answer.rows.first.map { catalog.store.targets($0, link).count } ?? 0
      return "\(NumberText.grouped(count)) ids"
    }
    if let groups = answer.table { return "\(NumberText.grouped(groups.rows.count)) groups" }
    return (try? beginning(rows: Self.rowsLookedAt)).flatMap { try? TextSink.copying.text(of: $0) }
  }

  private static let rowsLookedAt = 8
}
