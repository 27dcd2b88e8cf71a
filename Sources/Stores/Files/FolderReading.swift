import LiveQueries
import Triples

/// What the files of a folder say, and how to tell later whether they still do.
struct FolderReading: Sendable {
  /// Without what was changed in memory since.
  let store: TripleStore
  /// What could not be read, or was read otherwise than it is written, with file and line.
  let report: ReadReport
  /// What is wrong with files that were sound before, or came later: nil when nothing is.
  let notice: String?
  /// By file, which bytes lay there.
  private let marks: [String: UInt64]
  /// By file whose rows are in the store, which bytes they were read from.
  private let shown: [String: UInt64]
  /// The names of the files that were left out when the folder was opened, and are still.
  private let leftOutFirst: Set<String>
  /// The names of the files with parts that could not be read, or were read differently than written.
  private let remarked: Set<String>
  /// The namespaces of each file.
  private let namespaces: [String: [String]]

  /// Reads all files; one that cannot be read is left out, as long as another is left.
  ///
  /// - Throws: ``StoreError`` when no file can be read, or what one says cannot be.
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

  /// Reads all files once, to be taken over. One that cannot be read is left out, unless options are
  /// strict.
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
      let leftOut = sound.leftOut.map { content.message(of: $0) + "; the file is left out" }
      var report = ReadReport(content.unreadable.map(\.message) + leftOut)
      report.add(ReadReport(sound.report, message: content.message))
      return FileReading(sound.store, report, contentRows: sound.reading.contentRows)
    } catch {
      throw .broken(path: content.message(of: error))
    }
  }

  /// Reads the files again after a change. One that has become wrong, be it half written or broken, keeps
  /// the rows that it had; one that is new and wrong is left out. So the others can be followed, and no
  /// row disappears because another program is in the middle of writing.
  ///
  /// - Returns: nil when no file has changed.
  /// - Throws: ``StoreError`` when the schema is wrong, or no file is as it should be.
  func next(_ content: FolderContent) throws(StoreError) -> FolderReading? {
    if content.marks == marks { return nil }
    // Of two files for one namespace the latter is wrong: the one that is new.
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
        path: content.message(of: error) + "; until it is mended, what was read before is shown")
    }
  }

  /// Whether the rows are those of another reading.
  func showsSame(as other: FolderReading) -> Bool { shown == other.shown }

  /// - Parameter before: What was read before the files changed; nil when this is the first time.
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
      content.message(of: $0) + "; \($0.file) keeps the rows it had until it is mended"
    }
    let leftOut = sound.leftOut.map { fault in
      (fault.file, content.message(of: fault) + "; \(fault.file) is left out until it is mended")
    }
    remarked = Set(sound.report.entries.map(\.file)).union(before?.remarked ?? [])
    // What was known when the folder was opened is no news; nor is what nothing was lost by.
    let skipped = sound.report.entries.filter {
      $0.losesData && before?.remarked.contains($0.file) == false
    }
    let news =
      kept + leftOut.filter { !leftOutFirst.contains($0.0) }.map(\.1)
      + skipped.map(content.message)
    notice = news.first.map { first in
      switch news.count {
      case 1: first
      case 2: first + " (something else is wrong as well)"
      default: first + " (\(news.count - 1) other things are wrong as well)"
      }
    }
    var report = ReadReport(kept + content.unreadable.map(\.message) + leftOut.map(\.1))
    report.add(ReadReport(sound.report, message: content.message))
    self.report = report
  }

  /// The rows that a file had, under their namespaces and as a backup writes them: with their ids and times.
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
  /// Reports how many of all bytes have been read.
  func report(to progress: ProgressReport) -> (Int) -> Void {
    let total = files.reduce(0) { $0 + $1.bytes.count }
    return { progress(LoadingProgress(done: $0, of: total, .bytes)) }
  }
}
