#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

import Triples

/// Where the measured data is, made by the generator when that lies beside the checkout.
enum BenchData {
  /// The folder itself, or for a number of entities a folder made for it under /tmp.
  static func folder(named name: String) -> String? {
    if exists(name + "/attrs.json") { return name }
    guard let entities = Int(name) else { return nil }
    let folder = "/tmp/sonde-bench/\(entities)"
    if exists(folder + "/comments.jsonl") { return folder }
    guard let generator = tool("gen-bench-data.py") else { return nil }
    print("Making \(entities) entities in \(folder)")
    return run("mkdir -p \(folder) && python3 \(generator) \(entities) \(folder)") != nil
      ? folder : nil
  }

  /// A tool of the shared folder beside the checkout, if it is there.
  static func tool(_ name: String) -> String? {
    ["../shared/tools/bench/", "../../shared/tools/bench/"].map { $0 + name }.first(where: exists)
  }

  static func exists(_ path: String) -> Bool { access(path, R_OK) == 0 }

  static func bytes(_ path: String) -> [UInt8]? {
    guard let file = fopen(path, "rb") else { return nil }
    defer { fclose(file) }
    fseek(file, 0, SEEK_END)
    let size = ftell(file)
    rewind(file)
    return [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
      count = fread(buffer.baseAddress, 1, size, file)
    }
  }

  /// The store of a folder, read from its attributes and triples as one dump.
  static func store(_ folder: String) throws -> TripleStore {
    var dump = Array(#"{"attrs":"#.utf8)
    guard let attributes = bytes(folder + "/attrs.json") else {
      throw BenchError.noFile(folder + "/attrs.json")
    }
    guard let triples = bytes(folder + "/triples.json") else {
      throw BenchError.noFile(folder + "/triples.json")
    }
    dump.reserveCapacity(attributes.count + triples.count + 32)
    dump += attributes
    dump += #","triples":"#.utf8
    dump += triples
    dump.append(UInt8(ascii: "}"))
    return try TripleDump.load(dump)
  }

  /// What a command prints; nil when it fails.
  static func run(_ command: String) -> String? {
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
