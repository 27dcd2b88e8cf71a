/// A dataset of those files that can be read, and what is wrong with the others. One that can be read and
/// says what cannot be is no less wrong than ever.
package struct SoundDataset {
  package let store: TripleStore
  /// What was taken in otherwise than it was written.
  package let warnings: [DatasetError]
  /// The first thing that is wrong in each file that is not among it.
  package let leftOut: [DatasetError]

  /// So many files may be left out: each is found by reading the others again.
  private static let mostLeftOut = 16
  /// What describes the others is not left out: without it they would say something else.
  private static let descriptions: Set<String> = ["schema.json", "config.json"]

  /// - Parameters:
  ///   - files: As of ``Dataset/load(_:)``.
  ///   - canBeLeftOut: Asked of a file's name.
  ///   - progress: Told now and then how many bytes have been read; it begins again when a file is left
  ///     out.
  /// - Throws: the first thing that is wrong, where no file is left, or one that is needed is wrong.
  /// - Complexity: O(bytes) for each file that is left out, and once more.
  package init(
    _ files: [(name: String, bytes: [UInt8])], canBeLeftOut: (String) -> Bool = { _ in true },
    progress: @escaping (_ bytes: Int) -> Void = { _ in }
  ) throws(DatasetError) {
    self = try Self.load(files, without: [], canBeLeftOut, progress)
  }

  private init(_ store: TripleStore, _ warnings: [DatasetError], _ leftOut: [DatasetError]) {
    (self.store, self.warnings, self.leftOut) = (store, warnings, leftOut)
  }

  private static func load(
    _ files: [(name: String, bytes: [UInt8])], without leftOut: [DatasetError],
    _ canBeLeftOut: (String) -> Bool, _ progress: @escaping (_ bytes: Int) -> Void
  ) throws(DatasetError) -> SoundDataset {
    var warnings: [DatasetError] = []
    let fault: DatasetError
    do throws(DatasetError) {
      let store = try Dataset.load(files, without: leftOut, warnings: &warnings, progress: progress)
      return SoundDataset(store, warnings, leftOut)
    } catch {
      fault = error
    }
    let left = files.filter { DatasetFile(path: $0.name, bytes: []).name != fault.file }
    let isData = left.contains { file in
      let file = DatasetFile(path: file.name, bytes: [])
      return file.format != nil && !descriptions.contains(file.name)
    }
    guard isData, fault.isOfForm, left.count < files.count, leftOut.count < mostLeftOut,
      !descriptions.contains(fault.file), canBeLeftOut(fault.file)
    else { throw leftOut.first ?? fault }
    return try load(left, without: leftOut + [fault], canBeLeftOut, progress)
  }
}
