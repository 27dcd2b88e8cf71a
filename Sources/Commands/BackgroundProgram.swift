import CExecutor
import CTerminal
import Dispatch
import Ncurses
import Stores
import Synchronization
import TerminalUI

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// What a program wrote, and its exit status.
struct CapturedOutput: Sendable, Equatable {
  /// The exit status, or 128 plus the number of the signal that ended the program.
  let status: Int32
  /// The beginning of its standard output.
  let output: [UInt8]
  /// Whether the program wrote more standard output than `output` contains.
  let isCut: Bool
  /// The end of its standard error.
  let errors: [UInt8]
}

/// A program that runs in the background, without the terminal, and writes into memory.
final class BackgroundProgram: Sendable {
  private struct State {
    /// The process id of the program; nil before the start and after the end.
    var process: Int32?
    var isStopped = false
  }

  private let state = Mutex(State())
  /// The pipe that interrupts the thread that reads the output.
  private let stop: (reading: Int32, writing: Int32)

  /// The maximum size of the output; a program that writes more is terminated.
  private static let maxOutputBytes = 4 << 20
  /// The maximum size of the standard error. If the program writes more, only the end is kept.
  private static let maxErrorBytes = 4 << 10
  private static let stackBytes = 1 << 19

  private init() throws(TerminalError) {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else {
      throw .system(call: "pipe", reason: SystemError(errno: errno).reason)
    }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    stop = (ends[0], ends[1])
  }

  deinit {
    close(stop.reading)
    close(stop.writing)
  }

  /// Runs a program until it ends. If the task is canceled, asks the program and its children to
  /// end, and kills them if they do not.
  ///
  /// - Parameters:
  ///   - arguments: The program, which is looked up in PATH, and its arguments.
  ///   - variables: Environment variables in addition to those of this process.
  ///   - input: The file that the program reads.
  ///   - isStarted: Called when the program has opened its input or cannot be started.
  /// - Throws: `TerminalError.cannotRun`.
  static func run(
    _ arguments: [String], variables: [String: String], input: String, isStarted: () -> Void
  ) async throws(TerminalError) -> CapturedOutput {
    let background = try BackgroundProgram()
    let started = Result { () throws(TerminalError) in
      try background.start(arguments, variables, input)
    }
    isStarted()
    let program = try started.get()
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        startThread { continuation.resume(returning: background.read(program)) }
      }
    } onCancel: {
      background.end()
    }
  }

  private func start(
    _ arguments: [String], _ variables: [String: String], _ input: String
  ) throws(TerminalError) -> ct_program {
    var program = ct_program()
    let failure = withCArguments(arguments) { arguments in
      withCArguments(variables.map { "\($0)=\($1)" }) {
        ct_start_program(arguments, $0, input, &program)
      }
    }
    guard failure == 0 else {
      throw .cannotRun(arguments.first ?? "", reason: SystemError(errno: failure).reason)
    }
    state.withLock { $0.process = program.process }
    return program
  }

  /// Asks the program to end.
  private func end() {
    state.withLock { state in
      guard !state.isStopped else { return }
      state.isStopped = true
      // While the process id is stored here, the system gives it to no other process.
      if let process = state.process { ct_stop_program(process) }
    }
    var byte: UInt8 = 0
    // This is the only byte ever written to the pipe, so the pipe has space for it.
    _ = write(stop.writing, &byte, 1)
  }

  /// Reads what the program writes, and waits for its end.
  private func read(_ program: ct_program) -> CapturedOutput {
    var output = [CChar](repeating: 0, count: Self.maxOutputBytes)
    var errors = [CChar](repeating: 0, count: Self.maxErrorBytes)
    var captured = ct_captured()
    output.withUnsafeMutableBufferPointer { output in
      errors.withUnsafeMutableBufferPointer { errors in
        captured.output = output.baseAddress
        captured.output_room = output.count
        captured.errors = errors.baseAddress
        captured.errors_room = errors.count
        ct_read_program(program, stop.reading, &captured)
      }
    }
    let status = state.withLock { state in
      state.process = nil
      return ct_end_program(program.process)
    }
    return CapturedOutput(
      status: status,
      output: output[..<captured.output_length].map { UInt8(bitPattern: $0) },
      isCut: captured.is_output_cut,
      errors: errors[..<captured.errors_length].map { UInt8(bitPattern: $0) })
  }

  private final class Body: Sendable {
    let run: @Sendable () -> Void
    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
  }

  /// Runs `body` on a thread of its own, since it blocks.
  private static func startThread(_ body: @escaping @Sendable () -> Void) {
    let handed = Unmanaged.passRetained(Body(body))
    let failure = thread_start(
      { handed in
        handed.map { Unmanaged<Body>.fromOpaque($0).takeRetainedValue().run() }
      }, handed.toOpaque(), stackBytes)
    guard failure != 0 else { return }
    handed.release()
    DispatchQueue.global().async(execute: body)
  }
}
