import LiveQueries
import Triples

/// What the files of a folder say, and how to tell later whether they still do.
struct FolderReading: Sendable {
  /// Without what was changed in memory since.
  let store: TripleStore
  /// What was read otherwise than it is written, with file and line: sentences for a person.
  let warnings: [String]
  /// What is wrong with files that were sound before, or came later: nil when nothing is.
  let notice: String?
  /// By file, which bytes lay there.
  private let marks: [String: UInt64]
  /// By file whose rows are in the store, which bytes they were read from.
  private let shown: [String: UInt64]
  /// The names of the files that were left out when the folder was opened, and are still.
  private let leftOutFirst: Set<String>

  /// Reads all files; one that cannot be read is left out, as long as another is left.
  ///
  /// - Throws: ``StoreError`` when no file can be read, or what one says cannot be.
  static func first(
    _ content: FolderContent, _ progress: ProgressReport
  ) throws(StoreError) -> FolderReading {
    let total = content.files.reduce(0) { $0 + $1.bytes.count }
    do throws(DatasetError) {
      let sound = try SoundDataset(
        content.files, progress: { progress(LoadingProgress(done: $0, of: total, .bytes)) })
      return FolderReading(
        sound, of: content, leftOutFirst: Set(sound.leftOut.map(\.file)), replaced: [:])
    } catch {
      throw .broken(path: content.message(of: error))
    }
  }

  /// Reads all files, and refuses them all when one of them is wrong.
  static func whole(
    _ content: FolderContent, _ progress: ProgressReport
  ) throws(StoreError) -> TripleStore {
    let total = content.files.reduce(0) { $0 + $1.bytes.count }
    do throws(DatasetError) {
      return try SoundDataset(
        content.files, remedy: { _ in .refuse },
        progress: { progress(LoadingProgress(done: $0, of: total, .bytes)) }
      ).store
    } catch {
      throw .broken(path: content.message(of: error))
    }
  }

  /// Reads the files again after a change. One that has become wrong, be it half written or broken, keeps
  /// the rows that it had; one that is new and wrong is left out. So the others can be followed, and no
  /// row goes because somebody is in the middle of writing.
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
      let sound = try SoundDataset(files) { fault in
        shown[fault.file] == nil ? .leaveOut : .readLines(rows(of: fault.file))
      }
      return FolderReading(
        sound, of: content,
        leftOutFirst: leftOutFirst.intersection(sound.leftOut.map(\.file)), replaced: shown)
    } catch {
      throw .broken(
        path: content.message(of: error) + "; until it is mended, what was read before is shown")
    }
  }

  /// Whether the rows are those of another reading.
  func showsSame(as other: FolderReading) -> Bool { shown == other.shown }

  private init(
    _ sound: SoundDataset, of content: FolderContent, leftOutFirst: Set<String>,
    replaced before: [String: UInt64]
  ) {
    store = sound.store
    marks = content.marks
    self.leftOutFirst = leftOutFirst
    var shown = marks
    for fault in sound.leftOut { shown[fault.file] = nil }
    for fault in sound.replaced { shown[fault.file] = before[fault.file] }
    self.shown = shown
    let kept = sound.replaced.map {
      content.message(of: $0) + "; \($0.file) keeps the rows it had until it is mended"
    }
    let leftOut = sound.leftOut.map { fault in
      (fault.file, content.message(of: fault) + "; \(fault.file) is left out until it is mended")
    }
    let news = kept + leftOut.filter { !leftOutFirst.contains($0.0) }.map(\.1)
    notice = news.first.map { first in
      switch news.count {
      case 1: first
      case 2: first + " (another file is wrong as well)"
      default: first + " (\(news.count - 1) other files are wrong as well)"
      }
    }
    warnings = kept + leftOut.map(\.1) + sound.warnings.map(content.message)
  }

  /// The rows that a file had, as a backup writes them: with their ids and times.
  private func rows(of file: String) -> [UInt8] {
    let namespace = file.lastIndex(of: ".").map { String(file[..<$0]) } ?? file
    let rows = EntityRows(namespace, of: store)
    var output = JSONOutput(capacity: 4096)
    for entity in rows.entities { rows.writeWithTime(entity, into: &output) }
    return output.bytes
  }
}
