/// Reads records of comma- or tab-separated values one at a time, without copying.
///
/// - Source: RFC 4180; for tabs the media type text/tab-separated-values, in which quotes have no
///   meaning, with the common escapes `\t`, `\n`, `\r` and `\\`. Lines may end with a single LF;
///   the last line needs no line break.
struct CSVReader {
  /// The form of the records, which determines the separator and the meaning of quotes.
  enum Form {
    /// Commas separate fields; or semicolons, tabs or bars if the first line has more of them.
    /// Spreadsheets write semicolons in locales with decimal commas.
    case commas
    case tabs
  }

  /// A field as a range of the source, without its quotes.
  struct Cell {
    var start: Int
    var count: Int
    var isQuoted: Bool
    /// Whether the field contains doubled quotes.
    var hasQuotes = false
    /// Whether the field contains escapes.
    var hasEscapes = false
  }

  let source: UnsafeBufferPointer<UInt8>
  private(set) var position: Int
  /// The byte offset of the record that was read last.
  private(set) var offset = 0
  private let separator: UInt8
  /// Whether spaces after a separator are skipped, because the names in the first line are written
  /// with them: `name, age`.
  private let skipsSpaces: Bool
  private let form: Form
  /// Whether malformed quotes are read literally instead of throwing.
  private let isLenient: Bool
  /// Whether quotes are read literally from now on, because a closing quote is missing.
  private var hasPlainQuotes = false
  /// The malformed quote in the last record, with its position; nil when all quotes are valid.
  private(set) var oddQuote: Fault?

  /// Whether fields may contain decimal commas, because commas do not separate them.
  var allowsDecimalCommas: Bool { separator != UInt8(ascii: ",") }

  static let maximumFields = 4_096

  init(
    _ source: UnsafeBufferPointer<UInt8>, _ form: Form = .commas, isLenient: Bool = false
  ) {
    self.source = source
    self.form = form
    self.isLenient = isLenient
    let hasMark = source.count >= 3 && source[0] == 0xEF && source[1] == 0xBB && source[2] == 0xBF
    position = hasMark ? 3 : 0
    separator =
      switch form {
      case .commas: Self.separator(of: source)
      case .tabs: UInt8(ascii: "\t")
      }
    skipsSpaces = form == .commas && Self.hasSpaces(after: separator, in: source)
  }

  /// Detects the separator in the first line.
  private static func separator(of source: UnsafeBufferPointer<UInt8>) -> UInt8 {
    let candidates = [",", ";", "\t", "|"].map { (sign: Unicode.Scalar) in UInt8(ascii: sign) }
    var counts = [0, 0, 0, 0]
    var isQuoted = false
    for byte in firstLineOfData(in: source) {
      if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
      if isQuoted { continue }
      if byte == 0x0A || byte == 0x0D { break }
      if let place = candidates.firstIndex(of: byte) { counts[place] += 1 }
    }
    let most = counts.max() ?? 0
    return candidates[counts.firstIndex(of: most) ?? 0]
  }

  /// Returns whether a space follows each separator of the first line, and there is one.
  private static func hasSpaces(
    after separator: UInt8, in source: UnsafeBufferPointer<UInt8>
  ) -> Bool {
    var isQuoted = false
    var (isAfter, isFound) = (false, false)
    for byte in firstLineOfData(in: source) {
      if isAfter, byte != UInt8(ascii: " ") { return false }
      isAfter = false
      if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
      if isQuoted { continue }
      if byte == 0x0A || byte == 0x0D { break }
      if byte == separator { (isAfter, isFound) = (true, true) }
    }
    return isFound && !isAfter
  }

  /// Returns the text from the first line that is neither empty nor a comment. If there is no such
  /// line, returns all text.
  private static func firstLineOfData(
    in source: UnsafeBufferPointer<UInt8>
  ) -> UnsafeBufferPointer<UInt8>.SubSequence {
    let text = source.drop { $0 == 0x0A || $0 == 0x0D }
    var rest = text
    while rest.first == UInt8(ascii: "#") {
      rest = rest.drop { $0 != 0x0A }.drop { $0 == 0x0A || $0 == 0x0D }
    }
    return rest.isEmpty ? text : rest
  }

  /// An error and its position.
  struct Fault: Error, CustomStringConvertible {
    var reason: String
    var offset: Int

    var description: String { reason }
  }

  /// Reads a record; returns false at the end. Empty lines are skipped.
  mutating func next(into cells: inout [Cell]) throws(Fault) -> Bool {
    cells.removeAll(keepingCapacity: true)
    oddQuote = nil
    while position < source.count, source[position] == 0x0A || source[position] == 0x0D {
      position += 1
    }
    guard position < source.count else { return false }
    offset = position
    while true {
      guard cells.count < Self.maximumFields else {
        let fault = Fault(
          reason: "the row has more than \(Self.maximumFields) fields", offset: position)
        while position < source.count, source[position] != 0x0A { position += 1 }
        throw fault
      }
      switch form {
      case .commas:
        let isQuoted =
          position < source.count && source[position] == UInt8(ascii: "\"") && !hasPlainQuotes
        cells.append(isQuoted ? try quotedCell() : try plainCell())
      case .tabs: cells.append(escapedCell())
      }
      guard position < source.count, source[position] == separator else { return true }
      position += 1
      while skipsSpaces, position < source.count, source[position] == UInt8(ascii: " ") {
        position += 1
      }
    }
  }

  /// Skips the comments at the beginning, which are lines that begin with `#`.
  ///
  /// The last such line is a header if it has as many fields as the line after it, or one field
  /// more. A header is not skipped.
  ///
  /// - Returns: The number of skipped lines.
  mutating func skipComments() -> Int {
    let start = position
    var (lines, last, place) = (0, start, start)
    while place < source.count, source[place] == UInt8(ascii: "#") {
      last = place
      lines += 1
      while place < source.count, source[place] != 0x0A { place += 1 }
      while place < source.count, source[place] == 0x0A || source[place] == 0x0D { place += 1 }
    }
    let names = fieldCount(at: last)
    let hasRows = place < source.count
    let surplus = names - fieldCount(at: place)
    // A sentence has a space after the `#`; a name does not.
    let isSentence = last + 1 < source.count && source[last + 1] == 0x20
    if lines > 0, names > 1, !isSentence, surplus == 0 || surplus == 1 || !hasRows {
      position = last + (lines > 1 ? 1 : 0)
      return lines - 1
    }
    // The name of a single column begins with `#`.
    if !hasRows { return 0 }
    position = place
    return lines
  }

  private func fieldCount(at place: Int) -> Int {
    var count = 1
    for byte in source[place...] {
      if byte == 0x0A { break }
      if byte == separator { count += 1 }
    }
    return count
  }

  private mutating func plainCell() throws(Fault) -> Cell {
    let start = position
    while position < source.count {
      let byte = source[position]
      if byte == separator || byte == 0x0A || byte == 0x0D { break }
      if byte == UInt8(ascii: "\"") {
        try record(
          Fault(
            reason: "an unquoted field contains a quote (quote the field, and double the quote)",
            offset: position))
      }
      position += 1
    }
    return Cell(start: start, count: position - start, isQuoted: false)
  }

  private mutating func escapedCell() -> Cell {
    var cell = Cell(start: position, count: 0, isQuoted: false)
    while position < source.count {
      let byte = source[position]
      if byte == separator || byte == 0x0A || byte == 0x0D { break }
      if byte == UInt8(ascii: "\\") { cell.hasEscapes = true }
      position += 1
    }
    cell.count = position - cell.start
    return cell
  }

  private mutating func quotedCell() throws(Fault) -> Cell {
    let opening = position
    position += 1
    var hasQuotes = false
    var isOdd = false
    while position < source.count {
      guard source[position] == UInt8(ascii: "\"") else {
        // A malformed quoted field ends with its line, so that it does not include later rows.
        if isOdd, source[position] == 0x0A || source[position] == 0x0D { break }
        position += 1
        continue
      }
      if position + 1 < source.count, source[position + 1] == UInt8(ascii: "\"") {
        hasQuotes = true
        position += 2
        continue
      }
      let end = position
      position += 1
      if position < source.count {
        let byte = source[position]
        guard byte == separator || byte == 0x0A || byte == 0x0D else {
          let name = separator == 0x09 ? "a tab" : "'\(Unicode.Scalar(separator))'"
          try record(
            Fault(
              reason: "expected \(name) or the end of the line after the closing quote",
              offset: position))
          // The quote is read as part of the quoted text.
          isOdd = true
          continue
        }
      }
      return Cell(
        start: opening + 1, count: end - opening - 1, isQuoted: true, hasQuotes: hasQuotes)
    }
    if !isOdd {
      try record(Fault(reason: "a quoted field has no closing quote", offset: opening))
      // Otherwise each later quote would search for a closing quote up to the end of the file.
      hasPlainQuotes = true
    }
    position = opening
    return try plainCell()
  }

  private mutating func record(_ fault: Fault) throws(Fault) {
    guard isLenient else { throw fault }
    if oddQuote == nil { oddQuote = fault }
  }

  /// Returns the bytes of a cell with quotes and escapes decoded.
  @inline(__always)
  func bytes(of cell: Cell, _ scratch: TextScratch) -> UnsafeBufferPointer<UInt8> {
    let raw = UnsafeBufferPointer(rebasing: source[cell.start..<cell.start + cell.count])
    if cell.hasEscapes {
      return scratch.hold { bytes in Self.undoEscapes(of: raw, into: &bytes) }
    }
    if !cell.hasQuotes { return raw }
    return scratch.hold { bytes in
      var isSecond = false
      for byte in raw {
        isSecond = byte == UInt8(ascii: "\"") && bytes.last == byte && !isSecond
        if !isSecond { bytes.append(byte) }
      }
    }
  }

  /// Decodes the backslash escapes. A backslash that does not begin an escape is literal, because
  /// some programs do not write escapes.
  private static func undoEscapes(
    of raw: UnsafeBufferPointer<UInt8>, into bytes: inout [UInt8]
  ) {
    var place = 0
    while place < raw.count {
      let byte = raw[place]
      let next = place + 1 < raw.count ? raw[place + 1] : 0
      place += 1
      guard byte == UInt8(ascii: "\\") else {
        bytes.append(byte)
        continue
      }
      switch next {
      case UInt8(ascii: "t"): bytes.append(0x09)
      case UInt8(ascii: "n"): bytes.append(0x0A)
      case UInt8(ascii: "r"): bytes.append(0x0D)
      case UInt8(ascii: "\\"): bytes.append(byte)
      default:
        bytes.append(byte)
        continue
      }
      place += 1
    }
  }

  /// Returns the offset of the first invalid UTF-8 byte; nil when all is valid.
  static func firstUnsoundByte(of source: UnsafeBufferPointer<UInt8>) -> Int? {
    guard let base = source.baseAddress else { return nil }
    var place = 0
    while place < source.count {
      if base[place] < 0x80 {
        place += 1
        continue
      }
      let length = JSONParser.soundScalar(base + place, available: source.count - place)
      if length == 0 { return place }
      place += length
    }
    return nil
  }
}
