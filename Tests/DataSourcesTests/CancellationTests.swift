import DataSources
import DataSourcesTesting
import Testing

/// The sources that write to a disk, with the disk in the test's hand.
private enum WritingKind: CaseIterable {
  case device, files, secrets

  func source(_ folder: TemporaryFolder, _ disk: Disk) -> any LiveDataSource<Note> {
    switch self {
    case .device:
      DeviceStorageDataSource<Note>(
        StateFile(path: folder.file("state"), privacy: .relaxed, disk: disk))
    case .files:
      FileSystemStorageDataSource(folder: folder.path, disk: disk).mappedAsJSON(Note.self)
    case .secrets:
      SecretDataSource<Note>(
        FileSecretStore(
          file: StateFile(path: folder.file("secrets"), privacy: .strict, disk: disk)))
    }
  }
}

@Suite struct `A write that is cancelled` {
  @Test(arguments: WritingKind.allCases, DiskStep.allCases)
  fileprivate func `at any step of the disk is done or not begun, as it says`(
    kind: WritingKind, step: DiskStep
  ) async throws {
    let folder = TemporaryFolder()
    let old = [Note("a", "old"), Note("b", "old")]
    let new = [Note("a", "new"), Note("b", "new"), Note("c", "new")]
    let plain = kind.source(folder, Disk(isDurable: false))
    try await plain.putAll(old, ids: ["a", "b"])
    let cancelling = Disk(isDurable: false) { met, _ throws(DataSourceError) in
      // The call's own task is cancelled while it is at this step.
      if met == step { withUnsafeCurrentTask { $0?.cancel() } }
    }
    let source = kind.source(folder, cancelling)

    let error = await Task {
      await failure { () throws(DataSourceError) in
        try await source.putAll(new, ids: ["a", "b", "c"])
      }
    }.value

    #expect(error == nil || error?.code == .cancelled)
    #expect(try await plain.getAll(AllObjectsQuery()) == (error == nil ? new : old))
    #expect(folder.names.allSatisfy { !$0.hasSuffix(".draft") })
  }
}
