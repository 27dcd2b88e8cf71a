/// A dataset of those files that can be read, and what is wrong with the others. One that can be read and
/// says what cannot be is no less wrong than ever, unless whoever asks knows better.
package struct SoundDataset {
  /// What is done about a file in which something is wrong.
  package enum Remedy {
    /// Nothing is read at all.
    case refuse
    /// The others are read without it.
    case leaveOut
    /// An object of lists of entities is read in its place, or nothing when it is empty.
    case readInstead([UInt8])
  }

  package let reading: DatasetReading
  package var store: TripleStore { reading.store }
  /// What could not be read in the files that are among it, or was read otherwise than it is written.
  package let report: LoadReport
  /// The first thing that is wrong in each file that is not among it.
  package let leftOut: [DatasetError]
  /// The same of each file in whose place something else was read.
  package let replaced: [DatasetError]

  /// So many files may be wrong: each is found by reading the others again.
  private static let maxWrong = 64
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
    _ files: [(name: String, bytes: [UInt8])], _ options: DatasetOptions = DatasetOptions(),
    remedy: (DatasetError) -> Remedy = { $0.isOfForm ? .leaveOut : .refuse },
    progress: @escaping (_ bytes: Int) -> Void = { _ in }
  ) throws(DatasetError) {
    var reading = Reading(files)
    while true {
      let fault: DatasetError
      do throws(DatasetError) {
        let read = try Dataset.read(
          reading.files, without: reading.wrong, options, progress: progress)
        self.reading = read
        report = read.report.excluding(reading.standIns)
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
      guard isData, others.count < files.count, wrong.count < maxWrong,
        !descriptions.contains(fault.file), !standIns.contains(fault.file)
      else { return false }
      switch remedy {
      case .refuse: return false
      case .leaveOut:
        leftOut.append(fault)
        files = others
      case .readInstead(let bytes):
        replaced.append(fault)
        files = bytes.isEmpty ? others : others + [(SoundDataset.standIn(for: fault.file), bytes)]
      }
      return true
    }
  }

  private static func plainName(_ path: String) -> String {
    DatasetFile(path: path, bytes: []).name
  }

  /// What is read in a file's place is called.
  private static func standIn(for name: String) -> String { name + ".json" }
}
