import Testing

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The code of the library's guide.
enum Guide {
  static func source() throws -> String {
    let parts = #filePath.split(separator: "/").dropLast(4)
    let path =
      "/" + parts.joined(separator: "/") + "/Sources/InstaQL/InstaQL.docc/AskingInSwift.md"
    let file = try #require(fopen(path, "r"))
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 1 << 16)
    let count = fread(&bytes, 1, bytes.count, file)
    let text = String(decoding: bytes[..<count], as: UTF8.self)
    var code = "import InstaQL\nimport Triples\n"
    var isCode = false
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix("```") {
        isCode = line == "```swift"
      } else if isCode {
        code += line + "\n"
      }
    }
    return code
  }
}
