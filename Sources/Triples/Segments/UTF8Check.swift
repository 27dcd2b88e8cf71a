/// Validates UTF-8, with ASCII checked eight bytes at a time.
package enum UTF8Check {
  package static func isValid(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    let raw = UnsafeRawBufferPointer(bytes)
    var position = 0
    while position + 8 <= raw.count {
      let word = raw.loadUnaligned(fromByteOffset: position, as: UInt64.self)
      if word & 0x8080_8080_8080_8080 != 0 { break }
      position += 8
    }
    if position == raw.count { return true }
    return String(validating: bytes[position...], as: UTF8.self) != nil
  }
}
