/// A key press or a key in a keymap: `ctrl-d`, `shift-tab`, `G`, `F1`, `alt-enter`.
package struct Key: Hashable, Sendable {
  package enum Code: Hashable, Sendable {
    /// A key that types a character. The character already includes the effect of shift.
    case character(Character)
    case enter, tab, escape, backspace, insert, delete
    case up, down, left, right, home, end, pageUp, pageDown
    /// A function key, numbered from F1.
    case function(Int)
  }

  package struct Modifiers: OptionSet, Hashable, Sendable {
    package let rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }

    package static let shift = Modifiers(rawValue: 1)
    package static let alt = Modifiers(rawValue: 2)
    package static let control = Modifiers(rawValue: 4)
  }

  package var code: Code
  package var modifiers: Modifiers

  package init(_ code: Code, _ modifiers: Modifiers = []) {
    self.code = code
    self.modifiers = modifiers
  }

  package static func character(_ character: Character) -> Key { Key(.character(character)) }
  package static func control(_ letter: Character) -> Key { Key(.character(letter), .control) }
  package static func alt(_ character: Character) -> Key { Key(.character(character), .alt) }
  package static func function(_ number: Int) -> Key { Key(.function(number)) }

  package static let enter = Key(.enter)
  package static let tab = Key(.tab)
  package static let backTab = Key(.tab, .shift)
  package static let escape = Key(.escape)
  package static let backspace = Key(.backspace)
  package static let insert = Key(.insert)
  package static let delete = Key(.delete)
  package static let up = Key(.up)
  package static let down = Key(.down)
  package static let left = Key(.left)
  package static let right = Key(.right)
  package static let home = Key(.home)
  package static let end = Key(.end)
  package static let pageUp = Key(.pageUp)
  package static let pageDown = Key(.pageDown)

  /// The character that the key types; nil for any other key.
  package var typed: Character? {
    if case .character(let character) = code, modifiers.isEmpty { character } else { nil }
  }
}

extension Key {
  /// The name of the key in keymaps and in the footer; `init?(named:)` parses it.
  package var name: String {
    var name = ""
    if modifiers.contains(.control) { name += "ctrl-" }
    if modifiers.contains(.alt) { name += "alt-" }
    if modifiers.contains(.shift) { name += "shift-" }
    switch code {
    case .character(" "): return name + "space"
    case .character(let character): return name + String(character)
    case .function(let number): return name + "F\(number)"
    default: return name + (Self.names.first { $0.code == code }?.name ?? "")
    }
  }

  /// Parses the name of a key; nil if it is unknown. Case matters only for single characters.
  package init?(named name: String) {
    var rest = Substring(name)
    var modifiers: Modifiers = []
    while let (modifier, length) = Self.prefix(of: rest), rest.count > length {
      modifiers.insert(modifier)
      rest = rest.dropFirst(length)
    }
    guard let code = Self.code(rest) else { return nil }
    self.init(code, modifiers)
    if case .character(let character) = code, modifiers.contains(.control) {
      self.code = .character(Character(character.lowercased()))
    }
    if self.code == .tab, rest.lowercased() == "backtab" { self.modifiers.insert(.shift) }
  }

  /// Creates a key from a name that is known to be valid: `Key("ctrl-d")`.
  package init(_ name: StaticString) {
    guard let key = Key(named: "\(name)") else { preconditionFailure("unknown key '\(name)'") }
    self = key
  }

  private static let prefixes: [(spelling: String, modifier: Modifiers)] = [
    ("ctrl-", .control), ("c-", .control), ("^", .control), ("alt-", .alt), ("meta-", .alt),
    ("m-", .alt), ("shift-", .shift), ("s-", .shift),
  ]

  private static func prefix(of text: Substring) -> (Modifiers, Int)? {
    let lowered = text.lowercased()
    guard let found = prefixes.first(where: { lowered.hasPrefix($0.spelling) }) else { return nil }
    return (found.modifier, found.spelling.count)
  }

  private static func code(_ name: Substring) -> Code? {
    if name.count == 1, let character = name.first { return .character(character) }
    let lowered = name.lowercased()
    if lowered == "space" { return .character(" ") }
    if lowered.first == "f", let number = Int(lowered.dropFirst()), (1...35).contains(number) {
      return .function(number)
    }
    return (names + otherNames).first { $0.name == lowered }?.code
  }

  private static let names: [(name: String, code: Code)] = [
    ("enter", .enter), ("tab", .tab), ("escape", .escape), ("backspace", .backspace),
    ("insert", .insert), ("delete", .delete), ("up", .up), ("down", .down), ("left", .left),
    ("right", .right), ("home", .home), ("end", .end), ("page-up", .pageUp),
    ("page-down", .pageDown),
  ]

  private static let otherNames: [(name: String, code: Code)] = [
    ("return", .enter), ("esc", .escape), ("del", .delete), ("ins", .insert), ("pgup", .pageUp),
    ("pageup", .pageUp), ("pgdn", .pageDown), ("pagedown", .pageDown), ("backtab", .tab),
  ]
}

extension Key: CustomStringConvertible {
  package var description: String { name }
}
