package import InstaQL
package import LiveQueries
package import Triples

/// What shall be written to a file: in which form, which rows, and where.
package struct ExportOrder: Sendable, Equatable {
  package let form: ExportForm
  package let rows: ExportRows
  /// As it was typed: `~` and names within the working folder are allowed.
  package let path: String
  /// Whether what stands there may go.
  package let isReplacing: Bool
  /// What the screen shows.
  package let answer: Answer
  package let snapshot: StoreSnapshot
  /// What a backup calls the store.
  package let title: String
  /// Everything in the store, once it was read for the order.
  package var whole: WholeStore?

  package static func == (a: ExportOrder, b: ExportOrder) -> Bool {
    a.form == b.form && a.rows == b.rows && a.path == b.path && a.isReplacing == b.isReplacing
      && a.answer == b.answer && a.snapshot == b.snapshot && a.title == b.title
  }
}

/// Which rows of an answer are written.
package enum ExportRows: Sendable, Equatable {
  /// Those of the page that is shown.
  case shown
  /// All that match, whatever limit the query sets.
  case all
  case marked([EntityHandle])
  /// The marked ones of an answer of which the screen holds a part.
  case named([EntityID])
}

/// The forms that a file can have: those of an answer, and those of the whole store.
package enum ExportForm: Sendable, Hashable, CaseIterable {
  case result(ResultFormat)
  /// The table as the screen shows it.
  case text
  case backup, dump, jsonFolder, csvFolder

  package static var allCases: [ExportForm] {
    [.result(.csv)] + ResultFormat.allCases.filter { $0 != .csv }.map(ExportForm.result)
      + [.text, .backup, .dump, .jsonFolder, .csvFolder]
  }

  /// Whether the whole store is written, and not an answer.
  package var isStore: Bool {
    switch self {
    case .result, .text: false
    case .backup, .dump, .jsonFolder, .csvFolder: true
    }
  }

  /// What it is called, and what it is.
  package var words: (name: String, help: String) {
    switch self {
    case .result(.csv): ("csv", "values between commas, names in the first line")
    case .result(.tsv): ("tsv", "values between tabs, names in the first line")
    case .result(.json): ("json", "one object, nested as the query is")
    case .result(.ndjson): ("ndjson", "an object a line")
    case .result(.markdown): ("markdown", "a table for a document")
    case .text: ("text", "the table as it is on the screen")
    case .backup: ("backup", "the whole store, as a zip that sonde opens")
    case .dump: ("dump", "the whole store, as attributes and triples")
    case .jsonFolder: ("json folder", "the whole store, a file for each namespace")
    case .csvFolder: ("csv folder", "the whole store, a file for each namespace")
    }
  }

  /// The ending of the file's name, with its dot.
  var ending: String {
    switch self {
    case .result(let format): "." + format.fileExtension
    case .text: ".txt"
    case .backup: ".zip"
    case .dump: ".json"
    case .jsonFolder, .csvFolder: ""
    }
  }
}

/// What came of an order.
package enum ExportOutcome: Sendable, Equatable {
  /// - Parameters:
  ///   - path: Where it is now, from the root.
  ///   - rows: Nil for a whole store.
  case written(path: String, rows: Int?, bytes: Int?)
  /// Something stands there that was not to be replaced.
  case exists(String)
  case failed(String)
  case cancelled
}
