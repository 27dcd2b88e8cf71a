import DataSources
package import Notebooks

/// Writes a store's session to the notebook, one change after the other.
package struct SessionWriter: Sendable {
  private let notebook: @Sendable () async -> Notebook
  /// The address of the store, under which the notebook keeps its state.
  private let address: String
  /// The task of the last write to the notebook. It waits for earlier writes.
  private(set) var writing: Task<Void, Never>?

  /// Creates a writer for the session of a store.
  ///
  /// - Parameter notebook: Returns the notebook as soon as it is open.
  package init(
    _ notebook: @escaping @Sendable () async -> Notebook = { .inMemory() }, address: String = ""
  ) {
    self.notebook = notebook
    self.address = address
  }

  // MARK: Writing

  /// Adds an update to the writes, after the earlier ones.
  ///
  /// A failed write is reported and has no other effect.
  mutating func save(_ update: SessionUpdate, mailbox: Mailbox) {
    let (notebook, before, address) = (notebook, writing, address)
    writing = Task {
      await before?.value
      do throws(DataSourceError) {
        let notice = try await update.write(to: await notebook(), of: address)
        if let notice { mailbox.post(.notice(notice)) }
      } catch  where error ~= .illegalArgument {
        mailbox.post(.notice(.error(error.message)))
      } catch {
        mailbox.post(.notice(.notSaved(error.description)))
      }
    }
  }

  // MARK: Reading

  /// Reads the saved and recent queries.
  func recallQueries(_ id: RequestID, mailbox: Mailbox) async {
    await writing?.value
    do throws(DataSourceError) {
      let notebook = await notebook()
      let saved = try await notebook.savedQueries(in: address)
      let history = try await notebook.history().entries.filter { $0.store == address }
      mailbox.post(.response(id, .savedQueries(saved, history: history)))
      let faults = try await notebook.faultsOfSavedQueries()
      if let first = faults.first {
        let more = faults.count > 1 ? " (and \(faults.count - 1) more)" : ""
        mailbox.post(.notice(Notice(first.message + more)))
      }
    } catch {
      mailbox.post(.response(id, .failed(.cannotReadNotebook(error.description))))
    }
  }

  func columns(of namespace: String) async -> Response {
    // Errors of the notebook were already reported when it was opened.
    let settings = try? await notebook().columns(of: namespace, in: address)
    return settings.map { .columns($0) } ?? .failed(nil)
  }
}

extension SessionUpdate {
  /// Writes the update to a notebook. Returns the notice to show when it is written; nil for none.
  ///
  /// - Parameter address: The address of the session's store.
  fileprivate func write(
    to notebook: Notebook, of address: String
  ) async throws(DataSourceError) -> Notice? {
    switch self {
    case .savedQuery(let name, let text):
      let query = SavedQuery(name: name, store: address, text: text)
      let before = try await notebook.savedQueries(in: address).first { $0.id == query.id }
      try await notebook.save(query)
      return .saved(name, replacing: before.flatMap { $0.text == text ? nil : $0.text })
    case .deletedQuery(let query): try await notebook.remove(query)
    case .restoredQuery(let query): try await notebook.save(query)
    case .history(let text):
      try await notebook.record(HistoryEntry(store: address, text: text, when: WallClock().now))
    case .view(let view): try await notebook.save(view, of: address)
    case .splits(let splits): try await notebook.changeScreen { $0.splits = splits }
    case .theme(let name): try await notebook.changeScreen { $0.theme = name }
    case .columns(let columns, let namespace):
      try await notebook.save(columns, of: namespace, in: address)
    case .trustedFile(let path, let text):
      try await notebook.trust(TrustedFile(path: path, text: text))
    }
    return nil
  }
}
