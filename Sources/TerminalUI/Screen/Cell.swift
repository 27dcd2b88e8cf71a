/// The colors of a cell, as theme roles: `ink` for the text and its attributes, `ground` for the
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

  /// Returns whether both paints are equal.
  ///
  /// The bytes are compared as one number, since this is called for every cell of a painted row.
  @inlinable
  package static func == (a: Paint, b: Paint) -> Bool {
    unsafeBitCast(a, to: UInt16.self) == unsafeBitCast(b, to: UInt16.self)
  }
}

/// One column of a screen row in eight bytes: a scalar and its paint.
///
/// A wide glyph takes two cells. The second cell only contains its paint. Combining marks are rare,
/// so the frame stores them.
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

  /// Returns the second half of a wide glyph.
  static func second(paint: Paint) -> Cell {
    var cell = Cell(paint: paint)
    cell.bits |= secondBit
    return cell
  }

  package var scalar: Unicode.Scalar { Unicode.Scalar(bits & 0x1F_FFFF) ?? "\u{FFFD}" }
  /// The ASCII code of a cell without combining marks; nil for any other cell.
  @inlinable package var plainASCII: UInt8? { bits < 0x80 ? UInt8(truncatingIfNeeded: bits) : nil }
  /// Whether the cell shows only its background.
  @inlinable package var isBlank: Bool { bits == UInt32(0x20) }
  /// Whether all terminals agree on the width of the cell, as for most letters.
  ///
  /// This includes dashes, quotes and `…`, and box-drawing lines, although some of their neighbors
  /// in Unicode are emoji.
  var isUndisputed: Bool {
    bits < 0x590 || (0x2500..<0x25A0).contains(bits) || (0x2010..<0x2028).contains(bits)
  }
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

extension UnsafeMutableBufferPointer<Cell> {
  /// Sets all cells, which may be uninitialized.
  ///
  /// They are written as 64-bit numbers, since the compiler then writes several at once.
  func fill(with cell: Cell) {
    withMemoryRebound(to: UInt64.self) {
      $0.initialize(repeating: unsafeBitCast(cell, to: UInt64.self))
    }
  }
}
