import DataSources
import LiveQueries

/// Writes a zip file entry by entry, deflated, with zip64 where necessary.
struct ZipWriter: ~Copyable {
  private struct Written {
    var name: [UInt8]
    var checksum: UInt32
    var compressedSize: Int
    var size: Int
    var offset: Int
  }

  private var file: FileOutput
  private var position = 0
  private var written: [Written] = []

  /// The maximum length of a name in bytes.
  static let maxNameBytes = Int(UInt16.max)

  /// Creates a file; fails if it exists.
  init(_ path: String) throws(SystemError) {
    file = try FileOutput(path)
  }

  /// Adds an entry whose content is already compressed. The name must not exceed `maxNameBytes`.
  mutating func add(
    _ name: String, _ content: consuming Deflater
  ) throws(SystemError) {
    let compressed = content.finish()
    let entry = Written(
      name: Array(name.utf8), checksum: content.checksum, compressedSize: compressed.count,
      size: content.size, offset: position)
    try write(
      Self.header(
        of: entry, isLarge: entry.size >= Self.none32 || entry.compressedSize >= Self.none32))
    try write(compressed)
    written.append(entry)
  }

  /// Adds an entry that is compressed in parts, so that it does not need to fit into memory.
  mutating func add(_ attachment: StoreAttachment) throws {
    var deflater = Deflater()
    var entry = Written(
      name: Array(attachment.name.utf8), checksum: 0, compressedSize: 0, size: attachment.size,
      offset: position)
    // Data that cannot be compressed grows slightly, so the limit is below four gigabytes.
    let isLarge = attachment.size >= 3 << 30
    try write(Self.header(of: entry, isLarge: isLarge))
    var failure: SystemError?
    do throws(DataSourceError) {
      try attachment.read { part throws(DataSourceError) in
        deflater.append(part)
        guard deflater.compressed.count >= Export.portion else { return }
        let bytes = deflater.removeCompressed()
        entry.compressedSize += bytes.count
        do throws(SystemError) { try write(bytes) } catch {
          failure = error
          throw .cancelled
        }
      }
    } catch {
      throw failure ?? error as any Error
    }
    let rest = deflater.finish()
    entry.compressedSize += rest.count
    try write(rest)
    (entry.size, entry.checksum) = (deflater.size, deflater.checksum)
    try file.rewrite(Self.header(of: entry, isLarge: isLarge), at: entry.offset)
    written.append(entry)
  }

  /// Writes the central directory. No entry may be added afterward.
  mutating func finish() throws(SystemError) {
    let start = position
    var directory: [UInt8] = []
    for entry in written { directory += Self.line(of: entry) }
    try write(directory)
    try write(Self.end(count: written.count, size: directory.count, offset: start))
  }

  private mutating func write(_ bytes: [UInt8]) throws(SystemError) {
    try file.write(bytes)
    position += bytes.count
  }

  // MARK: Records

  private static let none32 = UInt32.max
  /// The modification date of all entries: the earliest date that the format can represent, which
  /// all tools accept.
  private static let moment: [UInt8] = [0, 0, 0x21, 0]

  private static func header(of entry: Written, isLarge: Bool) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.append(0x0403_4B50 as UInt32)
    bytes.append((isLarge ? 45 : 20) as UInt16)
    // Bit 11 of the flags: the name is UTF-8.
    bytes.append(0x0800 as UInt16)
    bytes.append(8 as UInt16)
    bytes += moment
    bytes.append(entry.checksum)
    bytes.append(isLarge ? none32 : UInt32(entry.compressedSize))
    bytes.append(isLarge ? none32 : UInt32(entry.size))
    bytes.append(UInt16(entry.name.count))
    bytes.append((isLarge ? 20 : 0) as UInt16)
    bytes += entry.name
    if isLarge {
      bytes.append(1 as UInt16)
      bytes.append(16 as UInt16)
      bytes.append(UInt64(entry.size))
      bytes.append(UInt64(entry.compressedSize))
    }
    return bytes
  }

  private static func line(of entry: Written) -> [UInt8] {
    var large: [UInt8] = []
    for number in [entry.size, entry.compressedSize, entry.offset] where number >= none32 {
      large.append(UInt64(number))
    }
    var bytes: [UInt8] = []
    bytes.append(0x0201_4B50 as UInt32)
    // The creator is version 4.5 of the format, on a system whose files have permission modes.
    bytes.append(0x032D as UInt16)
    bytes.append((large.isEmpty ? 20 : 45) as UInt16)
    bytes.append(0x0800 as UInt16)
    bytes.append(8 as UInt16)
    bytes += moment
    bytes.append(entry.checksum)
    bytes.append(UInt32(clamping: entry.compressedSize))
    bytes.append(UInt32(clamping: entry.size))
    bytes.append(UInt16(entry.name.count))
    bytes.append(UInt16(large.isEmpty ? 0 : large.count + 4))
    for _ in 0..<3 { bytes.append(0 as UInt16) }
    bytes.append(0o100644 << 16 as UInt32)
    bytes.append(UInt32(clamping: entry.offset))
    bytes += entry.name
    if !large.isEmpty {
      bytes.append(1 as UInt16)
      bytes.append(UInt16(large.count))
      bytes += large
    }
    return bytes
  }

  private static func end(count: Int, size: Int, offset: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    if count >= 0xFFFF || size >= none32 || offset >= none32 {
      bytes.append(0x0606_4B50 as UInt32)
      bytes.append(44 as UInt64)
      bytes.append(0x032D as UInt16)
      bytes.append(45 as UInt16)
      bytes.append(0 as UInt64)
      for number in [count, count, size, offset] { bytes.append(UInt64(number)) }
      bytes.append(0x0706_4B50 as UInt32)
      bytes.append(0 as UInt32)
      bytes.append(UInt64(offset + size))
      bytes.append(1 as UInt32)
    }
    bytes.append(0x0605_4B50 as UInt32)
    bytes.append(0 as UInt32)
    bytes.append(UInt16(clamping: count))
    bytes.append(UInt16(clamping: count))
    bytes.append(UInt32(clamping: size))
    bytes.append(UInt32(clamping: offset))
    bytes.append(0 as UInt16)
    return bytes
  }
}

extension [UInt8] {
  fileprivate mutating func append<Number: FixedWidthInteger>(_ number: Number) {
    Swift.withUnsafeBytes(of: number.littleEndian) { append(contentsOf: $0) }
  }
}
