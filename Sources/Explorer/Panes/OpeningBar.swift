import LiveQueries
import TerminalUI

/// How far the opening of a store has come, in the place of its rows.
///
///     Opening tasks.sonde
///     ███████████░░░░░░░░░  57 %
///     3 480 000 of 6 100 000 rows
struct OpeningBar {
  private let name: String
  private let progress: LoadingProgress

  init(_ name: String, _ progress: LoadingProgress) {
    (self.name, self.progress) = (name, progress)
  }

  private static let longest = 40

  func draw(into frame: inout Frame, area: Rect) {
    for (number, line) in lines(width: area.columns - 2).prefix(max(0, area.rows)).enumerated() {
      frame.write(
        line.text, row: area.row + number, column: area.column + 1,
        width: max(0, area.columns - 2), paint: Paint(line.role))
    }
  }

  private func lines(width: Int) -> [(text: String, role: Role)] {
    var lines: [(text: String, role: Role)] = [("Opening \(name)", .text)]
    let done = NumberText.grouped(progress.done)
    guard let fraction = progress.fraction, let total = progress.total else {
      return lines + [("\(done) \(progress.unit.rawValue)", .dim)]
    }
    let room = max(0, min(Self.longest, width - 7))
    let filled = Int(fraction * Double(room))
    let bar = String(repeating: "█", count: filled) + String(repeating: "░", count: room - filled)
    lines.append(("\(bar)  \(Int(fraction * 100)) %", .number))
    lines.append(
      ("\(done) of \(NumberText.grouped(total)) \(progress.unit.rawValue)", .dim))
    return lines
  }
}
