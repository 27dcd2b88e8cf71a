/// The table of one run: a line for each work, a column for us and each peer.
final class Report {
  private let title: String
  private var works: [String] = []
  private var cells: [String: [String: String]] = [:]
  private var columns: [String] = []

  init(title: String) { self.title = title }

  func add(_ work: String, _ column: String = "sonde", _ text: String) {
    if !works.contains(work) { works.append(work) }
    if !columns.contains(column) { columns.append(column) }
    cells[work, default: [:]][column] = text
  }

  func add(_ work: String, _ figure: Figure) { add(work, "sonde", figure.text) }

  func print() {
    let first = works.map(\.count).max() ?? 0
    Swift.print("\n\(title): milliseconds, median (least)")
    let heading = "".padded(first) + columns.map { "  " + $0.padded(22) }.joined()
    Swift.print(heading)
    for work in works {
      let line = columns.map { "  " + (cells[work]?[$0] ?? "").padded(22) }.joined()
      Swift.print(work.padded(first) + line)
    }
  }
}

extension String {
  fileprivate func padded(_ width: Int) -> String {
    self + String(repeating: " ", count: max(0, width - count))
  }
}
