#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The data to measure with. The first run generates it with
/// `Sources/Benchmarks/Scripts/make-data.py`.
enum BenchData {
  /// Returns the folder `name` if it contains data. If `name` is a number, returns a cached folder
  /// with that many entities, and generates it first if necessary.
  static func folder(named name: String, cache: String) -> String? {
    if exists(name + "/attrs.json") { return name }
    guard let entities = Int(name) else { return nil }
    let folder = "\(cache)/\(entities)"
    let mark = folder + "/complete"
    if exists(mark) { return folder }
    guard let generator = tool("make-data.py") else { return nil }
    print("Making \(entities) entities in \(folder)")
    let command = "mkdir -p '\(folder)' && python3 '\(generator)' \(entities) '\(folder)'"
    return output(of: "\(command) && touch '\(mark)'") == nil ? nil : folder
  }

  /// Returns the path of a file in the folder `Scripts`. Nil unless the program runs in the top
  /// folder of the checkout.
  static func tool(_ name: String) -> String? {
    let path = "Sources/Benchmarks/Scripts/" + name
    return exists(path) ? path : nil
  }

  static func exists(_ path: String) -> Bool { access(path, R_OK) == 0 }

  /// Returns the triple dump in a data folder as one JSON text, and the number of its triples.
  static func dump(of folder: String) -> (bytes: [UInt8], triples: Int)? {
    let attributes = folder + "/attrs.json"
    let triples = folder + "/triples.json"
    guard let size = length(of: attributes), let more = length(of: triples) else { return nil }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(size + more + 64)
    bytes.append(contentsOf: #"{"attrs":"#.utf8)
    append(attributes, size, to: &bytes)
    bytes.append(contentsOf: #","triples":"#.utf8)
    append(triples, more, to: &bytes)
    bytes.append(UInt8(ascii: "}"))
    // The generator writes each triple, and each bracket, on a line of its own.
    let lines = bytes.withUnsafeBufferPointer { buffer in
      var lines = 0
      for byte in buffer where byte == 10 { lines += 1 }
      return lines
    }
    return (bytes, max(1, lines - 2))
  }

  private static func length(of path: String) -> Int? {
    var status = stat()
    return stat(path, &status) == 0 ? Int(status.st_size) : nil
  }

  private static func append(_ path: String, _ size: Int, to bytes: inout [UInt8]) {
    guard let file = fopen(path, "rb") else { return }
    defer { fclose(file) }
    bytes.append(
      addingCapacity: size, filledBy: { fread($0.baseAddress, 1, $0.count, file) })
  }

  /// Returns the output of a command; nil when the command fails.
  static func output(of command: String) -> String? {
    guard let pipe = popen(command, "r") else { return nil }
    var output: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = fread(&buffer, 1, buffer.count, pipe)
      if count == 0 { break }
      output.append(contentsOf: buffer[0..<count])
    }
    return pclose(pipe) == 0 ? String(decoding: output, as: UTF8.self) : nil
  }
}

extension [UInt8] {
  /// Appends the bytes that `fill` writes, which are at most `size`.
  fileprivate mutating func append(
    addingCapacity size: Int, filledBy fill: (UnsafeMutableBufferPointer<UInt8>) -> Int
  ) {
    let start = count
    append(contentsOf: repeatElement(0, count: size))
    let filled = withUnsafeMutableBufferPointer { fill(.init(rebasing: $0[start...])) }
    removeLast(size - filled)
  }
}
