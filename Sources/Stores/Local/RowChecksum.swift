import GRDB
import GRDBSQLite
import Triples

/// The number of rows, and the sum of their checksums in any order. They reveal missing rows.
struct RowSum: Hashable, Sendable {
  var count = 0
  var sum: UInt64 = 0

  mutating func add(_ checksum: UInt64) {
    count += 1
    sum &+= checksum
  }

  mutating func remove(_ checksum: UInt64) {
    count -= 1
    sum &-= checksum
  }
}

/// SQLite's storage classes, which are part of the checksum.
private enum StorageClass {
  static let integer: UInt64 = 1
  static let real: UInt64 = 2
  static let text: UInt64 = 3
  static let blob: UInt64 = 4
  static let null: UInt64 = 5
}

extension Checksum {
  mutating func mix(integer: Int64) {
    mix(StorageClass.integer)
    mix(UInt64(bitPattern: integer))
  }

  mutating func mix(real: Double) {
    mix(StorageClass.real)
    mix(real.bitPattern)
  }

  mutating func mix(text: String) {
    mix(StorageClass.text)
    var text = text
    text.withUTF8 { mix(UnsafeRawBufferPointer($0)) }
  }

  mutating func mix(blob: [UInt8]) {
    mix(StorageClass.blob)
    mix(blob)
  }

  mutating func mixNull() { mix(StorageClass.null) }

  /// Adds an entity's id to the checksum, in the form that `Statement.bind` stores.
  mutating func mix(_ id: EntityID) {
    guard let (high, low) = id.uuidBits else { return mix(text: id.text) }
    mix(StorageClass.blob)
    withUnsafeBytes(of: (high.bigEndian, low.bigEndian)) { mix($0) }
  }

  /// Adds a stored value to the checksum. The result is the same as for the value that was written.
  mutating func mix(_ row: Statement, _ column: Int32) {
    switch row.type(column) {
    case SQLITE_INTEGER: mix(integer: row.integer(column))
    case SQLITE_FLOAT: mix(real: row.double(column))
    case SQLITE_TEXT:
      mix(StorageClass.text)
      row.withBytes(column) { mix(UnsafeRawBufferPointer($0)) }
    case SQLITE_BLOB:
      mix(StorageClass.blob)
      row.withBytes(column) { mix(UnsafeRawBufferPointer($0)) }
    default: mixNull()
    }
  }

  /// Returns the checksum of the first columns of a row.
  static func of(_ row: Statement, columns: Int32) -> UInt64 {
    var checksum = Checksum()
    for column in 0..<columns { checksum.mix(row, column) }
    return checksum.value
  }
}
