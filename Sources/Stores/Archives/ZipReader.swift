#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// An error in a zip file. Its reason completes a sentence that starts with the file's name.
struct ZipFault: Error, Hashable, CustomStringConvertible {
  let reason: String

  var description: String { reason }
}

/// Reads the entries of a zip file one at a time.
///
/// Names are compared and never used as paths. Every offset and length is checked against the file,
/// and every entry against its length and checksum. A zip bomb is rejected before any entry is
/// decompressed.
///
///     entries … central directory … [zip64 end, its locator] end record (22 bytes and a comment)
///
/// - Source: PKWARE's APPNOTE, sections 4.3 and 4.5.
struct ZipReader: ~Copyable {
  struct Entry: Hashable {
    var name: String
    var method: UInt16
    var checksum: UInt32
    var compressedSize: Int
    var size: Int
    /// The offset of the entry's local header.
    var offset: Int
  }

  let entries: [Entry]
  private let file: ArchiveFile

  /// The maximum ratio of uncompressed to compressed size. Text typically has a ratio of ten.
  private static let maxExpansion = 250
  /// The uncompressed size in bytes up to which the ratio is not checked.
  private static let unsuspiciousBytes = 256 << 20
  /// The maximum size in bytes of an entry read into one array.
  private static let maxEntryBytes = 4 << 30

  init(_ path: String) throws(ZipFault) {
    let file = try ArchiveFile(path)
    let entries = try ZipDirectory.entries(of: file)
    try Self.checkExpansion(entries, length: file.length)
    self.entries = entries
    self.file = file
  }

  private static func checkExpansion(_ entries: [Entry], length: Int) throws(ZipFault) {
    var (size, compressed) = (0, 0)
    for entry in entries {
      size = size.addingReportingOverflow(entry.size).overflow ? .max : size + entry.size
      guard entry.compressedSize <= length - compressed else {
        throw ZipFault(reason: "the archive is damaged: its entries overlap")
      }
      compressed += entry.compressedSize
    }
    if size > unsuspiciousBytes, size / maxExpansion > length {
      throw ZipFault(
        reason: "its \(length) bytes would unpack to \(size) bytes, which looks like a zip bomb")
    }
  }

  /// Reads the bytes of an entry into memory.
  func bytes(of entry: Entry) throws(ZipFault) -> [UInt8] {
    guard entry.size <= Self.maxEntryBytes else {
      throw ZipFault(reason: "the entry '\(entry.name)' is too large to read")
    }
    let start = try start(of: entry)
    let stored = try file.bytes(at: start, count: entry.compressedSize)
    let bytes: [UInt8]?
    switch entry.method {
    case 0: bytes = stored.count == entry.size ? stored : nil
    case 8: bytes = Inflate.bytes(of: stored, size: entry.size)
    default:
      throw ZipFault(
        reason:
          "the entry '\(entry.name)' uses an unsupported compression method (\(entry.method))")
    }
    guard let bytes, Inflate.checksum(of: bytes) == entry.checksum else {
      throw ZipFault(reason: "the entry '\(entry.name)' is damaged")
    }
    return bytes
  }

  /// Decompresses an entry in parts and passes each to `receive`. The checksum is compared at the
  /// end.
  func read<Failure: Error>(
    _ entry: Entry, failing: (ZipFault) -> Failure,
    _ receive: ([UInt8]) throws(Failure) -> Void
  ) throws(Failure) {
    guard entry.method == 0 || entry.method == 8, var inflater = Inflater() else {
      throw failing(
        ZipFault(
          reason:
            "the entry '\(entry.name)' uses an unsupported compression method (\(entry.method))")
      )
    }
    var place: Int
    do throws(ZipFault) { place = try start(of: entry) } catch { throw failing(error) }
    let end = place + entry.compressedSize
    while place < end {
      let part: [UInt8]
      do throws(ZipFault) {
        part = try file.bytes(at: place, count: min(Self.partBytes, end - place))
      } catch { throw failing(error) }
      place += part.count
      if entry.method == 0 {
        inflater.count(part)
        try receive(part)
      } else if let bytes = inflater.bytes(of: part), inflater.size <= entry.size {
        try receive(bytes)
      } else {
        throw failing(ZipFault(reason: "the entry '\(entry.name)' is damaged"))
      }
    }
    guard inflater.size == entry.size, inflater.checksum == entry.checksum,
      entry.method == 0 || inflater.isAtEnd
    else { throw failing(ZipFault(reason: "the entry '\(entry.name)' is damaged")) }
  }

  private static let partBytes = 1 << 18

  /// Returns the offset of an entry's compressed bytes in the file.
  private func start(of entry: Entry) throws(ZipFault) -> Int {
    let header = try file.bytes(at: entry.offset, count: 30)
    guard header.number32(0) == 0x0403_4B50 else {
      throw ZipFault(
        reason: "the entry '\(entry.name)' is not at its listed position in the archive")
    }
    return entry.offset + 30 + Int(header.number16(26)) + Int(header.number16(28))
  }
}

/// A file that can be read at any offset.
private struct ArchiveFile: ~Copyable {
  private let descriptor: Int32
  let length: Int

  init(_ path: String) throws(ZipFault) {
    descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw ZipFault(reason: SystemError(errno: errno).reason) }
    var status = stat()
    length = fstat(descriptor, &status) == 0 ? Int(status.st_size) : 0
  }

  deinit { close(descriptor) }

  func bytes(at offset: Int, count: Int) throws(ZipFault) -> [UInt8] {
    guard offset >= 0, count >= 0, offset <= length, count <= length - offset else {
      throw ZipFault(reason: "it ends too early")
    }
    var failure: ZipFault?
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      filled = 0
      while filled < count {
        let got = pread(
          descriptor, buffer.baseAddress! + filled, count - filled, off_t(offset + filled))
        if got < 0, errno == EINTR { continue }
        if got <= 0 {
          failure = ZipFault(
            reason: got == 0 ? "it ends too early" : SystemError(errno: errno).reason)
          return
        }
        filled += got
      }
    }
    if let failure { throw failure }
    return bytes
  }
}

/// The central directory of a zip file: the list of its entries, at the end of the file.
private enum ZipDirectory {
  private static let maxEntries = 1 << 20
  private static let maxBytes = 256 << 20

  static func entries(of file: borrowing ArchiveFile) throws(ZipFault) -> [ZipReader.Entry] {
    let place = try find(file)
    guard place.size <= maxBytes, place.count <= maxEntries else {
      throw ZipFault(reason: "it has too many entries for a backup")
    }
    let directory = try file.bytes(at: place.offset, count: place.size)
    var entries: [ZipReader.Entry] = []
    var position = 0
    for _ in 0..<place.count {
      guard position + 46 <= directory.count, directory.number32(position) == 0x0201_4B50 else {
        throw ZipFault(reason: "the archive's list of entries is damaged")
      }
      let nameLength = Int(directory.number16(position + 28))
      let extraLength = Int(directory.number16(position + 30))
      let end =
        position + 46 + nameLength + extraLength + Int(directory.number16(position + 32))
      guard end <= directory.count else {
        throw ZipFault(reason: "the archive's list of entries is damaged")
      }
      entries.append(
        try entry(directory, at: position, nameLength: nameLength, extraLength: extraLength))
      position = end
    }
    return entries
  }

  /// Finds the offset and size of the central directory, and the number of its entries.
  private static func find(
    _ file: borrowing ArchiveFile
  ) throws(ZipFault) -> (offset: Int, size: Int, count: Int) {
    let most = min(file.length, 65_557)
    let tail = try file.bytes(at: file.length - most, count: most)
    var place = tail.count - 22
    while place >= 0 {
      if tail.number32(place) == 0x0605_4B50,
        place + 22 + Int(tail.number16(place + 20)) == tail.count
      {
        break
      }
      place -= 1
    }
    guard place >= 0 else { throw ZipFault(reason: "not a zip file, or truncated") }
    let count = Int(tail.number16(place + 10))
    let size = Int(tail.number32(place + 12))
    let offset = Int(tail.number32(place + 16))
    guard count == 0xFFFF || size == 0xFFFF_FFFF || offset == 0xFFFF_FFFF else {
      return (offset, size, count)
    }
    return try findLarge(file, before: file.length - tail.count + place)
  }

  /// Finds the offset and size of the central directory in the zip64 records of a large file.
  private static func findLarge(
    _ file: borrowing ArchiveFile, before end: Int
  ) throws(ZipFault) -> (offset: Int, size: Int, count: Int) {
    let locator = try file.bytes(at: end - 20, count: 20)
    guard locator.number32(0) == 0x0706_4B50, let start = locator.number64(8) else {
      throw ZipFault(reason: "the end of the archive is damaged")
    }
    let record = try file.bytes(at: start, count: 56)
    guard record.number32(0) == 0x0606_4B50, let count = record.number64(32),
      let size = record.number64(40), let offset = record.number64(48)
    else { throw ZipFault(reason: "the end of the archive is damaged") }
    return (offset, size, count)
  }

  private static func entry(
    _ bytes: [UInt8], at place: Int, nameLength: Int, extraLength: Int
  ) throws(ZipFault) -> ZipReader.Entry {
    let nameEnd = place + 46 + nameLength
    guard
      let name = String(validating: bytes[(place + 46)..<nameEnd], as: UTF8.self)
    else { throw ZipFault(reason: "an entry's name is not valid UTF-8") }
    if bytes.number16(place + 8) & 1 != 0 {
      throw ZipFault(reason: "the entry '\(name)' is encrypted")
    }
    var entry = ZipReader.Entry(
      name: name, method: bytes.number16(place + 10), checksum: bytes.number32(place + 16),
      compressedSize: Int(bytes.number32(place + 20)), size: Int(bytes.number32(place + 24)),
      offset: Int(bytes.number32(place + 42)))
    try readLarge(Array(bytes[nameEnd..<(nameEnd + extraLength)]), into: &entry)
    return entry
  }

  /// Reads the sizes and the offset of an entry from its zip64 extra field.
  private static func readLarge(_ extra: [UInt8], into entry: inout ZipReader.Entry)
    throws(ZipFault)
  {
    var place = 0
    while place + 4 <= extra.count {
      let (id, size) = (extra.number16(place), Int(extra.number16(place + 2)))
      place += 4
      guard id == 1 else {
        place += size
        continue
      }
      var field = place
      for part in [\ZipReader.Entry.size, \.compressedSize, \.offset]
      where entry[keyPath: part] == 0xFFFF_FFFF {
        guard field + 8 <= min(place + size, extra.count), let number = extra.number64(field)
        else {
          throw ZipFault(reason: "the archive has no valid size or offset for '\(entry.name)'")
        }
        entry[keyPath: part] = number
        field += 8
      }
      return
    }
  }
}

extension [UInt8] {
  /// Reads a little-endian number of two bytes.
  func number16(_ place: Int) -> UInt16 { UInt16(self[place]) | UInt16(self[place + 1]) << 8 }

  func number32(_ place: Int) -> UInt32 {
    UInt32(number16(place)) | UInt32(number16(place + 2)) << 16
  }

  /// Reads a little-endian number of eight bytes; nil if it is too large for a length.
  func number64(_ place: Int) -> Int? {
    let number = UInt64(number32(place)) | UInt64(number32(place + 4)) << 32
    return number < 1 << 60 ? Int(number) : nil
  }
}
