package import InstaQL
package import LiveQueries
package import Triples

/// A request to write rows to a file or a shell command: the format, the rows and the path.
package struct ExportOrder: Sendable, Equatable {
  package let form: ExportForm
  package internal(set) var rows: ExportRows
  /// The path as typed. It may be relative, or begin with `~`, or with `|` for a command.
  package let path: String
  /// The shell command that reads the rows; nil if a file is written.
  package internal(set) var command: ShellCommand?
  /// Whether an existing file may be replaced, and a missing folder created.
  package let isReplacing: Bool
  /// The answer on the screen.
  package internal(set) var answer: Answer
  package internal(set) var snapshot: StoreSnapshot
  /// The columns to write; nil for all fields of the query.
  var columns: [TableColumn]?
  /// The links of the rows, if `snapshot` does not contain them.
  var linked: StoreSnapshot?
  /// Whether `linked` may lack some targets of a link.
  var linksAreLimited = true
  /// The store's name, which is written to a backup.
  package let title: String
  /// The whole store; nil for an export of rows, and until the store has been read.
  package var whole: WholeStore?

  init(
    form: ExportForm, rows: ExportRows, path: String = "",
    isReplacing: Bool = false, answer: Answer, snapshot: StoreSnapshot, title: String
  ) {
    self.form = form
    self.rows = rows
    self.path = path
    self.isReplacing = isReplacing
    self.answer = answer
    self.snapshot = snapshot
    self.title = title
  }

  /// Returns the shell command that follows a `|` in the typed path; nil for a file path.
  static func command(in path: String) -> String? {
    let typed = path.drop(while: \.isWhitespace)
    guard typed.first == "|" else { return nil }
    return String(typed.dropFirst().drop(while: \.isWhitespace))
  }

  package static func == (a: ExportOrder, b: ExportOrder) -> Bool {
    a.form == b.form && a.rows == b.rows && a.path == b.path && a.command == b.command
      && a.isReplacing == b.isReplacing && a.answer == b.answer && a.snapshot == b.snapshot
      && a.title == b.title && a.columns == b.columns
  }

  /// The catalog of the rows to write.
  var catalog: Catalog {
    Catalog(snapshot: snapshot, linked: linked, isLimited: linksAreLimited)
  }

  /// Returns the rows to write in a format.
  package func rendering(_ format: Rendering.Format) throws(QueryError) -> Rendering {
    Rendering(format, of: try answerToWrite(), in: catalog, columns: columns)
  }

  private func answerToWrite() throws(QueryError) -> Answer {
    switch rows {
    case .shown: answer
    case .all: try QueryEngine.answer(answer.plan.removing(.page), in: snapshot.store)
    case .marked(let ids): answer.choosing(ids.compactMap { answer.store.handle(of: $0) })
    }
  }

  // MARK: What the file lacks

  /// The sentences about data of the rows that the file lacks.
  package var remarks: [String] {
    get throws(QueryError) {
      guard let columns, answer.table == nil, answer.count == nil else { return [] }
      var remarks: [String] = []
      let missing = fieldsBeside(columns)
      if !missing.isEmpty { remarks.append("Not in the file: \(Self.listed(missing)).") }
      let cut = try cutLinks(of: columns)
      if !cut.isEmpty {
        remarks.append("Not all rows linked by \(Self.listed(cut)) were loaded.")
        remarks.append(
          snapshot.served?.canGiveAll == true
            ? "Export fewer rows at once." : "Export again when the server answers.")
      }
      return remarks
    }
  }

  /// Returns the fields that the query selects and the columns do not contain.
  private func fieldsBeside(_ columns: [TableColumn]) -> [String] {
    let titles = Set(answer.titles(of: columns))
    var all = TableColumn.all(of: answer.plan, in: catalog)
    if answer.plan.selectsAll {
      // A derived id is no field of the file.
      let isDerived = catalog.schema.hasDerivedIDs(answer.namespace)
      all = catalog.lines(of: answer.namespace).map { TableColumn(source: $0) }
        .filter { !isDerived || $0.attribute?.isIdentity != true }
    }
    return answer.titles(of: all).uniqued.filter { !titles.contains($0) }
  }

  /// Returns the links of the columns for which some rows have targets that are not loaded.
  private func cutLinks(of columns: [TableColumn]) throws(QueryError) -> [String] {
    guard snapshot.served != nil, linksAreLimited else { return [] }
    let (catalog, rows) = (catalog, try answerToWrite().rows)
    return columns.links(besides: answer.plan).filter { link in
      rows.contains { catalog.linkedEntities(of: $0, link)?.isCut ?? true }
    }.map(\.label)
  }

  private static func listed(_ names: [String]) -> String {
    guard names.count > maxListed + 1 else { return names.joined(separator: ", ") }
    return names.prefix(maxListed).joined(separator: ", ") + " and \(names.count - maxListed) more"
  }

  private static let maxListed = 5

  /// The links in the columns that the query does not include, so that they may not be loaded.
  var linksBeside: [Link] { (columns ?? []).links(besides: answer.plan) }
}

extension Answer {
  /// Returns the titles of columns in a file. What the rows' own file calls `id` keeps this name.
  func titles(of columns: [TableColumn]) -> [String] {
    let own = store.schema.fileID(of: namespace)
    let hasID = columns.contains { $0.attribute?.isIdentity == true }
    return columns.map { column in
      guard let own, !hasID else { return column.label }
      return column.attribute?.id == own.id ? "id" : column.label
    }
  }
}

/// The rows of an answer that an export writes.
package enum ExportRows: Sendable, Equatable {
  /// The rows of the current page.
  case shown
  /// All matching rows, regardless of the query's limit.
  case all
  /// The rows with these ids. Some of them may not be loaded.
  case marked([EntityID])
}

/// The formats of a file: for answers, and for whole stores.
package enum ExportForm: Sendable, Hashable, CaseIterable {
  case result(ResultFormat)
  /// The table as the screen shows it.
  case text
  case backup, dump, jsonFolder, csvFolder

  package static var allCases: [ExportForm] {
    [.result(.csv)] + ResultFormat.allCases.filter { $0 != .csv }.map(ExportForm.result)
      + [.text, .backup, .dump, .jsonFolder, .csvFolder]
  }

  /// Whether the whole store is written instead of an answer.
  package var isStore: Bool {
    switch self {
    case .result, .text: false
    case .backup, .dump, .jsonFolder, .csvFolder: true
    }
  }

  /// Whether the user can choose the columns. Other formats are nested like the query, or write
  /// the whole store.
  var hasColumns: Bool {
    switch self {
    case .result(let format): format.isFlat
    case .text: true
    case .backup, .dump, .jsonFolder, .csvFolder: false
    }
  }

  /// The format's name and description.
  package var words: (name: String, help: String) {
    switch self {
    case .result(.csv): ("csv", "separated by commas, with a header")
    case .result(.tsv): ("tsv", "separated by tabs, with a header")
    case .result(.json): ("json", "one object, nested like the query")
    case .result(.ndjson): ("ndjson", "one object per line")
    case .result(.markdown): ("markdown", "a table for Markdown documents")
    case .text: ("text", "the table as shown on the screen")
    case .backup: ("backup", "the whole store, as a zip that sonde opens")
    case .dump: ("dump", "the whole store, as attributes and triples")
    case .jsonFolder: ("json folder", "the whole store, one file per namespace")
    case .csvFolder: ("csv folder", "the whole store, one file per namespace")
    }
  }

  /// The extension of the file's name, with a dot.
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

/// The result of an export.
package enum ExportOutcome: Sendable, Equatable {
  /// The export wrote a file.
  ///
  /// - Parameters:
  ///   - path: The absolute path.
  ///   - rows: The number of rows; nil for a whole store.
  ///   - remarks: The sentences about data that the export lacks.
  case written(path: String, rows: Int?, bytes: Int?, remarks: [String] = [])
  /// The export wrote a temporary file for a command, which is removed after the command has read
  /// it.
  case piped(command: ShellCommand, file: String, rows: Int)
  /// The file at this path exists and may not be replaced.
  case exists(String)
  /// The folder of this path does not exist and may not be created.
  case folderMissing(String, folder: String)
  case failed(String)
  case cancelled
}

/// The user's choice of the rows to export. It stays valid while the data changes.
enum ExportScope: Sendable, Equatable, CaseIterable {
  case marked, shown, all
}
