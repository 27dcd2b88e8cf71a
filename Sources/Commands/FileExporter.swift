import Explorer
import InstaQL
import LiveQueries
import Notebooks
import Stores
import Triples

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Writes the explorer's exports atomically.
///
/// For a custom shell command, it writes the rows into a private temporary file that the command
/// reads.
struct FileExporter {
  /// The path of the file or folder that the store reads; nil if it reads none.
  let storePath: String?

  @concurrent
  func write(_ order: ExportOrder, progress: ProgressReport) async -> ExportOutcome {
    guard let command = order.command else {
      return await write(order, to: Self.absolute(order.path), progress)
    }
    // A folder that only the user can read.
    var template = Array("\(Folders.temporary)/sonde-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else {
      return .failed("Cannot write the rows for the command: \(String(cString: strerror(errno)))")
    }
    let folder = String(
      decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    let path = folder + "/rows"
    let outcome = await write(order, to: path, progress)
    if case .written(_, let rows?, _, _) = outcome {
      return .piped(command: command, file: path, rows: rows)
    }
    unlink(path)
    rmdir(folder)
    return outcome
  }

  private func write(
    _ order: ExportOrder, to path: String, _ progress: ProgressReport
  ) async -> ExportOutcome {
    if let kind = Files.kind(of: path) {
      if let reason = refusal(of: kind, at: path, order) { return .failed(reason) }
      if !order.isReplacing { return .exists(order.path) }
    }
    let folder = Files.folder(of: path)
    if Files.kind(of: folder) == nil {
      guard order.isReplacing else { return .folderMissing(order.path, folder: folder) }
      do throws(SystemError) {
        try Self.makeFolder(folder)
      } catch {
        return .failed("Cannot create \(folder): \(error.reason)")
      }
    }
    do {
      // Once the file is complete, canceling has no effect.
      return try await make(order, at: path, progress)
    } catch let error as StoreError {
      if Task.isCancelled { return .cancelled }
      if case .exists = error { return .exists(order.path) }
      return .failed(error.message)
    } catch let error as QueryError {
      return .failed(error.message)
    } catch let error as SystemError {
      if Task.isCancelled { return .cancelled }
      return .failed("Cannot write \(order.path): \(error.reason)")
    } catch {
      return .cancelled
    }
  }

  /// Creates a folder and the folders above it.
  private static func makeFolder(_ path: String) throws(SystemError) {
    let above = Files.folder(of: path)
    if Files.kind(of: above) == nil, above != path { try makeFolder(above) }
    try Files.makeFolder(path)
  }

  /// Returns the reason why this export may not replace an existing path; nil if it may.
  private func refusal(
    of kind: Files.Kind, at path: String, _ order: ExportOrder
  ) -> String? {
    if let storePath, FileSource.isSource(path, of: storePath) {
      return "The open store reads this \(kind == .folder ? "folder" : "file"). Choose another name"
    }
    switch kind {
    case .other: return "\(order.path) exists and is not a regular file"
    case .folder:
      guard order.form == .jsonFolder || order.form == .csvFolder,
        AtomicReplacement.isReplaceable(path)
      else { return "\(order.path) is a folder. Add the name of a file" }
      return nil
    case .file: return nil
    }
  }

  private func make(
    _ order: ExportOrder, at path: String, _ progress: ProgressReport
  ) async throws -> ExportOutcome {
    switch order.form {
    case .result(let format): return try write(order, as: .result(format), at: path, progress)
    case .text: return try write(order, as: .table, at: path, progress)
    case .backup: return try await write(order, as: .backup, at: path, progress)
    case .dump: return try await write(order, as: .dump, at: path, progress)
    case .jsonFolder: return try await write(order, as: .json, at: path, progress)
    case .csvFolder: return try await write(order, as: .csv, at: path, progress)
    }
  }

  private func write(
    _ order: ExportOrder, as format: Rendering.Format, at path: String, _ progress: ProgressReport
  ) throws -> ExportOutcome {
    var portions = try order.rendering(format).portions()
    let remarks = try order.remarks
    return try Self.file(at: path, isReplacing: order.isReplacing, remarks) { file throws in
      var size = 0
      while let bytes = try portions.next() {
        try Task.checkCancellation()
        try file.write(bytes)
        size += bytes.count
        progress(LoadingProgress(done: portions.done, of: portions.count, .rows))
      }
      return (portions.count, size)
    }
  }

  private func write(
    _ order: ExportOrder, as format: StoreExport.Format, at path: String,
    _ progress: ProgressReport
  ) async throws -> ExportOutcome {
    let content = order.whole ?? WholeStore(order.snapshot)
    let remarks = try await StoreExport.write(
      content, to: path, as: format, title: order.title, isReplacing: order.isReplacing,
      progress: progress)
    return .written(path: path, rows: nil, bytes: nil, remarks: content.remarks + remarks)
  }

  /// Writes a draft next to the path, flushes it to disk and renames it to the path.
  private static func file(
    at path: String, isReplacing: Bool, _ remarks: [String],
    _ body: (inout FileOutput) throws -> (rows: Int, bytes: Int)
  ) throws -> ExportOutcome {
    let draft = try Draft(for: path)
    var file = try FileOutput(draft.path)
    let (rows, bytes) = try body(&file)
    try file.sync()
    if isReplacing {
      try draft.replaceStore()
    } else {
      do throws(SystemError) {
        try draft.publish()
      } catch {
        throw Files.kind(of: path) == nil ? error : StoreError.exists(path: path) as any Error
      }
    }
    return .written(path: path, rows: rows, bytes: bytes, remarks: remarks)
  }

  /// Returns a path as an absolute path. `~` is the home folder; other paths are relative to the
  /// working folder.
  static func absolute(_ path: String) -> String {
    if path == "~" || path.hasPrefix("~/"), let home = Folders.variable("HOME") {
      return home + path.dropFirst()
    }
    if path.hasPrefix("/") { return path }
    guard let folder = getcwd(nil, 0) else { return path }
    defer { free(folder) }
    let here = String(cString: folder)
    return here.hasSuffix("/") ? here + path : here + "/" + path
  }
}
