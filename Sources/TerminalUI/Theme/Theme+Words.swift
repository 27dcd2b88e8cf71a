extension Theme {
  /// What a sample of a theme shows: roles that stand for their kind, each with a word in its style.
  package static let sample: [(role: Role, word: String)] = [
    (.title, "title"), (.header, "header"), (.text, "text"), (.string, "string"),
    (.number, "42"), (.date, "date"), (.boolean, "true"), (.null, "∅"), (.link, "link →"),
    (.selection, "selection"), (.changed, "changed"), (.warning, "warning"), (.error, "error"),
  ]

  /// What kind of theme it is: `dark`, or `dark, high contrast`, or `light`.
  package var kind: String {
    let isColourless = Role.allCases.allSatisfy { role in
      Self.isPlain(style(role).foreground) && Self.isPlain(style(role).background)
    }
    if isColourless { return "no colours" }
    return appearance.rawValue + (isOfHighContrast ? ", high contrast" : "")
  }

  private static func isPlain(_ color: Color?) -> Bool { color == nil || color == .standard }

  /// Whether all that is read stands out from its ground by 7:1, the enhanced contrast of WCAG 2.1; not
  /// where the terminal decides about a colour.
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
  /// From 0 for black to 1 for white, as eyes see it; nil where the terminal decides.
  ///
  /// - Source: WCAG 2.1, relative luminance; its curve is taken as c²(0.8 + 0.2 c), which is at most a
  ///   hundredth beside it.
  fileprivate var luminance: Double? {
    guard case .rgb(let red, let green, let blue) = self else { return nil }
    func linear(_ channel: UInt8) -> Double {
      let part = Double(channel) / 255
      return part * part * (0.8 + 0.2 * part)
    }
    return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
  }
}
