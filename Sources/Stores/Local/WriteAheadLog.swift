import Triples

/// Detects a damaged write-ahead log, which SQLite does not report.
///
/// SQLite treats a frame that does not match its checksum as the end of the log, as after a power
/// loss, and ignores everything after it.
///
/// - Source: SQLite, "WAL-mode File Format".
package enum WriteAheadLog {
  /// The committed transactions that are in the log but that SQLite cannot read.
  struct Loss: Sendable, Hashable {
    /// The first damaged frame; nil if the header is damaged.
    var frame: Int?
    /// The number of transactions that end after the damaged frame.
    var transactions: Int

    func sentence(about path: String) -> String {
      let place = frame.map { "frame \($0 + 1)" } ?? "its header"
      let number =
        transactions == 1 ? "The last transaction" : "The last \(transactions) transactions"
      return "\(path)-wal is damaged (\(place)). \(number) written to \(path) cannot be read."
    }
  }

  /// Describes the lost part of a database's log in a sentence; nil if nothing is lost.
  package static func lossSentence(of database: String) -> String? {
    loss(of: database)?.sentence(about: database)
  }

  /// Returns the lost part of a database's log; nil if nothing is lost or there is no log.
  static func loss(of database: String) -> Loss? {
    let database = Files.resolved(database)
    // Another process may be writing frames at this moment, so the loss must be found twice.
    guard let first = find(database), let second = find(database), first == second else {
      return nil
    }
    return first
  }

  private static func find(_ database: String) -> Loss? {
    guard let bytes = try? Files.bytes(of: database + "-wal"), bytes.count > headerSize else {
      return nil
    }
    return bytes.withUnsafeBytes { log in
      let header = Header(log)
      let pageSize = header?.pageSize ?? Self.pageSize(of: database)
      guard let pageSize else { return nil }
      let frames = Frames(log: log, pageSize: pageSize)
      guard frames.count > 0 else { return nil }
      let sound = header.map { frames.soundCount($0) } ?? 0
      guard sound < frames.count else { return nil }
      let salt = header?.salt ?? frames.salt(0)
      let lost = (sound..<frames.count).filter { frames.salt($0) == salt }
      let commits = lost.filter { frames.isCommit($0) && (header == nil || $0 >= sound) }.count
      guard commits > 0, frames.differ(lost, from: database) else { return nil }
      return Loss(frame: header == nil ? nil : sound, transactions: commits)
    }
  }

  private static let headerSize = 32

  /// Returns the page size in the header of the database; nil if it cannot be read.
  private static func pageSize(of database: String) -> Int? {
    guard let bytes = try? Files.bytes(of: database, limit: 100), bytes.count == 100 else {
      return nil
    }
    let size = Int(bytes[16]) << 8 | Int(bytes[17])
    return size == 1 ? 65_536 : isPageSize(size) ? size : nil
  }

  private static func isPageSize(_ size: Int) -> Bool {
    (512...65_536).contains(size) && size & (size - 1) == 0
  }

  private static func word(_ bytes: UnsafeRawBufferPointer, _ place: Int) -> UInt32 {
    UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: place, as: UInt32.self))
  }

  /// SQLite's checksum, over a multiple of 8 bytes.
  private struct Sum: Equatable {
    var a: UInt32
    var b: UInt32

    mutating func mix(_ bytes: UnsafeRawBufferPointer, _ range: Range<Int>, isBigEndian: Bool) {
      for place in stride(from: range.lowerBound, to: range.upperBound, by: 8) {
        var first = bytes.loadUnaligned(fromByteOffset: place, as: UInt32.self)
        var second = bytes.loadUnaligned(fromByteOffset: place + 4, as: UInt32.self)
        if isBigEndian { (first, second) = (first.bigEndian, second.bigEndian) }
        a = a &+ first &+ b
        b = b &+ second &+ a
      }
    }
  }

  private struct Header {
    let pageSize: Int
    let salt: UInt64
    let isBigEndian: Bool
    let sum: Sum

    /// Reads the header of a log; nil if it is damaged.
    init?(_ log: UnsafeRawBufferPointer) {
      let magic = word(log, 0)
      guard magic & ~1 == 0x377F_0682 else { return nil }
      isBigEndian = magic & 1 != 0
      pageSize = Int(word(log, 8))
      salt = UInt64(word(log, 16)) << 32 | UInt64(word(log, 20))
      var sum = Sum(a: 0, b: 0)
      sum.mix(log, 0..<24, isBigEndian: isBigEndian)
      self.sum = sum
      guard isPageSize(pageSize), sum == Sum(a: word(log, 24), b: word(log, 28)) else { return nil }
    }
  }

  private struct Frames {
    let log: UnsafeRawBufferPointer
    let pageSize: Int

    private static let headerSize = 24

    var count: Int { (log.count - WriteAheadLog.headerSize) / (Self.headerSize + pageSize) }

    private func start(_ frame: Int) -> Int {
      WriteAheadLog.headerSize + frame * (Self.headerSize + pageSize)
    }

    func salt(_ frame: Int) -> UInt64 {
      UInt64(word(log, start(frame) + 8)) << 32 | UInt64(word(log, start(frame) + 12))
    }

    func isCommit(_ frame: Int) -> Bool { word(log, start(frame) + 4) != 0 }

    /// Returns the number of undamaged frames. SQLite reads only these.
    func soundCount(_ header: Header) -> Int {
      var sum = header.sum
      for frame in 0..<count {
        let start = start(frame)
        let body = start + Self.headerSize
        sum.mix(log, start..<start + 8, isBigEndian: header.isBigEndian)
        sum.mix(log, body..<body + pageSize, isBigEndian: header.isBigEndian)
        guard salt(frame) == header.salt,
          sum == Sum(a: word(log, start + 16), b: word(log, start + 20))
        else { return frame }
      }
      return count
    }

    /// Returns whether pages in the given frames differ from the database. They do not differ if
    /// the log was already merged into the database.
    func differ(_ frames: [Int], from database: String) -> Bool {
      var newest: [Int: Int] = [:]
      for frame in frames { newest[Int(word(log, start(frame)))] = frame }
      guard let bytes = try? Files.bytes(of: database) else { return true }
      return bytes.withUnsafeBytes { database in
        newest.contains { page, frame in
          let place = (page - 1) * pageSize
          guard page > 0, place + pageSize <= database.count else { return true }
          let body = start(frame) + Self.headerSize
          return !database[place..<place + pageSize].elementsEqual(log[body..<body + pageSize])
        }
      }
    }
  }
}
