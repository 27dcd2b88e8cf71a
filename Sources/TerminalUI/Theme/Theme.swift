/// The styles of all roles, with the name of the theme.
package struct Theme: Hashable, Sendable {
  /// Whether the theme is designed for a dark or a light background.
  package enum Appearance: String, Sendable, CaseIterable {
    case dark, light
  }

  /// The name of the theme. For a theme file, it is the file's name.
  package private(set) var name: String
  package let appearance: Appearance
  /// The style of each role, in the order of the roles' raw values.
  private var styles: [Style]

  /// Creates a theme with the given styles. All other roles use their fallbacks.
  package init(name: String, appearance: Appearance, styles given: [Role: Style]) {
    self.name = name
    self.appearance = appearance
    styles = Role.allCases.map { role in
      var role = role
      // The fallbacks form a tree with the root `text`, so this loop ends.
      while true {
        if let style = given[role] { return style }
        guard let next = role.fallback else { return Style() }
        role = next
      }
    }
  }

  /// Returns a copy of the theme with another name.
  package func named(_ name: String) -> Theme {
    var theme = self
    theme.name = name
    return theme
  }

  /// Returns the style of a role.
  package func style(_ role: Role) -> Style { styles[Int(role.rawValue)] }

  /// The style of a cell, combined from its ink and its ground.
  ///
  /// It has the color of the ink, the background of the ground, and attributes of both. A highlight
  /// with a foreground color overrides the color of the ink.
  package subscript(paint: Paint) -> Style {
    let ink = style(paint.ink)
    let ground = style(paint.ground)
    let imposed = paint.ground.isHighlight ? ground.foreground : nil
    let own = paint.ground == .text ? ink.background : nil
    // Text on a ground only gets the ground's attribute `reverse`. Text on a highlight gets all
    // attributes of the highlight and loses `dim`.
    let isHighlight = paint.ground.isHighlight
    let shared = isHighlight ? ground.attributes : ground.attributes.intersection(.reverse)
    let kept = isHighlight ? ink.attributes.subtracting(.dim) : ink.attributes
    return Style(
      foreground: imposed ?? ink.foreground ?? style(.text).foreground ?? .standard,
      background: own ?? ground.background ?? style(.text).background ?? .standard,
      attributes: kept.union(shared))
  }

  /// The theme to use if no theme file can be read. It has only the terminal's default colors and
  /// text attributes.
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
