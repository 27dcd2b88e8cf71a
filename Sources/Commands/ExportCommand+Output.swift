import DataSources
import LiveQueries
import Notebooks
import Stores
import Triples

// Exports to standard output, and to PostgreSQL databases.
extension ExportCommand {
  func writeToOutput(_ location: StoreLocation) throws {
    guard let format else {
      throw Failure.formatNeeded
    }
    if format == .backup || format == .sqlite, Output.isTerminal {
      throw Failure.notForTerminal(
        format == .backup ? "A backup is a zip file" : "A database is a file")
    }
    let bar = ProgressBar()
    defer { bar.end() }
    let ending = try runUntilInterrupted { () async throws(Failure) in
      try await send(location, as: format, bar)
    }
    bar.end()
    ending.endIfInterrupted()
  }

  /// Exports the store as tables of the PostgreSQL database that `--to` names.
  func writeToServer(_ location: StoreLocation) throws {
    if format != nil { throw Failure.formatOfDatabase }
    let parameters = PostgresParameters(to)
    let target: PostgresTarget
    do throws(StoreError) {
      target = try PostgresTarget(parameters)
    } catch {
      throw Failure(error)
    }
    let bar = ProgressBar()
    defer { bar.end() }
    let ending = try runUntilInterrupted(.goOn) { () async throws(Failure) in
      let content = try await whole(location, bar) { store async throws(Failure) in
        try await check(target, for: store)
      }
      do throws(StoreError) {
        let remarks = try await StoreExport.write(
          content, to: target, isReplacing: force,
          progress: bar.report("Writing " + parameters.name))
        bar.end()
        for remark in content.remarks + remarks { StandardError.write(remark) }
      } catch {
        bar.end()
        throw Failure(error)
      }
    }
    bar.end()
    ending.endIfInterrupted()
  }

  /// Throws an error if an export would replace the tables that it reads.
  private func check(
    _ target: PostgresTarget, for store: any StoreDataSource
  ) async throws(Failure) {
    let isSame: Bool
    do throws(StoreError) {
      isSame = try await target.isRead(by: store)
    } catch {
      throw Failure(error)
    }
    if isSame { throw Failure.exportOntoItself(PostgresParameters(to).shown) }
  }

  /// Writes an export to standard output, but only when the whole export is complete.
  private func send(
    _ location: StoreLocation, as format: StoreExport.Format, _ bar: ProgressBar
  ) async throws(Failure) {
    let content = try await whole(location, bar)
    do {
      let draft = try Draft(for: Folders.temporary + "/sonde-export")
      // The temporary file is deleted with the draft.
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
      throw Failure.temporaryFolder(error.reason)
    } catch {
      throw error as? Failure ?? Failure(message: "\(error)", status: ExitStatus.store)
    }
  }

  /// Returns the path of the only file of an export, to write it to standard output.
  ///
  /// If the export is a folder, this is the file of the only namespace with entities. Throws if
  /// several namespaces have entities.
  private static func only(
    _ path: String, of store: TripleStore, _ format: StoreExport.Format
  ) throws -> String {
    guard Files.kind(of: path) == .folder else { return path }
    let all = store.schema.namespaces.filter { store.schema.identity(of: $0) != nil }
    let filled = all.filter { store.count(of: $0) > 0 }
    guard let namespace = filled.isEmpty ? all.first : filled.first, filled.count <= 1 else {
      throw filled.isEmpty
        ? Failure.nothingToExport : .severalNamespaces(filled, as: format.rawValue)
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
