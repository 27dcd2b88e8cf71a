/// With which roles something is painted: the ink gives colour and attributes of the text, the
/// ground what lies behind it.
package struct Paint: Hashable, Sendable {
  package var ink: Role
  package var ground: Role

  package init(_ ink: Role, on ground: Role = .text) {
    self.ink = ink
    self.ground = ground
  }

  package init(ink: Role, ground: Role) { self.init(ink, on: ground) }

  package static let text = Paint(.text)
  package static let dim = Paint(.dim)

  /// Two bytes without a gap, compared as one number: for each cell of a row that is painted.
  @inlinable
  package static func == (a: Paint, b: Paint) -> Bool {
    unsafeBitCast(a, to: UInt16.self) == unsafeBitCast(b, to: UInt16.self)
  }
}

/// One column of a row of the screen, in eight bytes: a scalar with its paint.
///
/// A wide glyph takes two cells, the second of which holds nothing but its paint. Marks that lie on
/// a glyph stand in the frame, as they are rare.
package struct Cell: Equatable, Sendable {
  private static let wideBit: UInt32 = 1 << 29
  private static let marksBit: UInt32 = 1 << 30
  private static let secondBit: UInt32 = 1 << 31

  /// The scalar, and above its 21 bits what else is to be said of the cell.
  @usableFromInline var bits: UInt32
  package var paint: Paint
  private let unused: UInt16 = 0

  package init(_ scalar: Unicode.Scalar = " ", paint: Paint = .text, isWide: Bool = false) {
    bits = scalar.value | (isWide ? Self.wideBit : 0)
    self.paint = paint
  }

  /// The second half of a wide glyph.
  static func second(paint: Paint) -> Cell {
    var cell = Cell(paint: paint)
    cell.bits |= secondBit
    return cell
  }

  package var scalar: Unicode.Scalar { Unicode.Scalar(bits & 0x1F_FFFF) ?? "\u{FFFD}" }
  /// The code of a character of ASCII on which no marks lie; nil for any other scalar.
  @inlinable package var plainASCII: UInt8? { bits < 0x80 ? UInt8(truncatingIfNeeded: bits) : nil }
  /// Whether nothing of its ink is seen.
  @inlinable package var isBlank: Bool { bits == UInt32(0x20) }
  /// Whether no terminal has another idea of how wide it is: most letters, and the lines of boxes, which
  /// lie among the emoji of old.
  var isUndisputed: Bool { bits < 0x590 || (0x2500..<0x25A0).contains(bits) }
  /// Whether the glyph covers the next cell too.
  package var isWide: Bool { bits & Self.wideBit != 0 }
  /// Whether this cell is covered by the wide glyph before it.
  package var isSecondHalf: Bool { bits & Self.secondBit != 0 }
  /// Whether `Frame.marks(row:column:)` knows more about this cell.
  package internal(set) var hasMarks: Bool {
    get { bits & Self.marksBit != 0 }
    set { bits = newValue ? bits | Self.marksBit : bits & ~Self.marksBit }
  }
}
