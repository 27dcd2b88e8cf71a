import Triples

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The shared conformance data beside the checkout; nothing is there on most machines, and tests then skip.
enum ConformanceFiles {
  /// The package root's sibling, found from where this file stands.
  static let folder: String = {
    let parts = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(4)
    return parts.joined(separator: "/") + "/../shared/conformance/instaql/"
  }()

  static let names = [
    "edge-plain", "edge-schema", "edge-date-objects", "example-01", "example-02", "example-03",
    "example-04", "example-05", "example-06", "movies/cases", "zeneca/cases",
  ]

  static var present: [String] { names.filter { access(folder + $0 + ".json", R_OK) == 0 } }

  static func json(_ name: String) throws -> Value {
    try JSONReader.value(
      of: bytes(folder + name + ".json"), options: JSONOptions(largeIntegers: .doubles))
  }

  private static func bytes(_ path: String) -> [UInt8] {
    guard let file = fopen(path, "r") else { return [] }
    defer { fclose(file) }
    fseek(file, 0, SEEK_END)
    let size = ftell(file)
    rewind(file)
    return [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
      count = fread(buffer.baseAddress, 1, size, file)
    }
  }
}

extension Value {
  /// What stands at a key; null when nothing does.
  subscript(key: String) -> Value {
    guard case .object(let object) = self else { return .null }
    return object[key] ?? .null
  }

  var elements: [Value] {
    guard case .array(let elements) = self else { return [] }
    return elements
  }

  var string: String {
    guard case .text(let text) = self else { return "" }
    return text
  }
}
