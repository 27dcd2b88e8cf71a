extension Theme {
  /// The roles that a sample of a theme shows, each with a word to show in its style.
  package static let sample: [(role: Role, word: String)] = [
    (.title, "title"), (.header, "header"), (.text, "text"), (.string, "string"),
    (.number, "42"), (.date, "date"), (.boolean, "true"), (.null, "∅"), (.link, "link →"),
    (.selection, "selection"), (.changed, "changed"), (.warning, "warning"), (.error, "error"),
  ]

  /// A description of the theme: `dark`, `light`, or for example `dark, high contrast`.
  package var kind: String {
    let isColorless = Role.allCases.allSatisfy { role in
      Self.isPlain(style(role).foreground) && Self.isPlain(style(role).background)
    }
    if isColorless { return "no colors" }
    return appearance.rawValue + (isOfHighContrast ? ", high contrast" : "")
  }

  private static func isPlain(_ color: Color?) -> Bool { color == nil || color == .standard }

  /// Whether all text has a contrast of at least 7:1 to its ground, the enhanced contrast (AAA) of
  /// WCAG 2.1. False if the terminal determines one of the colors.
  private var isOfHighContrast: Bool {
    Self.sample.allSatisfy { sample in
      let style = self[Paint(sample.role, on: sample.role == .selection ? .selection : .text)]
      guard let front = style.foreground?.luminance, let back = style.background?.luminance else {
        return false
      }
      return (max(front, back) + 0.05) / (min(front, back) + 0.05) >= 7
    }
  }
}

extension Color {
  /// The relative luminance, from 0 for black to 1 for white. Nil if the terminal determines the
  /// color.
  ///
  /// - Source: WCAG 2.1, relative luminance. Its curve is approximated by c²(0.8 + 0.2 c), with an
  ///   error of at most a hundredth.
  fileprivate var luminance: Double? {
    guard case .rgb(let red, let green, let blue) = self else { return nil }
    func linear(_ channel: UInt8) -> Double {
      let part = Double(channel) / 255
      return part * part * (0.8 + 0.2 * part)
    }
    return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
  }
}
