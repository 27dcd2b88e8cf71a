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

  mutating func save(_ update: SessionUpdate, mailbox: Mailbox) {
    switch update {
    case .savedQuery(let name, let text): saveQuery(text, named: name, mailbox: mailbox)
    case .deletedQuery(let query):
      enqueueWrite(in: mailbox) { notebook throws(DataSourceError) in
        try await notebook.remove(query)
      }
    case .restoredQuery(let query):
      enqueueWrite(in: mailbox) { notebook throws(DataSourceError) in try await notebook.save(query)
      }
    case .history(let text):
      enqueueWrite(in: mailbox) { [address] notebook throws(DataSourceError) in
        try await notebook.record(HistoryEntry(store: address, text: text, when: WallClock().now))
      }
    case .view(let view):
      enqueueWrite(in: mailbox) { [address] notebook throws(DataSourceError) in
        try await notebook.save(view, of: address)
      }
    case .splits(let splits):
      enqueueWrite(in: mailbox) { notebook throws(DataSourceError) in
        try await notebook.changeScreen { $0.splits = splits }
      }
    case .columns(let columns, let namespace):
      enqueueWrite(in: mailbox) { [address] notebook throws(DataSourceError) in
        try await notebook.save(columns, of: namespace, in: address)
      }
    case .trustedFile(let path, let text):
      enqueueWrite(in: mailbox) { notebook throws(DataSourceError) in
        try await notebook.trust(TrustedFile(path: path, text: text))
      }
    }
  }

  private mutating func saveQuery(_ text: String, named name: String, mailbox: Mailbox) {
    enqueueWrite(in: mailbox) { [address] notebook throws(DataSourceError) in
      let query = SavedQuery(name: name, store: address, text: text)
      let before = try await notebook.savedQueries(in: address).first { $0.id == query.id }
      try await notebook.save(query)
      // The notice is posted when the query is written.
      let replaced = before.flatMap { $0.text == text ? nil : $0.text }
      mailbox.post(.notice(.saved(name, replacing: replaced)))
    }
  }

  mutating func saveTheme(_ theme: String, mailbox: Mailbox) {
    enqueueWrite(in: mailbox) { notebook throws(DataSourceError) in
      try await notebook.changeScreen { $0.theme = theme }
    }
  }

  /// Adds an update to the writes, after the earlier ones.
  ///
  /// A failed write is reported and has no other effect.
  private mutating func enqueueWrite(
    in mailbox: Mailbox,
    _ write: @escaping @Sendable (Notebook) async throws(DataSourceError) -> Void
  ) {
    let (notebook, before) = (notebook, writing)
    writing = Task {
      await before?.value
      do throws(DataSourceError) {
        try await write(await notebook())
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
