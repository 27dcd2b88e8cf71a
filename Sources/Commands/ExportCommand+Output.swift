import DataSources
import LiveQueries
import Notebooks
import Stores
import Triples

// Exports to standard output.
extension ExportCommand {
  func writeToOutput(_ location: StoreLocation) throws {
    guard let format else {
      throw Failure(
        message:
          "Standard output has no name to tell the format by: add --format backup, dump, json, "
          + "jsonl or csv.", status: ExitStatus.usage)
    }
    if format == .backup, Output.isTerminal {
      throw Failure(
        message:
          "A backup is a zip file, which a terminal cannot show: redirect it to a file, or choose "
          + "--format dump.", status: ExitStatus.usage)
    }
    let bar = ProgressBar()
    defer { bar.end() }
    let ending = try waitingForEnd { () async throws(Failure) in
      try await send(location, as: format, bar)
    }
    bar.end()
    ending.endIfInterrupted()
  }

  /// Writes a file that is complete before its first byte is sent.
  private func send(
    _ location: StoreLocation, as format: StoreExport.Format, _ bar: ProgressBar
  ) async throws(Failure) {
    let content = try await whole(location, bar)
    do {
      let draft = try Draft(for: (Folders.variable("TMPDIR") ?? "/tmp") + "/sonde-export")
      // The file goes with the draft, and is read until the end.
      defer { withExtendedLifetime(draft) {} }
      let remarks = try await StoreExport.write(
        content, to: draft.path, as: format, title: location.name,
        goesWithoutSchema: true, progress: bar.report("Writing"))
      bar.end()
      try Self.copy(try Self.only(draft.path, of: content.store, format))
      for remark in content.remarks + remarks { StandardError.write(remark) }
    } catch let error as StoreError {
      throw Failure(error)
    } catch let error as SystemError {
      throw Failure(
        message: "Cannot write in the folder for temporary files: \(error.reason).",
        status: ExitStatus.store)
    } catch {
      throw error as? Failure ?? Failure(message: "\(error)", status: ExitStatus.store)
    }
  }

  /// The one file that was written: in a folder that of the only namespace with entities.
  private static func only(
    _ path: String, of store: TripleStore, _ format: StoreExport.Format
  ) throws -> String {
    guard Files.kind(of: path) == .folder else { return path }
    let all = store.schema.namespaces.filter { store.schema.attribute($0, "id") != nil }
    let filled = all.filter { store.count(of: $0) > 0 }
    guard let namespace = filled.isEmpty ? all.first : filled.first, filled.count <= 1 else {
      throw Failure(
        message: filled.isEmpty
          ? "The store has no namespace: there is nothing to write."
          : "\(format.rawValue) on standard output holds one namespace, and the store has "
            + "\(filled.count) (\(filled.prefix(8).joined(separator: ", "))): name a folder with --to, "
            + "choose --format dump, or use sonde query for one of them.",
        status: ExitStatus.usage)
    }
    return path + "/" + StoreExport.fileName(of: namespace, in: format)
  }

  private static func copy(_ path: String) throws {
    let size = Files.size(of: path) ?? 0
    var offset = 0
    while offset < size {
      let bytes = try Files.bytes(of: path, from: offset, count: 1 << 20)
      guard !bytes.isEmpty, try Output.write(bytes) else { return }
      offset += bytes.count
    }
  }
}
