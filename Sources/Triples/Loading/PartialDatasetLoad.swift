/// The result of loading a dataset with invalid files: the data of the valid files, and the errors.
///
/// By default, a file that can be parsed but is inconsistent fails the whole load. The caller's
/// `remedy` can decide otherwise.
package struct PartialDatasetLoad {
  /// What to do about an invalid file.
  package enum Remedy {
    /// Fails the whole load.
    case refuse
    /// Loads the other files without the invalid file.
    case leaveOut
    /// Loads these bytes instead of the file: a JSON object of lists of entities. Empty bytes
    /// exclude the file.
    case readInstead([UInt8])
  }

  package let reading: DatasetReading
  package var store: TripleStore { reading.store }
  /// Data that was skipped or changed in the loaded files.
  package let report: LoadReport
  /// The first error of each file that was excluded.
  package let leftOut: [DatasetError]
  /// The first error of each file that was replaced.
  package let replaced: [DatasetError]

  /// The maximum number of invalid files. Each invalid file makes the loader start again without
  /// it.
  private static let maxWrong = 64
  /// The files that describe other files. They cannot be excluded, because the other files would
  /// then be read differently.
  private static let descriptions: Set<String> = ["schema.json", "config.json"]

  /// Loads the valid files and applies the chosen remedy to each invalid file.
  ///
  /// - Parameters:
  ///   - files: The files as for ``Dataset/load(_:)``.
  ///   - remedy: Decides how to handle the first error of each file. By default, a file that cannot
  ///     be parsed is excluded.
  ///   - progress: Called regularly with the number of bytes read so far; it restarts when an
  ///     invalid file is found.
  /// - Throws: The first error, if no valid file remains, if `schema.json` or `config.json` is
  ///   invalid, or if the remedy is to refuse.
  /// - Complexity: O(bytes × (invalid files + 1)).
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
        report = read.report.excluding(reading.replacements)
        (leftOut, replaced) = (reading.leftOut, reading.replaced)
        return
      } catch {
        fault = error
      }
      guard reading.mend(fault, by: remedy(fault)) else { throw reading.wrong.first ?? fault }
    }
  }

  /// The files to load, and the errors of the files that were excluded or replaced.
  private struct Reading {
    private(set) var files: [(name: String, bytes: [UInt8])]
    private(set) var leftOut: [DatasetError] = []
    private(set) var replaced: [DatasetError] = []

    init(_ files: [(name: String, bytes: [UInt8])]) { self.files = files }

    var wrong: [DatasetError] { leftOut + replaced }

    /// The names of the files that replace invalid files.
    var replacements: Set<String> {
      Set(replaced.map { PartialDatasetLoad.replacement(for: $0.file) })
    }

    /// Applies a remedy. Returns false when loading cannot continue.
    mutating func mend(_ fault: DatasetError, by remedy: Remedy) -> Bool {
      let others = files.filter { PartialDatasetLoad.plainName($0.name) != fault.file }
      let isData = others.contains { file in
        !replacements.contains(file.name) && !descriptions.contains(file.name)
          && DatasetFile(path: file.name, bytes: []).format != nil
      }
      guard isData, others.count < files.count, wrong.count < maxWrong,
        !descriptions.contains(fault.file), !replacements.contains(fault.file)
      else { return false }
      switch remedy {
      case .refuse: return false
      case .leaveOut:
        leftOut.append(fault)
        files = others
      case .readInstead(let bytes):
        replaced.append(fault)
        files =
          bytes.isEmpty
          ? others : others + [(PartialDatasetLoad.replacement(for: fault.file), bytes)]
      }
      return true
    }
  }

  private static func plainName(_ path: String) -> String {
    DatasetFile(path: path, bytes: []).name
  }

  /// Returns the name of a file's replacement.
  private static func replacement(for name: String) -> String { name + ".json" }
}
