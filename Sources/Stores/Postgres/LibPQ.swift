#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The functions of libpq that a connection needs.
///
/// The library is loaded when the first PostgreSQL store opens, so that other stores do not need
/// it.
///
/// - Source: PostgreSQL's manual, chapter 34; the ABI of `libpq.so.5`.
struct LibPQ: Sendable {
  typealias Connection = OpaquePointer
  typealias Result = OpaquePointer
  typealias Strings = UnsafePointer<UnsafePointer<CChar>?>

  let connectStart: @Sendable @convention(c) (Strings, Strings, CInt) -> Connection?
  let connectPoll: @Sendable @convention(c) (Connection) -> CInt
  let finish: @Sendable @convention(c) (Connection) -> Void
  let status: @Sendable @convention(c) (Connection) -> CInt
  let socket: @Sendable @convention(c) (Connection) -> CInt
  let host: @Sendable @convention(c) (Connection) -> UnsafePointer<CChar>?
  let port: @Sendable @convention(c) (Connection) -> UnsafePointer<CChar>?
  let errorMessage: @Sendable @convention(c) (Connection) -> UnsafePointer<CChar>?
  let needsPassword: @Sendable @convention(c) (Connection) -> CInt
  let setNonblocking: @Sendable @convention(c) (Connection, CInt) -> CInt
  let sendQuery: @Sendable @convention(c) (Connection, UnsafePointer<CChar>) -> CInt
  let sendQueryParams:
    @Sendable @convention(c) (
      Connection, UnsafePointer<CChar>, CInt, UnsafePointer<UInt32>?, Strings?,
      UnsafePointer<CInt>?, UnsafePointer<CInt>?, CInt
    ) -> CInt
  let setSingleRowMode: @Sendable @convention(c) (Connection) -> CInt
  let flush: @Sendable @convention(c) (Connection) -> CInt
  let consumeInput: @Sendable @convention(c) (Connection) -> CInt
  let isBusy: @Sendable @convention(c) (Connection) -> CInt
  let getResult: @Sendable @convention(c) (Connection) -> Result?
  let resultStatus: @Sendable @convention(c) (Result) -> CInt
  let errorField: @Sendable @convention(c) (Result, CInt) -> UnsafePointer<CChar>?
  let rowCount: @Sendable @convention(c) (Result) -> CInt
  let columnCount: @Sendable @convention(c) (Result) -> CInt
  let value: @Sendable @convention(c) (Result, CInt, CInt) -> UnsafeMutablePointer<CChar>?
  let isNull: @Sendable @convention(c) (Result, CInt, CInt) -> CInt
  let length: @Sendable @convention(c) (Result, CInt, CInt) -> CInt
  let affectedRows: @Sendable @convention(c) (Result) -> UnsafePointer<CChar>?
  let clear: @Sendable @convention(c) (Result) -> Void
  let notifies: @Sendable @convention(c) (Connection) -> UnsafeMutableRawPointer?
  let freeMemory: @Sendable @convention(c) (UnsafeMutableRawPointer?) -> Void
  let getCancel: @Sendable @convention(c) (Connection) -> OpaquePointer?
  let cancel: @Sendable @convention(c) (OpaquePointer, UnsafeMutablePointer<CChar>, CInt) -> CInt
  let freeCancel: @Sendable @convention(c) (OpaquePointer) -> Void
  let setNoticeProcessor:
    @Sendable @convention(c) (Connection, NoticeProcessor?, UnsafeMutableRawPointer?)
      -> UnsafeMutableRawPointer?
  let backendID: @Sendable @convention(c) (Connection) -> CInt
  let transactionStatus: @Sendable @convention(c) (Connection) -> CInt
  let parameters: @Sendable @convention(c) (Connection) -> UnsafeMutableRawPointer?
  let freeParameters: @Sendable @convention(c) (UnsafeMutableRawPointer) -> Void

  typealias NoticeProcessor =
    @convention(c) (UnsafeMutableRawPointer?, UnsafePointer<CChar>?) -> Void

  /// The first fields of libpq's `PGnotify`.
  struct Notification {
    var channel: UnsafeMutablePointer<CChar>?
    var process: CInt
    var payload: UnsafeMutablePointer<CChar>?
  }

  /// libpq's `PQconninfoOption`.
  struct Parameter {
    var keyword: UnsafeMutablePointer<CChar>?
    var variable: UnsafeMutablePointer<CChar>?
    var standard: UnsafeMutablePointer<CChar>?
    var value: UnsafeMutablePointer<CChar>?
    var label: UnsafeMutablePointer<CChar>?
    var kind: UnsafeMutablePointer<CChar>?
    var size: CInt
  }

  /// The instructions for installing the library, without a period at the end.
  static let advice =
    "PostgreSQL stores need the library libpq. Install it with: apt-get install libpq5 (Debian, Ubuntu), "
    + "dnf install libpq (Fedora), or brew install libpq (macOS)"

  /// The loaded library; nil if it is not installed.
  static let loaded = LibPQ()

  private static let names = [
    "libpq.so.5", "libpq.5.dylib", "/opt/homebrew/opt/libpq/lib/libpq.5.dylib",
    "/usr/local/opt/libpq/lib/libpq.5.dylib",
  ]

  private init?() {
    guard let library = Self.names.lazy.compactMap({ dlopen($0, RTLD_NOW) }).first else {
      return nil
    }
    // A library without one of the functions cannot be used.
    do {
      connectStart = try Self.call("PQconnectStartParams", in: library)
      connectPoll = try Self.call("PQconnectPoll", in: library)
      finish = try Self.call("PQfinish", in: library)
      status = try Self.call("PQstatus", in: library)
      socket = try Self.call("PQsocket", in: library)
      host = try Self.call("PQhost", in: library)
      port = try Self.call("PQport", in: library)
      errorMessage = try Self.call("PQerrorMessage", in: library)
      needsPassword = try Self.call("PQconnectionNeedsPassword", in: library)
      setNonblocking = try Self.call("PQsetnonblocking", in: library)
      sendQuery = try Self.call("PQsendQuery", in: library)
      sendQueryParams = try Self.call("PQsendQueryParams", in: library)
      setSingleRowMode = try Self.call("PQsetSingleRowMode", in: library)
      flush = try Self.call("PQflush", in: library)
      consumeInput = try Self.call("PQconsumeInput", in: library)
      isBusy = try Self.call("PQisBusy", in: library)
      getResult = try Self.call("PQgetResult", in: library)
      resultStatus = try Self.call("PQresultStatus", in: library)
      errorField = try Self.call("PQresultErrorField", in: library)
      rowCount = try Self.call("PQntuples", in: library)
      columnCount = try Self.call("PQnfields", in: library)
      value = try Self.call("PQgetvalue", in: library)
      isNull = try Self.call("PQgetisnull", in: library)
      length = try Self.call("PQgetlength", in: library)
      affectedRows = try Self.call("PQcmdTuples", in: library)
      clear = try Self.call("PQclear", in: library)
      notifies = try Self.call("PQnotifies", in: library)
      freeMemory = try Self.call("PQfreemem", in: library)
      getCancel = try Self.call("PQgetCancel", in: library)
      cancel = try Self.call("PQcancel", in: library)
      freeCancel = try Self.call("PQfreeCancel", in: library)
      setNoticeProcessor = try Self.call("PQsetNoticeProcessor", in: library)
      backendID = try Self.call("PQbackendPID", in: library)
      transactionStatus = try Self.call("PQtransactionStatus", in: library)
      parameters = try Self.call("PQconninfo", in: library)
      freeParameters = try Self.call("PQconninfoFree", in: library)
    } catch {
      return nil
    }
  }

  /// Looks up a function in the library. The property that stores it determines its type.
  private static func call<Call>(
    _ name: String, in library: UnsafeMutableRawPointer
  ) throws(PostgresError) -> Call {
    guard let address = dlsym(library, name) else {
      throw PostgresError(state: "", message: "libpq has no function \(name)")
    }
    return unsafeBitCast(address, to: Call.self)
  }
}
