/// The roles of a cell: the ink gives the color and attributes of its text, the ground its
/// background.
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

  /// Whether both paints are equal.
  ///
  /// The bytes are compared as one number, since this runs for every cell of a painted row.
  @inlinable
  package static func == (a: Paint, b: Paint) -> Bool {
    unsafeBitCast(a, to: UInt16.self) == unsafeBitCast(b, to: UInt16.self)
  }
}

/// One column of a screen row in eight bytes: a scalar and its paint.
///
/// A wide glyph takes two cells; the second contains only its paint. Combining marks are stored
/// in the frame, since they are rare.
package struct Cell: Equatable, Sendable {
  private static let wideBit: UInt32 = 1 << 29
  private static let marksBit: UInt32 = 1 << 30
  private static let secondBit: UInt32 = 1 << 31

  /// The scalar in the lower 21 bits, and flags above them.
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
  /// The ASCII code of a cell without combining marks; nil for any other scalar.
  @inlinable package var plainASCII: UInt8? { bits < 0x80 ? UInt8(truncatingIfNeeded: bits) : nil }
  /// Whether the cell shows no ink.
  @inlinable package var isBlank: Bool { bits == UInt32(0x20) }
  /// Whether all terminals agree on the cell's width, as for most letters.
  ///
  /// Box-drawing lines are included, although emoji are among their neighbors.
  var isUndisputed: Bool { bits < 0x590 || (0x2500..<0x25A0).contains(bits) }
  /// Whether the glyph also covers the next cell.
  package var isWide: Bool { bits & Self.wideBit != 0 }
  /// Whether the cell is the second half of a wide glyph.
  package var isSecondHalf: Bool { bits & Self.secondBit != 0 }
  /// Whether `Frame.marks(row:column:)` contains combining marks for this cell.
  package internal(set) var hasMarks: Bool {
    get { bits & Self.marksBit != 0 }
    set { bits = newValue ? bits | Self.marksBit : bits & ~Self.marksBit }
  }
}
