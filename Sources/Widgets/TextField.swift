package import TerminalUI

/// A line of text being edited: its text, its cursor and the selected part.
package struct TextField: Sendable, Equatable {
  package private(set) var text: String
  /// The number of characters before the cursor.
  package private(set) var cursor: Int { didSet { typedEnd = nil } }
  /// The end of the typed text in bytes if it is inside of a character; otherwise nil.
  ///
  /// The terminal sends a flag or a joined emoji in parts. Until all of them are typed, a part can merge
  /// with the text after it. The next part is inserted here.
  private var typedEnd: Int?
  /// The selected characters, which typed text replaces; nil if none are selected. The cursor is at
  /// their end.
  package private(set) var selection: Range<Int>?

  private let closing: String

  /// The state of the vi keys; nil if they are not used.
  package private(set) var vi: ViLine?

  /// The maximum length of the text in bytes, the same as for a query.
  package static let maxTextBytes = 64 << 10

  /// Creates a field with a text to edit.
  ///
  /// - Parameter closing: The end of `text`, such as a closing quote. The cursor starts before this
  ///   end, and the field removes it once the user has deleted everything else.
  package init(_ text: String = "", closing: String = "") {
    self.text = text
    self.closing = closing
    cursor = text.count - closing.count
  }

  /// Creates a field with a text that the user replaces by typing, and edits after moving the
  /// cursor.
  ///
  /// - Parameter closing: The end of `text`, such as a closing quote. It is not selected, and
  ///   neither is the same text at the beginning.
  package init(selecting text: String, closing: String = "") {
    self.init(text, closing: closing)
    let start = !closing.isEmpty && text.hasPrefix(closing) ? closing.count : 0
    if start < cursor { selection = start..<cursor }
  }

  /// Creates a field with the cursor between two parts of its text.
  package init(beforeCursor: String, afterCursor: String) {
    self.init(beforeCursor + afterCursor)
    cursor = beforeCursor.count
  }

  /// Creates a field for one line of text. Line breaks become spaces.
  package init(line text: String) {
    self.init(String(text.map { $0.isNewline ? " " : $0 }))
  }

  /// Enables the keys of vi.
  package mutating func useVi() {
    if vi == nil { vi = ViLine() }
  }

  /// Leaves insert mode of vi. Returns false if Escape has no effect in the field.
  package mutating func escape() -> Bool {
    var position = cursor
    guard vi?.escape(&position) == true else { return false }
    cursor = position
    selection = nil
    return true
  }

  /// The effect of a key on the field.
  package enum Edit: Sendable, Equatable {
    case done
    /// The letter is not a command in vi's command mode.
    case noCommand
    /// The text has reached its maximum length.
    case full
  }

  /// Applies a key press to the text. Returns nil if the key does not edit text.
  package mutating func press(_ key: Key) -> Edit? {
    let before = self
    guard edit(key) else { return nil }
    // A movement beyond an end of the line is not reported.
    guard self == before, key.typed != nil else { return .done }
    return vi?.isTyping == false ? .noCommand : .full
  }

  /// Returns whether a key edits text, so that it triggers no command while the user types.
  package static func edits(_ key: Key) -> Bool {
    if key.typed != nil { return true }
    var field = TextField()
    return field.edit(key)
  }

  private mutating func edit(_ key: Key) -> Bool {
    if let letter = key.typed, var line = vi, !line.isTyping {
      var letters = Array(text)
      line.press(letter, &letters, &cursor)
      selection = nil
      text = String(letters)
      cursor = min(cursor, text.count)
      vi = line
      return true
    }
    if let character = key.typed {
      insert(String(character))
      return true
    }
    let selected = selection
    selection = nil
    if let selected, Self.removingOne.contains(key) {
      remove(selected)
      return true
    }
    switch key {
    case .left: cursor = max(0, selected?.lowerBound ?? cursor - 1)
    case .right: cursor = min(text.count, selected?.upperBound ?? cursor + 1)
    case .home, .control("a"): cursor = 0
    case .end, .control("e"): cursor = selected?.upperBound ?? nextEnd
    case .backspace, .control("h"): removeBefore()
    case .delete, .control("d"): remove(cursor..<min(text.count, cursor + 1))
    case .control("u"): remove(0..<cursor)
    case .control("k"): remove(cursor..<text.count)
    case .control("w"), Key(.backspace, .alt): remove(wordStart..<cursor)
    case Key(.left, .control), .alt("b"): cursor = wordStart
    case Key(.right, .control), .alt("f"): cursor = wordEnd
    default:
      selection = selected
      return false
    }
    return true
  }

  /// The position to which the cursor moves: before the closing text, or behind it if the cursor is
  /// already there.
  private var nextEnd: Int {
    let inner = text.hasSuffix(closing) ? text.count - closing.count : text.count
    return cursor < inner ? inner : text.count
  }

  /// The keys that remove one character, or the selected text.
  private static let removingOne: Set<Key> = [
    .backspace, .control("h"), .delete, .control("d"),
  ]

  /// Inserts text at the cursor, in place of the selected text. Line breaks become spaces.
  ///
  /// If the text would exceed the maximum length, nothing is inserted.
  package mutating func insert(_ added: String) {
    guard hasRoom(for: added) else { return }
    if let selection { remove(selection) }
    let line = String(added.map { $0.isNewline ? " " : $0 })
    let start = typedEnd ?? byteOffset
    let end = start + line.utf8.count
    text.unicodeScalars.insert(contentsOf: line.unicodeScalars, at: index(ofByte: start))
    // A combining mark or a flag can merge with neighboring characters. The cursor is therefore
    // computed from bytes.
    cursor = text[..<index(ofByte: end)].count
    if byteOffset > end { typedEnd = end }
  }

  /// Returns whether all of a text can be inserted.
  package func hasRoom(for added: String) -> Bool {
    let replaced = selection.map { text[index($0.lowerBound)..<index($0.upperBound)].utf8.count }
    return text.utf8.count - (replaced ?? 0) + added.utf8.count <= Self.maxTextBytes
  }

  /// The number of bytes before the cursor.
  package var byteOffset: Int { text[..<index(cursor)].utf8.count }

  /// Replaces the text from an offset in bytes up to the cursor.
  package mutating func replace(fromByte start: Int, with added: String) {
    let from = index(ofByte: min(start, byteOffset))
    remove(text.distance(from: text.startIndex, to: from)..<cursor)
    insert(added)
  }

  /// Selects the characters before the cursor from a position onwards.
  package mutating func select(from start: Int) {
    selection = start < cursor ? start..<cursor : nil
  }

  private mutating func remove(_ range: Range<Int>) {
    selection = nil
    guard !range.isEmpty else { return }
    text.removeSubrange(index(range.lowerBound)..<index(range.upperBound))
    cursor = range.lowerBound
    if text == closing { (text, cursor) = ("", 0) }
  }

  /// Removes the character before the cursor. Only the typed part of it is removed if the rest is
  /// older text.
  private mutating func removeBefore() {
    guard let typedEnd else { return remove(max(0, cursor - 1)..<cursor) }
    text.unicodeScalars.removeSubrange(index(cursor - 1)..<index(ofByte: typedEnd))
    cursor -= 1
  }

  private func index(_ offset: Int) -> String.Index {
    text.index(text.startIndex, offsetBy: min(offset, text.count))
  }

  private func index(ofByte offset: Int) -> String.Index {
    text.utf8.index(text.startIndex, offsetBy: offset)
  }

  /// The position of the start of the word before the cursor.
  private var wordStart: Int {
    let before = Array(text.prefix(cursor))
    var position = before.count
    while position > 0, !before[position - 1].isWord { position -= 1 }
    while position > 0, before[position - 1].isWord { position -= 1 }
    return position
  }

  /// The position of the end of the word after the cursor.
  private var wordEnd: Int {
    let all = Array(text)
    var position = cursor
    while position < all.count, !all[position].isWord { position += 1 }
    while position < all.count, all[position].isWord { position += 1 }
    return position
  }

  /// Returns the visible text before the cursor, without what is scrolled out on the left.
  private func before(width: Int) -> Substring {
    var before = text.prefix(cursor).suffix(width)
    while TextWidth.columns(of: String(before)) > width - 1 { before.removeFirst() }
    return before
  }

  /// Moves the cursor to a clicked column, at most to the end of the text.
  package mutating func click(column: Int, width: Int) {
    guard width > 1 else { return }
    selection = nil
    let before = before(width: width)
    var place = cursor - before.count
    var end = 0
    for letter in text[before.startIndex...] {
      end += TextWidth.columns(of: String(letter))
      if column < end { break }
      place += 1
    }
    // In command mode of vi, the cursor is always on a character.
    cursor = vi?.isTyping == false ? min(place, max(0, text.count - 1)) : place
  }

  /// Moves the cursor to a position. In command mode of vi, it cannot be after the last character.
  package mutating func moveCursor(to position: Int) {
    selection = nil
    cursor = max(0, min(position, vi?.isTyping == false ? text.count - 1 : text.count))
  }

  /// Draws the field in one row, and sets the frame's cursor.
  ///
  /// - Parameter spans: The byte ranges and colors of the highlighted pieces.
  package func draw(
    into frame: inout Frame, row: Int, column: Int, width: Int, paint: Paint,
    spans: [(bytes: Range<Int>, role: Role)] = []
  ) {
    frame.fill(Rect(row: row, column: column, rows: 1, columns: width), paint)
    guard width > 1 else { return }
    let before = before(width: width)
    let visible = text[before.startIndex...]
    frame.write(
      String(visible), row: row, column: column, width: width, paint: paint, overflow: .clip)
    frame.cursor = Position(row: row, column: column + TextWidth.columns(of: String(before)))
    /// The visible part of a piece of the text; nil if it is scrolled out.
    func place(of start: String.Index, _ end: String.Index) -> Rect? {
      let from = max(start, visible.startIndex)
      guard from < end, from < text.endIndex else { return nil }
      let offset = TextWidth.columns(of: String(text[visible.startIndex..<from]))
      guard offset < width else { return nil }
      return Rect(
        row: row, column: column + offset, rows: 1,
        columns: min(TextWidth.columns(of: String(text[from..<end])), width - offset))
    }
    for span in spans {
      let start = index(ofByte: span.bytes.lowerBound)
      let end = index(ofByte: span.bytes.upperBound)
      if let place = place(of: start, end) { frame.repaint(place, ink: span.role) }
    }
    if let selection,
      let place = place(of: index(selection.lowerBound), index(selection.upperBound))
    {
      frame.repaint(place, ground: .cursorCell)
    }
  }
}

extension Character {
  fileprivate var isWord: Bool { isLetter || isNumber || self == "_" }
}

extension TextField {
  /// Draws the field above a list that it filters, with a placeholder.
  package func drawNarrowing(
    into frame: inout Frame, area: Rect, placeholder: String = "type to filter"
  ) {
    draw(
      into: &frame, row: area.row, column: area.column + 1, width: max(0, area.columns - 2),
      paint: Paint(.prompt))
    guard text.isEmpty else { return }
    frame.write(
      placeholder, row: area.row, column: area.column + 2,
      width: max(0, area.columns - 3), paint: Paint(.placeholder))
  }
}
