import LiveQueries
import Triples

/// The data of a folder's files as of one reading, with hashes to detect later changes.
struct FolderReading: Sendable {
  /// The data of the files, without changes made in memory.
  let store: TripleStore
  /// The messages about skipped and changed data, with file and line.
  let report: ReadReport
  /// A message about errors that appeared after the folder was opened; nil if there are none.
  let notice: String?
  /// The hash of each file, keyed by file name.
  private let marks: [String: UInt64]
  /// For each file, the hash of the version whose rows the store contains, keyed by file name.
  private let shown: [String: UInt64]
  /// The names of the files that were invalid when the folder was opened and are still invalid.
  private let leftOutFirst: Set<String>
  /// The names of the files with skipped or changed data.
  private let remarked: Set<String>
  /// The namespaces of each file, keyed by file name.
  private let namespaces: [String: [String]]

  /// Reads all files for the first time, and skips unreadable files.
  ///
  /// - Throws: ``StoreError`` if no file can be read, or the data is invalid.
  static func first(
    _ content: FolderContent, _ progress: ProgressReport
  ) throws(StoreError) -> FolderReading {
    do throws(DatasetError) {
      let sound = try PartialDatasetLoad(content.files, progress: content.report(to: progress))
      return FolderReading(
        sound, of: content, leftOutFirst: Set(sound.leftOut.map(\.file)), before: nil)
    } catch {
      throw .broken(path: content.message(of: error))
    }
  }

  /// Reads all files once, for an import. Skips unreadable files unless the options are strict.
  static func once(
    _ content: FolderContent, _ options: DatasetOptions, _ progress: ProgressReport
  ) throws(StoreError) -> FileReading {
    if options.isStrict, let first = content.unreadable.first {
      throw .broken(path: first.message)
    }
    do throws(DatasetError) {
      let sound = try PartialDatasetLoad(
        content.files, options,
        remedy: { $0.isOfForm && !options.isStrict ? .leaveOut : .refuse },
        progress: content.report(to: progress))
      let leftOut = sound.leftOut.map { content.message(of: $0) + "; the file is skipped" }
      var report = ReadReport(content.unreadable.map(\.message) + leftOut)
      report.add(ReadReport(sound.report, message: content.message))
      return FileReading(sound.store, report, contentRows: sound.reading.contentRows)
    } catch {
      throw .broken(path: content.message(of: error))
    }
  }

  /// Reads the files again after a change.
  ///
  /// A file that became invalid keeps its previous rows, and a new invalid file is skipped. Other
  /// files therefore stay up to date, and no row disappears while a program is writing the file.
  ///
  /// - Returns: Nil if no file has changed.
  /// - Throws: ``StoreError`` if the schema is invalid, or no file is valid.
  func next(_ content: FolderContent) throws(StoreError) -> FolderReading? {
    if content.marks == marks { return nil }
    // If two files contain the same namespace, the newer file is skipped.
    let files =
      content.files.filter { shown[$0.name] != nil }
      + content.files.filter { shown[$0.name] == nil }
    do throws(DatasetError) {
      let sound = try PartialDatasetLoad(files) { fault in
        shown[fault.file] == nil ? .leaveOut : .readInstead(rows(of: fault.file))
      }
      return FolderReading(
        sound, of: content,
        leftOutFirst: leftOutFirst.intersection(sound.leftOut.map(\.file)), before: self)
    } catch {
      throw .broken(
        path: content.message(of: error) + "; the previous data is shown until the error is fixed")
    }
  }

  /// Returns whether both readings have the same rows.
  func showsSame(as other: FolderReading) -> Bool { shown == other.shown }

  /// Creates a reading of the files that were loaded.
  ///
  /// - Parameter before: The previous reading; nil the first time.
  private init(
    _ sound: PartialDatasetLoad, of content: FolderContent, leftOutFirst: Set<String>,
    before: FolderReading?
  ) {
    store = sound.store
    marks = content.marks
    namespaces = sound.reading.namespaces.merging(
      sound.replaced.map { ($0.file, before?.namespaces[$0.file] ?? []) }
    ) { $1 }
    self.leftOutFirst = leftOutFirst
    var shown = marks
    for fault in sound.leftOut { shown[fault.file] = nil }
    for fault in sound.replaced { shown[fault.file] = before?.shown[fault.file] }
    self.shown = shown
    let kept = sound.replaced.map {
      content.message(of: $0) + "; the file's previous rows are shown until it is fixed"
    }
    let leftOut = sound.leftOut.map { fault in
      (fault.file, content.message(of: fault) + "; the file is ignored until it is fixed")
    }
    remarked = Set(sound.report.entries.map(\.file)).union(before?.remarked ?? [])
    // Errors that lose no data, or that the previous reading reported, are left out.
    let skipped = sound.report.entries.filter {
      $0.losesData && before?.remarked.contains($0.file) == false
    }
    let news =
      kept + leftOut.filter { !leftOutFirst.contains($0.0) }.map(\.1)
      + skipped.map(content.message)
    notice = news.first.map { first in
      switch news.count {
      case 1: first
      case 2: first + " (and 1 more error)"
      default: first + " (\(news.count - 1) more errors)"
      }
    }
    var report = ReadReport(kept + content.unreadable.map(\.message) + leftOut.map(\.1))
    report.add(ReadReport(sound.report, message: content.message))
    self.report = report
  }

  /// Returns the previous rows of a file in the format of a backup, with ids and times.
  private func rows(of file: String) -> [UInt8] {
    var output = JSONOutput(capacity: 4096)
    output.append(UInt8(ascii: "{"))
    var isFirst = true
    for namespace in namespaces[file] ?? [] where store.count(of: namespace) > 0 {
      if !isFirst { output.append(UInt8(ascii: ",")) }
      isFirst = false
      output.write(namespace)
      output.append(":[")
      let rows = EntityRows(namespace, of: store)
      for (place, entity) in rows.entities.enumerated() {
        if place > 0 { output.append(UInt8(ascii: ",")) }
        rows.writeWithTime(entity, into: &output)
      }
      output.append(UInt8(ascii: "]"))
    }
    output.append(UInt8(ascii: "}"))
    return isFirst ? [] : output.bytes
  }
}

extension FolderContent {
  /// Reports the number of bytes read.
  func report(to progress: ProgressReport) -> (Int) -> Void {
    let total = files.reduce(0) { $0 + $1.bytes.count }
    return { progress(LoadingProgress(done: $0, of: total, .bytes)) }
  }
}
