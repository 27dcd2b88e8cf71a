// swift-tools-version: 6.2
import PackageDescription

/// Held by every target: Swift 6 rules, imports that say who sees them, and no warnings.
let house: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  .treatAllWarnings(as: .error),
]

let package = Package(
  name: "sonde",
  platforms: [.macOS(.v15)],
  products: [
    .executable(name: "sonde", targets: ["sonde"]),
    .library(name: "DataSources", targets: ["DataSources"]),
    .library(name: "DataSourcesTesting", targets: ["DataSourcesTesting"]),
    .library(name: "SQLDataSources", targets: ["SQLDataSources"]),
    .library(name: "HTTPDataSources", targets: ["HTTPDataSources"]),
    .library(name: "Triples", targets: ["Triples"]),
    .library(name: "InstaQL", targets: ["InstaQL"]),
    .library(name: "LiveQueries", targets: ["LiveQueries"]),
    .library(name: "Stores", targets: ["Stores"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
    .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.6"),
  ],
  targets: [
    // 6  the program: reads the command line and wires the rooms together
    .executableTarget(
      name: "sonde",
      dependencies: [
        "Stores", "Explorer", "Ncurses", "WebSockets", "Sync", "LiveQueries", "InstaQL",
        "Notebooks",
        "DataSources", "Triples", "TerminalUI", "CTerminal", "CExecutor", "CMemory",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      path: "Sources/Commands", swiftSettings: house),

    // 5  every store there is, one file each; a store is a data source of snapshots
    .target(
      name: "Stores",
      dependencies: [
        "Sync", "LiveQueries", "InstaQL", "DataSources", "Triples",
        .product(name: "GRDB", package: "GRDB.swift"),
        .product(name: "GRDBSQLite", package: "GRDB.swift"), "CZlib", "CMemory", "CExecutor",
        "CFiles",
      ], swiftSettings: house),

    // 4  the conversation between a client and a server, without a socket
    .target(
      name: "Sync",
      dependencies: [
        "LiveQueries", "InstaQL", "DataSources", "Triples", "CExecutor", "CMemory",
      ],
      swiftSettings: house),

    // 5  what carries messages over the network; besides data sources over HTTP the only one with NIO
    .target(
      name: "WebSockets",
      dependencies: [
        "Sync", "Triples", .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"),
        .product(name: "NIOHTTP1", package: "swift-nio"),
        .product(name: "NIOWebSocket", package: "swift-nio"),
        .product(name: "NIOSSL", package: "swift-nio-ssl"),
      ], swiftSettings: house),

    // 4  the screen as a pure function of what happened
    .target(
      name: "Explorer",
      dependencies: [
        "LiveQueries", "InstaQL", "Notebooks", "DataSources", "Triples", "TerminalUI",
      ],
      swiftSettings: house),

    // 3  many watchers, one watch for each distinct query
    .target(
      name: "LiveQueries", dependencies: ["InstaQL", "DataSources", "Triples"],
      swiftSettings: house),

    // 2  the query, and how it is answered
    .target(name: "InstaQL", dependencies: ["DataSources", "Triples"], swiftSettings: house),

    // 2  the only room that calls ncurses
    .target(
      name: "Ncurses", dependencies: ["TerminalUI", "CNcurses", "CTerminal"],
      swiftSettings: house),

    // 1  facts, the columns they lie in, and how they change; imports nothing of ours
    .target(
      name: "Triples", swiftSettings: house,
      linkerSettings: [
        // the collation of texts: the Unicode library that comes with the toolchain
        .linkedLibrary("_FoundationICU", .when(platforms: [.linux])),
        // rounding, which converting doubles to integers asks of the C library
        .linkedLibrary("m", .when(platforms: [.linux])),
      ]),

    // 1  get, put, delete, watch; knows neither triples nor terminals
    .target(name: "DataSources", swiftSettings: house),

    // 2  what a person's program remembers from one run to the next
    .target(name: "Notebooks", dependencies: ["DataSources"], swiftSettings: house),

    // 2  what proves a data source of one's own: the contract, a clock moved by hand, recorded calls
    .target(name: "DataSourcesTesting", dependencies: ["DataSources"], swiftSettings: house),

    // 2  rows of an SQLite database as a data source; needs libsqlite3-dev
    .target(
      name: "SQLDataSources",
      dependencies: ["DataSources", .product(name: "GRDB", package: "GRDB.swift")],
      swiftSettings: house),

    // 2  objects of a server, as JSON over HTTP
    .target(
      name: "HTTPDataSources",
      dependencies: [
        "DataSources", .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOConcurrencyHelpers", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"),
        .product(name: "NIOHTTP1", package: "swift-nio"),
        .product(name: "NIOSSL", package: "swift-nio-ssl"),
      ], swiftSettings: house),

    // 1  keys, cells, frames, text width and themes, without a terminal
    .target(name: "TerminalUI", swiftSettings: house),

    // 0  ncurses as the system has it, and the C that Swift cannot express
    .systemLibrary(
      name: "CNcurses", providers: [.apt(["libncurses-dev"]), .brew(["ncurses"])]),
    .target(
      name: "CTerminal",
      linkerSettings: [
        .linkedLibrary("ncursesw", .when(platforms: [.linux])),
        .linkedLibrary("ncurses", .when(platforms: [.macOS])),
      ]),

    // 0  zlib as the system has it
    .systemLibrary(name: "CZlib", providers: [.apt(["zlib1g-dev"])]),

    // 0  threads for Swift's jobs that sleep until there is work
    .target(
      name: "CExecutor",
      cSettings: Context.environment["SONDE_STANDARD_EXECUTOR"] == nil
        ? [] : [.define("SONDE_STANDARD_EXECUTOR")]),

    // 0  how memory is asked of the system
    .target(name: "CMemory"),

    // 0  renaming in one step, as Swift's view of the C library does not show it
    .target(name: "CFiles"),

    // measurements, printed beside the peers'
    .executableTarget(
      name: "sonde-bench",
      dependencies: [
        "WebSockets", "Stores", "Explorer", "Sync", "LiveQueries", "InstaQL", "DataSources",
        "Triples", "TerminalUI", "CExecutor", "CMemory",
      ],
      path: "Sources/Benchmarks", exclude: ["Scripts"], swiftSettings: house),

    // a second process on the same data, which the tests of DataSources start and kill
    .executableTarget(
      name: "data-sources-helper",
      dependencies: [
        "SQLDataSources", "DataSources", .product(name: "GRDB", package: "GRDB.swift"),
      ], path: "Tests/Support/DataSourcesHelper", swiftSettings: house),
    .testTarget(
      name: "DataSourcesTests",
      dependencies: [
        "TestSupport", "HTTPTestSupport", "CompilerTestSupport", "SQLDataSources",
        "HTTPDataSources",
        "DataSources", "DataSourcesTesting", "data-sources-helper",
        .product(name: "GRDB", package: "GRDB.swift"),
      ], swiftSettings: house),
    .testTarget(
      name: "SQLDataSourcesTests",
      dependencies: [
        "SQLDataSources", "DataSources", "DataSourcesTesting",
        .product(name: "GRDB", package: "GRDB.swift"),
      ], swiftSettings: house),
    .testTarget(
      name: "HTTPDataSourcesTests",
      dependencies: [
        "HTTPTestSupport", "HTTPDataSources", "DataSources", "DataSourcesTesting",
      ], swiftSettings: house),
    .testTarget(
      name: "NotebooksTests", dependencies: ["Notebooks", "DataSources", "DataSourcesTesting"],
      swiftSettings: house),
    // compiles the code in the documentation
    .testTarget(
      name: "DocumentationTests",
      dependencies: [
        "Stores", "LiveQueries", "InstaQL", "Triples", "Notebooks", "SQLDataSources",
        "HTTPDataSources", "DataSources", "DataSourcesTesting",
        .product(name: "GRDB", package: "GRDB.swift"),
      ], swiftSettings: house),
    .testTarget(
      name: "TriplesTests",
      dependencies: ["DataSourcesTesting", "ConformanceSupport", "TestSupport", "Triples"],
      swiftSettings: house),
    // seeded random numbers, damaged inputs, and threads that may block
    .target(
      name: "TestSupport", dependencies: ["DataSourcesTesting"], path: "Tests/Support/TestSupport",
      swiftSettings: house),
    // damaged inputs for all parsers and for both ends of a session
    .testTarget(
      name: "FuzzTests",
      dependencies: [
        "DataSourcesTesting",
        "TestSupport", "Stores", "WebSockets", "Sync", "LiveQueries", "InstaQL", "DataSources",
        "Triples", "TerminalUI", .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"),
      ],
      exclude: ["Corpus"], swiftSettings: house),
    // a web server in the tests' process with prepared answers, and certificates for it
    .target(
      name: "HTTPTestSupport",
      dependencies: [
        "HTTPDataSources", .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"),
        .product(name: "NIOHTTP1", package: "swift-nio"),
        .product(name: "NIOSSL", package: "swift-nio-ssl"),
      ], path: "Tests/Support/HTTPTestSupport", swiftSettings: house),
    // a PostgreSQL server that stops with the tests
    .target(
      name: "PostgresTestSupport", path: "Tests/Support/PostgresTestSupport", swiftSettings: house),
    // sync servers and clients with long timeouts
    .target(
      name: "SyncTestSupport", dependencies: ["WebSockets", "Stores", "Sync", "LiveQueries"],
      path: "Tests/Support/SyncTestSupport", swiftSettings: house),
    // queries and their expected answers, for every engine
    .target(
      name: "ConformanceSupport",
      dependencies: ["DataSourcesTesting", "TestSupport", "InstaQL", "Triples"],
      path: "Tests/Support/ConformanceSupport", swiftSettings: house),
    // runs the compiler on source that uses the libraries
    .target(
      name: "CompilerTestSupport", dependencies: ["DataSourcesTesting"],
      path: "Tests/Support/CompilerTestSupport",
      swiftSettings: house),
    .testTarget(
      name: "InstaQLTests",
      dependencies: [
        "DataSourcesTesting",
        "ConformanceSupport", "CompilerTestSupport", "TestSupport", "InstaQL", "DataSources",
        "Triples",
      ],
      swiftSettings: house),
    .testTarget(
      name: "TerminalUITests", dependencies: ["DataSourcesTesting", "TestSupport", "TerminalUI"],
      swiftSettings: house),
    .testTarget(
      name: "NcursesTests",
      dependencies: ["DataSourcesTesting", "TestSupport", "Ncurses", "TerminalUI", "CTerminal"],
      swiftSettings: house),
    .testTarget(
      name: "LiveQueriesTests",
      dependencies: [
        "DataSourcesTesting", "TestSupport", "LiveQueries", "InstaQL", "DataSources", "Triples",
      ],
      swiftSettings: house),
    .testTarget(
      name: "StoresTests",
      dependencies: [
        "ConformanceSupport", "SyncTestSupport", "PostgresTestSupport", "Stores", "WebSockets",
        "Sync",
        "LiveQueries", "InstaQL", "DataSources",
        "DataSourcesTesting", "TestSupport", "Triples",
        .product(name: "GRDB", package: "GRDB.swift"),
      ],
      swiftSettings: house),
    .testTarget(
      name: "SyncTests",
      dependencies: [
        "ConformanceSupport", "Sync", "LiveQueries", "InstaQL", "DataSources", "Triples",
      ],
      swiftSettings: house),
    .testTarget(
      name: "WebSocketsTests",
      dependencies: [
        "TestSupport",
        "SyncTestSupport", "HTTPTestSupport", "ConformanceSupport", "WebSockets", "Sync", "Stores",
        "LiveQueries", "InstaQL", "DataSources", "DataSourcesTesting", "Triples",
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"),
      ], swiftSettings: house),
    .testTarget(
      name: "ExplorerTests",
      dependencies: [
        "DataSourcesTesting",
        "TestSupport", "Explorer", "LiveQueries", "InstaQL", "Notebooks", "DataSources", "Triples",
        "TerminalUI", "Ncurses",
      ],
      exclude: ["Screens"], swiftSettings: house),
    // a process that writes a store until a test kills it, or watches one
    .executableTarget(
      name: "sonde-store-writer",
      dependencies: ["Stores", "LiveQueries", "DataSources", "Triples"],
      path: "Tests/Support/StoreWriterHelper", swiftSettings: house),
    // a process that tests crash: executor, alarms, terminal
    .executableTarget(
      name: "sonde-crash-helper",
      dependencies: ["CExecutor", "CTerminal", "Ncurses", "TerminalUI"],
      path: "Tests/Support/CrashHelper", swiftSettings: house),
    .testTarget(
      name: "CommandsTests",
      dependencies: [
        "PostgresTestSupport", "TestSupport", "CompilerTestSupport", "WebSockets", "Sync", "Stores",
        "LiveQueries",
        "DataSources", "Triples",
        .product(name: "GRDB", package: "GRDB.swift"),
      ],
      swiftSettings: house),
  ],
  swiftLanguageModes: [.v6]
)
