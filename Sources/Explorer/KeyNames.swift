import TerminalUI

/// How sentences call the keys where they are read: by what they say in this keymap.
struct KeyNames: Sendable, Equatable {
  let keymap: Keymap
  /// Whose keys count there.
  let focus: Focus

  /// The key that says an intent, as the palette calls the intent where none does.
  func name(of intent: Intent) -> String {
    if let key = keymap.keys(for: intent, in: focus).first { return key.name }
    let palette = keymap.keys(for: .palette, in: focus).first
    return [palette?.name, intent.label].compactMap { $0 }.joined(separator: " ")
  }

  /// The same in one sign, where the key has one.
  func sign(of intent: Intent) -> String {
    switch keymap.keys(for: intent, in: focus).first {
    case .up: "↑"
    case .down: "↓"
    case .left: "←"
    case .right: "→"
    default: name(of: intent)
    }
  }

  /// A sentence with the names of its keys.
  ///
  /// Whoever makes a sentence without knowing the keys writes `Intent.key` into it.
  func filling(_ sentence: String) -> String {
    guard sentence.unicodeScalars.contains(Intent.keyBegins) else { return sentence }
    var rest = sentence.unicodeScalars[...]
    var filled = String.UnicodeScalarView()
    while let start = rest.firstIndex(of: Intent.keyBegins) {
      filled += rest[..<start]
      let name = rest[rest.index(after: start)...]
      guard let end = name.firstIndex(of: Intent.keyEnds),
        let intent = Intent(rawValue: String(name[..<end]))
      else {
        // Somebody's own sign, in what they keep.
        filled.append(rest[start])
        rest = name
        continue
      }
      filled += self.name(of: intent).unicodeScalars
      rest = rest[rest.index(after: end)...]
    }
    return String(filled + rest)
  }
}

extension Intent {
  /// Stands in a sentence for the key that says this, until it is known where the sentence is read:
  /// `"\(Intent.undo.key) takes it back"`.
  package var key: String { "\(Self.keyBegins)\(rawValue)\(Self.keyEnds)" }

  // Of the signs that mean nothing to anybody.
  fileprivate static let keyBegins: Unicode.Scalar = "\u{F0000}"
  fileprivate static let keyEnds: Unicode.Scalar = "\u{F0001}"
}

extension Model {
  var keys: KeyNames { KeyNames(keymap: preferences.keymap, focus: listening) }

  /// The key that says an intent here, for a sentence.
  func key(_ intent: Intent) -> String { keys.name(of: intent) }

  /// Puts the names of keys into what was just said.
  mutating func nameKeys() {
    let keys = keys
    if let text = notice?.text { notice?.text = keys.filling(text) }
    if let complaint = prompt?.complaint { prompt?.complaint = keys.filling(complaint) }
  }
}
