internal import CNcurses
internal import TerminalUI

/// The ncurses attributes and color pair for each paint of a theme, computed on demand.
struct PaintTable {
  struct Entry {
    let attributes: attr_t
    let pair: Int32
    let background: Int32
    /// Whether the attributes, such as underline, are visible on a blank.
    let marksBlanks: Bool

    /// Returns whether a blank looks the same with this entry as with `other`.
    func showsSameBlank(as other: Entry) -> Bool {
      background == other.background && !marksBlanks && !other.marksBlanks
    }
  }

  let depth: ColorDepth
  private(set) var theme: Theme
  private var pairs: ColorPairs
  /// The entries by ground and ink; empty for unused grounds.
  private var entries = PaintTable.nothing

  private static let nothing = [[Entry?]](repeating: [], count: Role.allCases.count)

  init(theme: Theme, depth: ColorDepth, pairLimit: Int) {
    self.theme = theme
    self.depth = depth
    pairs = ColorPairs(limit: pairLimit)
  }

  /// Switches to another theme. Color pairs are kept, since themes share colors.
  mutating func use(_ theme: Theme) {
    self.theme = theme
    entries = Self.nothing
  }

  /// Returns the entry of a paint.
  /// - Returns: The entry, and whether all earlier pair numbers became invalid.
  mutating func entry(for paint: Paint) -> (entry: Entry, isReset: Bool) {
    let (ink, ground) = (Int(paint.ink.rawValue), Int(paint.ground.rawValue))
    if entries[ground].isEmpty {
      entries[ground] = Array(repeating: nil, count: Role.allCases.count)
    }
    if let entry = entries[ground][ink] { return (entry, false) }
    let style = theme.style(of: paint, depth: depth)
    let colors = ColorPairs.Colors(
      foreground: number(style.foreground), background: number(style.background))
    var isReset = false
    let pair: Int32
    switch depth == .none ? .known(0) : pairs.number(colors) {
    case .known(let number): pair = number
    case .new(let number):
      pair = number
      nc_define_pair(number, colors.foreground, colors.background)
    case .newAfterReset(let number):
      isReset = true
      entries = Self.nothing
      entries[ground] = Array(repeating: nil, count: Role.allCases.count)
      pair = number
      nc_define_pair(number, colors.foreground, colors.background)
    }
    let entry = Entry(
      attributes: nc_attributes(style.attributes.rawValue), pair: pair,
      background: colors.background,
      marksBlanks: !style.attributes.isDisjoint(with: [.underline, .reverse]))
    entries[ground][ink] = entry
    return (entry, isReset)
  }

  private func number(_ color: Color?) -> Int32 {
    ColorMapping.number(of: color ?? .standard, depth: depth, appearance: theme.appearance)
  }
}
