/// What the program offers a screen besides its store: files, other programs, and the connection.
package struct Surroundings: Sendable {
  /// Writes files; nil if files cannot be written.
  let exporter: (any Exporter)?
  /// The pager and the editor; nil if there are none.
  let programs: (any ExternalTools)?
  /// Reconnects to the store's server immediately, if there is one.
  let callServer: @Sendable () async -> Void

  package init(
    exporter: (any Exporter)? = nil, programs: (any ExternalTools)? = nil,
    callServer: @escaping @Sendable () async -> Void = {}
  ) {
    self.exporter = exporter
    self.programs = programs
    self.callServer = callServer
  }
}
