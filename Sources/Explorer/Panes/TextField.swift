import TerminalUI

/// One line of text being typed: the text, where the cursor is, and what the editing keys do to it.
struct TextField: Sendable, Equatable {
  private(set) var text: String
  /// Characters before the cursor.
  private(set) var cursor: Int

  private let closing: String

  /// Its state where the keys of vi are used; nil where they are not.
  private(set) var vi: ViLine?

  /// In bytes; a query may have no more.
  static let longestText = 64 << 10

  /// - Parameter closing: The end of the text that belongs to its beginning, such as a quote: typing goes
  ///   on before it, and it goes when nothing else is left.
  init(_ text: String = "", closing: String = "") {
    self.text = text
    self.closing = closing
    cursor = text.count - closing.count
  }

  /// A text from elsewhere, its line breaks as blanks.
  init(line text: String) {
    self.init(String(text.map { $0.isNewline ? " " : $0 }))
  }

  /// Takes the keys of vi from now on.
  mutating func useVi() {
    if vi == nil { vi = ViLine() }
  }

  /// Leaves typing for the commands of vi; false where escape is for somebody else.
  mutating func escape() -> Bool { vi?.escape(Array(text), &cursor) ?? false }

  /// Edits the line; nil when the key is none of an editor's.
  mutating func handle(_ key: Key) -> Outcome? {
    let before = self
    guard edit(key) else { return nil }
    return self == before ? whyUnchanged(by: key).map { .nothing(because: $0) } ?? .done : .done
  }

  /// Whether a key edits a line instead of meaning what it means elsewhere.
  static func edits(_ key: Key) -> Bool {
    var field = TextField()
    return field.edit(key)
  }

  /// Nil at the ends of the line, where nothing is said.
  private func whyUnchanged(by key: Key) -> Notice? {
    guard key.typed != nil else { return nil }
    return vi?.isTyping == false ? .noViCommand : .lineFull
  }

  private mutating func edit(_ key: Key) -> Bool {
    if let letter = key.typed, var line = vi, !line.isTyping {
      var letters = Array(text)
      line.press(letter, &letters, &cursor)
      text = String(letters)
      cursor = min(cursor, text.count)
      vi = line
      return true
    }
    if let character = key.typed {
      insert(String(character))
      return true
    }
    switch key {
    case .left: cursor = max(0, cursor - 1)
    case .right: cursor = min(text.count, cursor + 1)
    case .home, .control("a"): cursor = 0
    case .end, .control("e"): cursor = text.count
    case .backspace, .control("h"): remove(from: cursor - 1, to: cursor)
    case .delete, .control("d"): remove(from: cursor, to: cursor + 1)
    case .control("u"): remove(from: 0, to: cursor)
    case .control("k"): remove(from: cursor, to: text.count)
    case .control("w"), Key(.backspace, .alt): remove(from: wordStart, to: cursor)
    case Key(.left, .control), .alt("b"): cursor = wordStart
    case Key(.right, .control), .alt("f"): cursor = wordEnd
    default: return false
    }
    return true
  }

  /// Puts text at the cursor; line breaks become blanks, since the field is one line.
  ///
  /// What would make it longer than a query may be is left out.
  mutating func insert(_ added: String) {
    guard text.utf8.count + added.utf8.count <= Self.longestText else { return }
    let line = String(added.map { $0.isNewline ? " " : $0 })
    let end = byteOffset + line.utf8.count
    text.insert(contentsOf: line, at: index(cursor))
    // A mark joins the letter that it is typed behind, and a flag is two letters: what was put there need
    // not be as many characters in the line as it was by itself.
    cursor = text[..<text.utf8.index(text.startIndex, offsetBy: end)].count
  }

  /// Puts text from elsewhere at the cursor, all of it or nothing.
  mutating func paste(_ added: String) -> Outcome {
    guard text.utf8.count + added.utf8.count <= Self.longestText else {
      return .nothing(
        because: .tooLongToPaste(
          NumberText.bytes(added.utf8.count), most: NumberText.bytes(Self.longestText)))
    }
    insert(added)
    return .done
  }

  /// Bytes before the cursor.
  var byteOffset: Int { text[..<index(cursor)].utf8.count }

  /// Puts text in the place of what stands between a byte and the cursor.
  mutating func replace(fromByte start: Int, with added: String) {
    let from = text.utf8.index(text.startIndex, offsetBy: min(start, byteOffset))
    remove(from: text.distance(from: text.startIndex, to: from), to: cursor)
    insert(added)
  }

  private mutating func remove(from start: Int, to end: Int) {
    let start = max(0, start)
    let end = min(text.count, end)
    guard start < end else { return }
    text.removeSubrange(index(start)..<index(end))
    cursor = start
    if text == closing { (text, cursor) = ("", 0) }
  }

  private func index(_ offset: Int) -> String.Index {
    text.index(text.startIndex, offsetBy: min(offset, text.count))
  }

  /// Where the word before the cursor begins.
  private var wordStart: Int {
    let before = Array(text.prefix(cursor))
    var position = before.count
    while position > 0, !before[position - 1].isWord { position -= 1 }
    while position > 0, before[position - 1].isWord { position -= 1 }
    return position
  }

  /// Where the word after the cursor ends.
  private var wordEnd: Int {
    let all = Array(text)
    var position = cursor
    while position < all.count, !all[position].isWord { position += 1 }
    while position < all.count, all[position].isWord { position += 1 }
    return position
  }

  /// What is in view before the cursor; what does not fit there is scrolled out at the left.
  private func before(width: Int) -> Substring {
    var before = text.prefix(cursor).suffix(width)
    while TextWidth.columns(of: String(before)) > width - 1 { before.removeFirst() }
    return before
  }

  /// How far the cursor stands from the left end of a field of so many columns.
  func column(width: Int) -> Int {
    width > 1 ? TextWidth.columns(of: String(before(width: width))) : 0
  }

  /// Puts the cursor on the letter in a column of a field that is so wide, or behind the last one.
  mutating func click(column: Int, width: Int) {
    guard width > 1 else { return }
    let before = before(width: width)
    var place = cursor - before.count
    var end = 0
    for letter in text[before.startIndex...] {
      end += TextWidth.columns(of: String(letter))
      if column < end { break }
      place += 1
    }
    // The commands of vi stand on a letter.
    cursor = vi?.isTyping == false ? min(place, max(0, text.count - 1)) : place
  }

  /// Draws the field in one row and puts the frame's cursor where typing goes on.
  ///
  /// - Parameter spans: What the pieces of the text are coloured as, by their bytes.
  func draw(
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
    for span in spans {
      // Where a piece is, counted from the first character in view.
      let start = text.utf8.index(text.startIndex, offsetBy: span.bytes.lowerBound)
      let end = text.utf8.index(text.startIndex, offsetBy: span.bytes.upperBound)
      let from = max(start, visible.startIndex)
      guard from < end, from < text.endIndex else { continue }
      let offset = TextWidth.columns(of: String(text[visible.startIndex..<from]))
      guard offset < width else { return }
      frame.repaint(
        Rect(
          row: row, column: column + offset, rows: 1,
          columns: min(TextWidth.columns(of: String(text[from..<end])), width - offset)),
        ink: span.role)
    }
  }
}

extension Character {
  fileprivate var isWord: Bool { isLetter || isNumber || self == "_" }
}

extension TextField {
  /// Draws it above the list that it narrows down; what to type is said while it is empty.
  func drawNarrowing(into frame: inout Frame, area: Rect) {
    draw(
      into: &frame, row: area.row, column: area.column + 1, width: max(0, area.columns - 2),
      paint: Paint(.prompt))
    guard text.isEmpty else { return }
    frame.write(
      "type to narrow them down", row: area.row, column: area.column + 2,
      width: max(0, area.columns - 3), paint: Paint(.placeholder))
  }
}
