/// The role of a part of the screen. Themes give each role a style.
///
/// A role without a style in a theme uses the style of its `fallback`.
package enum Role: UInt8, CaseIterable, Hashable, Sendable {
  // General
  case text, dim, emphasis
  // Title bar, tabs and footer
  case titleBar, titleBarName, storeLabel, tab, tabActive, crumb
  case statusBar, key, keyLabel, clock
  // Panes
  case border, borderFocused, title, titleFocused, titleDetail
  case scrollbar, scrollbarThumb
  // Tables, trees and lists
  case header, headerSorted, separator, treeGuide, count, namespace, attribute, attributeType, icon
  case selection, selectionUnfocused, cursorCell, marked
  case match, matchCurrent
  // Values
  case number, string, boolean, date, null, missing, identifier, link, linkCount, documentKey
  // Freshness and change
  case live, stale, offline, pending, changed, inserted, deleted, readOnly
  // Messages
  case info, success, warning, error, errorBanner
  // The query and other typed text
  case keyword, `operator`, punctuation, invalid
  case prompt, input, placeholder
  case completion, completionSelected, completionDetail
  // Dialogs
  case dialog, dialogBorder, dialogTitle, button, buttonFocused, shadow
  // Pictures
  case chart, chartTrack, chartAxis, progress, progressTrack, diagramBox, diagramLine

  /// The name of the role in theme files, such as `border-focused`.
  package var name: String { Self.names[Int(rawValue)] }

  /// Finds the role by its name in theme files; nil if there is none.
  package init?(named name: String) {
    guard let index = Self.names.firstIndex(of: name) else { return nil }
    self = Self.allCases[index]
  }

  private static let names: [String] = allCases.map { kebab(String(describing: $0)) }

  private static func kebab(_ name: String) -> String {
    name.reduce(into: "") { result, letter in
      if letter.isUppercase { result += "-" }
      result += letter.lowercased()
    }
  }

  /// Whether this role, used as a background, can override the color of the text on it.
  package var isHighlight: Bool {
    switch self {
    case .selection, .selectionUnfocused, .cursorCell, .match, .matchCurrent, .completionSelected,
      .buttonFocused, .errorBanner, .storeLabel, .shadow:
      true
    default: false
    }
  }

  /// The role whose style applies if a theme does not define this one; nil for `text`.
  package var fallback: Role? {
    switch self {
    case .text: nil
    case .titleBarName: .titleBar
    case .storeLabel: .errorBanner
    case .tabActive: .titleBarName
    case .clock, .keyLabel: .statusBar
    case .key: .emphasis
    case .separator, .treeGuide, .scrollbar, .scrollbarThumb, .chartTrack, .progressTrack: .border
    case .borderFocused: .title
    case .titleFocused: .title
    case .titleBar, .statusBar, .tab, .crumb, .placeholder, .titleDetail, .attributeType: .dim
    case .completionDetail, .chartAxis, .punctuation, .readOnly: .dim
    case .title, .header, .keyword, .prompt: .emphasis
    case .headerSorted: .header
    case .cursorCell: .selection
    case .buttonFocused, .completionSelected: .selection
    case .matchCurrent: .match
    case .missing: .null
    case .null: .dim
    case .identifier: .dim
    case .linkCount: .link
    case .documentKey: .attribute
    case .count: .number
    case .progress: .chart
    case .live: .success
    case .stale, .pending: .warning
    case .offline, .deleted, .invalid: .error
    case .errorBanner: .error
    case .changed, .inserted: .success
    case .dialogBorder: .borderFocused
    case .dialogTitle: .titleFocused
    case .button: .dialog
    case .diagramBox, .diagramLine: .border
    case .emphasis, .dim, .border, .namespace, .attribute, .icon, .selection, .selectionUnfocused,
      .marked, .match, .number, .string, .boolean, .date, .link, .info, .success, .warning, .error,
      .operator, .input, .completion, .dialog, .shadow, .chart:
      .text
    }
  }
}
