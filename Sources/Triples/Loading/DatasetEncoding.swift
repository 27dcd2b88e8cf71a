/// Converts files in other encodings to UTF-8.
enum DatasetEncoding {
  /// Returns the bytes as UTF-8 and their previous encoding; nil when they are UTF-8.
  ///
  /// UTF-16 is detected by its byte order mark. CSV and TSV files that are not valid UTF-8 are
  /// read as Windows-1252, a superset of Latin-1, which older programs write and in which every
  /// byte is valid.
  static func decode(
    _ bytes: [UInt8], as format: DatasetFile.Format
  ) -> (bytes: [UInt8], encoding: String)? {
    if let encoding = marked(bytes) {
      return (utf16(bytes.dropFirst(2), isBigEndian: bytes[0] == 0xFE), encoding)
    }
    switch format {
    case .json, .jsonl: return nil
    case .csv, .tsv:
      let isSound = bytes.withUnsafeBufferPointer { CSVReader.firstUnsoundByte(of: $0) == nil }
      return isSound ? nil : (windows1252(bytes), "Windows-1252")
    }
  }

  /// Returns the encoding that a byte order mark indicates; nil without a byte order mark.
  static func marked(_ bytes: [UInt8]) -> String? {
    bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) ? "UTF-16" : nil
  }

  private static func utf16(_ bytes: ArraySlice<UInt8>, isBigEndian: Bool) -> [UInt8] {
    var units: [UInt16] = []
    units.reserveCapacity(bytes.count / 2)
    var place = bytes.startIndex
    while place + 1 < bytes.endIndex {
      let (first, second) = (UInt16(bytes[place]), UInt16(bytes[place + 1]))
      units.append(isBigEndian ? first << 8 | second : second << 8 | first)
      place += 2
    }
    return Array(String(decoding: units, as: UTF16.self).utf8)
  }

  private static func windows1252(_ bytes: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count + bytes.count / 8)
    for byte in bytes {
      if byte < 0x80 {
        result.append(byte)
      } else {
        let code = byte < 0xA0 ? upper[Int(byte - 0x80)] : UInt16(byte)
        if let scalar = Unicode.Scalar(code) { result += Array(String(scalar).utf8) }
      }
    }
    return result
  }

  /// The characters for the bytes 0x80 to 0x9F. Unassigned bytes are control characters, as in
  /// Latin-1.
  private static let upper: [UInt16] = [
    0x20AC, 0x81, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039,
    0x0152, 0x8D, 0x017D, 0x8F, 0x90, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014,
    0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0x9D, 0x017E, 0x0178,
  ]
}
