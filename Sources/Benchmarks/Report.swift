/// The table of one run. It has a line for each measurement, which also shows whether a goal was
/// missed.
///
/// It has one column for this program, and one for each other implementation.
final class Report {
  enum Column: String, CaseIterable {
    case sonde = "sonde"
    case first = "first time"
    case flat = "flat arrays in C"
    case sqlite = "SQLite in memory"
    case duckdb = "DuckDB in memory"
  }

  private let title: String
  private var figures: [Work: [Column: Figure]] = [:]
  var entities = 0

  init(title: String) { self.title = title }

  func add(_ work: Work, _ figure: Figure, in column: Column = .sonde) {
    figures[work, default: [:]][column] = figure
  }

  func print() {
    Swift.print("\n\(title): milliseconds, median (minimum) and, for each peer, the ratio to it")
    let columns = Column.allCases.filter { column in
      figures.values.contains { $0[column] != nil }
    }
    let widest = Work.allCases.map(\.rawValue.count).max() ?? 0
    Swift.print(
      "".padded(widest) + columns.map { "  " + $0.rawValue.padded(26) }.joined() + "  verdict")
    for work in Work.allCases {
      guard let line = figures[work] else { continue }
      let cells = columns.map { column in
        let text = column == .first ? line[column]?.median.short : line[column]?.text
        let ratio = Self.ratio(line[.sonde], to: line[column], of: column)
        return "  " + ((text ?? "") + ratio).padded(26)
      }
      Swift.print(work.rawValue.padded(widest) + cells.joined() + "  " + verdict(on: work))
    }
  }

  /// Returns `ok` if the median meets the goal. Otherwise returns the ratio of the median to the
  /// goal.
  private func verdict(on work: Work) -> String {
    guard let goal = work.goal, let line = figures[work], let own = line[.sonde]?.median else {
      return ""
    }
    switch goal {
    case .milliseconds(let most): return Self.compare(own, most)
    case .bytes(let most): return Self.compare(own, most)
    case .perMillionEntities(let most):
      return Self.compare(own, most * Double(entities) / 1_000_000)
    case .timesFlat(let times): return Self.times(own, line[.flat], times, "flat")
    case .timesFlatAndSQLite(let times, let part):
      return [
        Self.times(own, line[.flat], times, "flat"),
        Self.times(own, line[.sqlite], part, "SQLite"),
      ].joined(separator: ", ")
    }
  }

  /// Returns our median divided by a peer's, as a text such as ` 0.5×`. Empty for our own columns.
  private static func ratio(_ own: Figure?, to peer: Figure?, of column: Column) -> String {
    guard column != .sonde, column != .first, let own, let peer, peer.median > 0 else { return "" }
    return " \((own.median / peer.median).short)×"
  }

  private static func compare(_ own: Double, _ most: Double) -> String {
    own <= most ? "ok" : "\((own / most).short) of the goal \(most.short)"
  }

  private static func times(
    _ own: Double, _ peer: Figure?, _ most: Double, _ name: String
  ) -> String {
    guard let peer, peer.median > 0 else { return "" }
    let times = own / peer.median
    return (times <= most ? "ok: " : "MISS: ") + "\(times.short) × \(name)"
  }
}

extension String {
  /// Returns the text padded with spaces to a width.
  func padded(_ width: Int) -> String {
    self + String(repeating: " ", count: max(0, width - count))
  }
}
