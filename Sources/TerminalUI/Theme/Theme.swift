/// The styles of all roles.
package struct Theme: Hashable, Sendable {
  /// Whether the theme is designed for a dark or a light background.
  package enum Appearance: String, Sendable, CaseIterable {
    case dark, light
  }

  /// The theme's name; for a theme file, the file's name.
  package private(set) var name: String
  package let appearance: Appearance
  /// One style for each role, in the order of their raw values.
  private var styles: [Style]

  /// Creates a theme with the given styles. Other roles use their fallbacks.
  package init(name: String, appearance: Appearance, styles given: [Role: Style]) {
    self.name = name
    self.appearance = appearance
    styles = Role.allCases.map { role in
      var role = role
      // Fallbacks form a tree with the root `text`, so this ends.
      while true {
        if let style = given[role] { return style }
        guard let next = role.fallback else { return Style() }
        role = next
      }
    }
  }

  /// A copy with another name.
  package func named(_ name: String) -> Theme {
    var theme = self
    theme.name = name
    return theme
  }

  /// The style of a role.
  package func style(_ role: Role) -> Style { styles[Int(role.rawValue)] }

  /// The style of a cell by its ink and ground.
  ///
  /// It has the color of the ink, the background of the ground, and the attributes of both. A
  /// highlight with a foreground overrides the ink's color.
  package subscript(paint: Paint) -> Style {
    let ink = style(paint.ink)
    let ground = style(paint.ground)
    let imposed = paint.ground.isHighlight ? ground.foreground : nil
    let own = paint.ground == .text ? ink.background : nil
    // Attributes of a ground apply only to its own text. A highlight's attributes apply to all
    // text, which is never dim on it.
    let isHighlight = paint.ground.isHighlight
    let shared = isHighlight ? ground.attributes : ground.attributes.intersection(.reverse)
    let kept = isHighlight ? ink.attributes.subtracting(.dim) : ink.attributes
    return Style(
      foreground: imposed ?? ink.foreground ?? style(.text).foreground ?? .standard,
      background: own ?? ground.background ?? style(.text).background ?? .standard,
      attributes: kept.union(shared))
  }

  /// The theme used when none can be read: the terminal's default colors with attributes only.
  package static let plain = Theme(
    name: "plain", appearance: .dark,
    styles: [
      .dim: Style(attributes: .dim), .emphasis: Style(attributes: .bold),
      .selection: Style(attributes: .reverse), .selectionUnfocused: Style(attributes: .underline),
      .cursorCell: Style(attributes: [.reverse, .bold, .underline]),
      .match: Style(attributes: .underline),
      .matchCurrent: Style(attributes: [.underline, .bold]), .marked: Style(attributes: .bold),
      .borderFocused: Style(attributes: .bold),
      .titleFocused: Style(attributes: [.bold, .reverse]),
      .headerSorted: Style(attributes: [.bold, .underline]), .error: Style(attributes: .bold),
      .errorBanner: Style(attributes: .reverse), .warning: Style(attributes: .bold),
      .changed: Style(attributes: [.bold, .underline]), .inserted: Style(attributes: .bold),
      .null: Style(attributes: .dim),
      .completionSelected: Style(attributes: .reverse), .tabActive: Style(attributes: .reverse),
      .buttonFocused: Style(attributes: .reverse), .shadow: Style(attributes: .dim),
    ])
}
