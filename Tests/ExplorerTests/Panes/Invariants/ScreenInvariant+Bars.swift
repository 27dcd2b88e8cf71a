import Explorer
import TerminalUI

extension ScreenInvariant {
  /// Rules about the header, the footer and notices.
  static let bars = [
    ScreenInvariant("The header begins with the program and the store") { view in
      let row = view.frame.text(row: 0)
      return row.hasPrefix(" sonde  garden") ? nil : "it is “\(row)”"
    },
    ScreenInvariant("The header ends with the freshness of the data") { view in
      guard SceneMatrix.whyOver(view.scene, view.state) == nil else { return nil }
      let row = view.frame.text(row: 0)
      return view.freshness.first { !row.contains(" " + $0) }.map { "“\($0)” is not in “\(row)”" }
    },
    ScreenInvariant("The footer shows the notice, or else help and the way out") { view in
      let footer = view.frame.footerText
      if let notice = view.notice {
        let text = view.isHeard ? view.frame.text(row: view.frame.size.rows - 1) : footer
        let words = notice.text.spaced
        // A screen reader has one row for it.
        let shown = view.isHeard ? words.prefix(2) : words[...]
        return text.spaced.joined(separator: " ").contains(shown.joined(separator: " "))
          ? nil : "“\(notice.text)” is not in it"
      }
      if view.isHeard { return nil }
      let hints = view.frame.hints
      let leaves = ["quit", "close", "close list", "cancel"].contains { hints.values.contains($0) }
      if view.isTypedLine {
        return leaves && hints["enter"] != nil ? nil : "“\(footer)” has no enter or no escape"
      }
      return leaves && hints.values.contains("help") ? nil : "“\(footer)” has no help or no way out"
    },
    ScreenInvariant("If a pane cannot be opened, a notice states the reason") { view in
      guard view.reason != nil, view.state != .unfocused else { return nil }
      return view.notice == nil ? "there is no notice" : nil
    },
    ScreenInvariant("The reason why data may be out of date is visible") { view in
      guard let reason = view.state.staleReason, !view.isHeard, view.notice == nil else {
        return nil
      }
      let row = view.frame.text(row: view.frame.size.rows - 2)
      return row.contains(reason) ? nil : "“\(reason)” is not in “\(row)”"
    },
  ]
}

extension SceneView {
  /// The words in the header about the freshness of the data. A screen reader gets no signs.
  fileprivate var freshness: [String] {
    guard isHeard else { return state.freshness }
    return state.freshness.map { String($0.drop { !$0.isLetter && !$0.isNumber }) }
  }
}

extension Frame {
  /// The key hints in the last row: their labels by key.
  fileprivate var hints: [String: String] {
    var hints: [String: String] = [:]
    var key: String?
    for run in runs(row: size.rows - 1) {
      if run.paint == Paint(.key, on: .statusBar) {
        key = run.text.trimmingSpaces
      } else if let name = key {
        hints[name] = run.text.trimmingSpaces
        key = nil
      }
    }
    return hints
  }
}
