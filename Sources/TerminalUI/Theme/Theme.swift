/// What every role looks like.
package struct Theme: Hashable, Sendable {
  /// Whether it is made for a dark or a light screen.
  package enum Appearance: String, Sendable, CaseIterable {
    case dark, light
  }

  /// Of a theme in a file the file's, by which it is asked for.
  package private(set) var name: String
  package let appearance: Appearance
  /// One for each role, in order of their raw values.
  private var styles: [Style]

  /// A theme of the styles that are given; the other roles look as their fallbacks do.
  package init(name: String, appearance: Appearance, styles given: [Role: Style]) {
    self.name = name
    self.appearance = appearance
    styles = Role.allCases.map { role in
      var role = role
      // Fallbacks form a tree below `text`, so this ends.
      while true {
        if let style = given[role] { return style }
        guard let next = role.fallback else { return Style() }
        role = next
      }
    }
  }

  /// The same under another name.
  package func named(_ name: String) -> Theme {
    var theme = self
    theme.name = name
    return theme
  }

  /// How a role is styled.
  package func style(_ role: Role) -> Style { styles[Int(role.rawValue)] }

  /// What a cell with this paint looks like: colour and attributes of the ink, the background of the
  /// ground, the attributes of both. A highlight that names a foreground imposes it.
  package subscript(paint: Paint) -> Style {
    let ink = style(paint.ink)
    let ground = style(paint.ground)
    let imposed = paint.ground.isHighlight ? ground.foreground : nil
    let own = paint.ground == .text ? ink.background : nil
    // Attributes of a ground belong to its own text, except where the ground is a highlight, on which
    // nothing is faint.
    let isHighlight = paint.ground.isHighlight
    let shared = isHighlight ? ground.attributes : ground.attributes.intersection(.reverse)
    let kept = isHighlight ? ink.attributes.subtracting(.dim) : ink.attributes
    return Style(
      foreground: imposed ?? ink.foreground ?? style(.text).foreground ?? .standard,
      background: own ?? ground.background ?? style(.text).background ?? .standard,
      attributes: kept.union(shared))
  }

  /// The look when no theme can be read: the terminal's own colours and attributes only.
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
