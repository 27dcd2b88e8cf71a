/// A dataset of those files that can be read, and what is wrong with the others. One that can be read and
/// says what cannot be is no less wrong than ever, unless whoever asks knows better.
package struct SoundDataset {
  /// What is done about a file in which something is wrong.
  package enum Remedy {
    /// Nothing is read at all.
    case refuse
    /// The others are read without it.
    case leaveOut
    /// Lines of JSON are read in its place.
    case readLines([UInt8])
  }

  package let store: TripleStore
  /// What was taken in otherwise than it was written.
  package let warnings: [DatasetError]
  /// The first thing that is wrong in each file that is not among it.
  package let leftOut: [DatasetError]
  /// The same of each file in whose place something else was read.
  package let replaced: [DatasetError]

  /// So many files may be wrong: each is found by reading the others again.
  private static let mostWrong = 16
  /// What describes the others is not left out: without it they would say something else.
  private static let descriptions: Set<String> = ["schema.json", "config.json"]

  /// - Parameters:
  ///   - files: As of ``Dataset/load(_:)``.
  ///   - remedy: Asked of the first thing that is wrong in each file; else one that cannot be read is
  ///     left out.
  ///   - progress: Told now and then how many bytes have been read; it begins again when a file is found
  ///     to be wrong.
  /// - Throws: the first thing that is wrong, where no file is left as it is, or one that is needed is
  ///   wrong.
  /// - Complexity: O(bytes) for each file that is wrong, and once more.
  package init(
    _ files: [(name: String, bytes: [UInt8])],
    remedy: (DatasetError) -> Remedy = { $0.isOfForm ? .leaveOut : .refuse },
    progress: @escaping (_ bytes: Int) -> Void = { _ in }
  ) throws(DatasetError) {
    var reading = Reading(files)
    while true {
      let fault: DatasetError
      do throws(DatasetError) {
        var warnings: [DatasetError] = []
        store = try Dataset.load(
          reading.files, without: reading.wrong, warnings: &warnings, progress: progress)
        self.warnings = warnings.filter { !reading.standIns.contains($0.file) }
        (leftOut, replaced) = (reading.leftOut, reading.replaced)
        return
      } catch {
        fault = error
      }
      guard reading.mend(fault, by: remedy(fault)) else { throw reading.wrong.first ?? fault }
    }
  }

  /// The files that are read, and what was wrong with those that are not.
  private struct Reading {
    private(set) var files: [(name: String, bytes: [UInt8])]
    private(set) var leftOut: [DatasetError] = []
    private(set) var replaced: [DatasetError] = []

    init(_ files: [(name: String, bytes: [UInt8])]) { self.files = files }

    var wrong: [DatasetError] { leftOut + replaced }

    /// The names of what is read in the place of others.
    var standIns: Set<String> { Set(replaced.map { SoundDataset.standIn(for: $0.file) }) }

    /// False when there is no way to go on.
    mutating func mend(_ fault: DatasetError, by remedy: Remedy) -> Bool {
      let others = files.filter { SoundDataset.plainName($0.name) != fault.file }
      let isData = others.contains { file in
        !standIns.contains(file.name) && !descriptions.contains(file.name)
          && DatasetFile(path: file.name, bytes: []).format != nil
      }
      guard isData, others.count < files.count, wrong.count < mostWrong,
        !descriptions.contains(fault.file), !standIns.contains(fault.file)
      else { return false }
      switch remedy {
      case .refuse: return false
      case .leaveOut:
        leftOut.append(fault)
        files = others
      case .readLines(let bytes):
        replaced.append(fault)
        files = others + [(SoundDataset.standIn(for: fault.file), bytes)]
      }
      return true
    }
  }

  private static func plainName(_ path: String) -> String {
    DatasetFile(path: path, bytes: []).name
  }

  /// What is read in a file's place is called.
  private static func standIn(for name: String) -> String {
    DatasetFile(path: name, bytes: []).namespace + ".jsonl"
  }
}
