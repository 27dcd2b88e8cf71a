// swift-tools-version: 6.2
import PackageDescription

/// The settings of every target: upcoming features of Swift 6, explicit import visibility, and warnings as errors.
let commonSettings: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  .treatAllWarnings(as: .error),
]

/// A library for databases, which is fetched only with the trait.
func sqlite(_ product: String) -> Target.Dependency {
  .product(name: product, package: "GRDB.swift", condition: .when(traits: ["SQLite"]))
}

/// A library for networks, which is fetched only with the trait.
func network(_ product: String, of package: String = "swift-nio") -> Target.Dependency {
  .product(name: product, package: package, condition: .when(traits: ["Network"]))
}

let package = Package(
  name: "sonde",
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
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
    .library(name: "ServerStores", targets: ["ServerStores"]),
  ],
  // What a package that depends on this one wants of it; see docs/libraries.md. All by default.
  traits: [
    .trait(name: "SQLite", description: "SQLDataSources and Stores, which use GRDB"),
    .trait(
      name: "Network", description: "HTTPDataSources and, with SQLite, ServerStores; SwiftNIO"),
    .trait(
      name: "Program", description: "The program sonde", enabledTraits: ["SQLite", "Network"]),
    .default(enabledTraits: ["Program"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
    .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.6"),
  ],
  targets: [
    // 7  the program: parses the command line and connects the modules
    .executableTarget(
      name: "sonde",
      dependencies: [
        "ServerStores", "Stores", "Explorer", "Ncurses", "WebSockets", "Sync", "LiveQueries",
        "InstaQL",
        "Notebooks",
        "DataSources", "Triples", "TerminalUI", "CTerminal", "CExecutor", "CMemory",
        .product(
          name: "ArgumentParser", package: "swift-argument-parser",
          condition: .when(traits: ["Program"])),
      ],
      path: "Sources/Commands",
      // The version of a package has no suffix. `make dist` and `make deb` set the variable.
      swiftSettings: Context.environment["SONDE_PACKAGE"] == nil
        ? commonSettings : commonSettings + [.define("SONDE_PACKAGE")]),

    // 5  all stores; a store is a data source of snapshots
    .target(
      name: "Stores",
      dependencies: [
        "Sync", "LiveQueries", "InstaQL", "DataSources", "Triples",
        sqlite("GRDB"),
        sqlite("GRDBSQLite"), "CZlib", "CMemory", "CExecutor",
        "CFiles",
      ], swiftSettings: commonSettings),

    // 4  the protocol between client and server, without sockets
    .target(
      name: "Sync",
      dependencies: [
        "LiveQueries", "InstaQL", "DataSources", "Triples", "CExecutor", "CMemory",
      ],
      swiftSettings: commonSettings),

    // 5  messages over the network; only this module and HTTPDataSources use NIO
    .target(
      name: "WebSockets",
      dependencies: [
        "Sync", "Triples", network("NIOCore"),
        network("NIOPosix"),
        network("NIOHTTP1"),
        network("NIOWebSocket"),
        network("NIOSSL", of: "swift-nio-ssl"),
      ], swiftSettings: commonSettings),

    // 6  stores behind servers, for programs in Swift
    .target(
      name: "ServerStores",
      dependencies: ["Stores", "WebSockets", "Sync", "LiveQueries", "DataSources", "Triples"],
      swiftSettings: commonSettings),

    // 4  the screen as a pure function of events
    .target(
      name: "Explorer",
      dependencies: [
        "LiveQueries", "InstaQL", "Notebooks", "DataSources", "Triples", "Widgets", "TerminalUI",
      ],
      // the reference of the query language, a link to the page of docs/
      resources: [.embedInCode("Query/queries.md")], swiftSettings: commonSettings),

    // 3  many subscribers, one watch for each distinct query
    .target(
      name: "LiveQueries", dependencies: ["InstaQL", "DataSources", "Triples"],
      swiftSettings: commonSettings),

    // 2  queries and their evaluation
    .target(
      name: "InstaQL", dependencies: ["DataSources", "Triples"], swiftSettings: commonSettings),

    // 2  the only module that calls ncurses
    .target(
      name: "Ncurses", dependencies: ["TerminalUI", "CNcurses", "CTerminal"],
      swiftSettings: commonSettings),

    // 1  triples, their columns, and transactions
    .target(
      name: "Triples", swiftSettings: commonSettings,
      linkerSettings: [
        // collation: the toolchain's Unicode library
        .linkedLibrary("_FoundationICU", .when(platforms: [.linux])),
        // rounding of doubles calls the C library
        .linkedLibrary("m", .when(platforms: [.linux])),
      ]),

    // 1  get, put, delete, watch; independent of triples and terminals
    .target(name: "DataSources", swiftSettings: commonSettings),

    // 2  the persisted user state
    .target(name: "Notebooks", dependencies: ["DataSources"], swiftSettings: commonSettings),

    // 2  tests for other data sources: the contract, a manual clock, recorded calls
    .target(
      name: "DataSourcesTesting", dependencies: ["DataSources"], swiftSettings: commonSettings),

    // 3  rows of a SQLite database as a data source; needs libsqlite3-dev
    .target(
      name: "SQLDataSources",
      dependencies: [
        "InstaQL", "DataSources", "Triples", sqlite("GRDB"),
      ],
      swiftSettings: commonSettings),

    // 2  objects on a server, as JSON over HTTP
    .target(
      name: "HTTPDataSources",
      dependencies: [
        "DataSources", network("NIOCore"),
        network("NIOConcurrencyHelpers"),
        network("NIOPosix"),
        network("NIOHTTP1"),
        network("NIOSSL", of: "swift-nio-ssl"),
      ], swiftSettings: commonSettings),

    // 2  lists, text fields and boxes of the screen; independent of data
    .target(name: "Widgets", dependencies: ["TerminalUI"], swiftSettings: commonSettings),

    // 1  keys, cells, frames, text width and themes, without a terminal
    .target(name: "TerminalUI", swiftSettings: commonSettings),

    // 0  the system's ncurses, and terminal functions that need C
    .systemLibrary(
      name: "CNcurses", providers: [.apt(["libncurses-dev"]), .brew(["ncurses"])]),
    .target(
      name: "CTerminal",
      linkerSettings: [
        .linkedLibrary("ncursesw", .when(platforms: [.linux])),
        .linkedLibrary("ncurses", .when(platforms: [.macOS])),
      ]),

    // 0  the system's zlib
    .systemLibrary(name: "CZlib", providers: [.apt(["zlib1g-dev"])]),

    // 0  threads for Swift's jobs that sleep while there is no work
    .target(
      name: "CExecutor",
      cSettings: Context.environment["SONDE_STANDARD_EXECUTOR"] == nil
        ? [] : [.define("SONDE_STANDARD_EXECUTOR")]),

    // 0  memory from the system
    .target(name: "CMemory"),

    // 0  atomic renames, which Swift's overlay of the C library lacks
    .target(name: "CFiles"),

    // measurements, compared with other programs
    .executableTarget(
      name: "sonde-bench",
      dependencies: [
        "WebSockets", "Stores", "Explorer", "Sync", "LiveQueries", "InstaQL", "DataSources",
        "Triples", "TerminalUI", "CExecutor", "CMemory",
      ],
      path: "Sources/Benchmarks", exclude: ["Scripts"], swiftSettings: commonSettings),

    // a second process on the same data, which the tests of DataSources start and kill
    .executableTarget(
      name: "data-sources-helper",
      dependencies: [
        "SQLDataSources", "DataSources", sqlite("GRDB"),
      ], path: "Tests/Support/DataSourcesHelper", swiftSettings: commonSettings),
    .testTarget(
      name: "DataSourcesTests",
      dependencies: [
        "TestSupport", "HTTPTestSupport", "CompilerTestSupport", "SQLDataSources",
        "HTTPDataSources",
        "DataSources", "DataSourcesTesting", "data-sources-helper",
        sqlite("GRDB"),
      ], swiftSettings: commonSettings),
    .testTarget(
      name: "SQLDataSourcesTests",
      dependencies: [
        "TestSupport", "InstaQL", "Triples", "SQLDataSources", "DataSources", "DataSourcesTesting",
        sqlite("GRDB"),
      ], swiftSettings: commonSettings),
    .testTarget(
      name: "HTTPDataSourcesTests",
      dependencies: [
        "TestSupport", "HTTPTestSupport", "HTTPDataSources", "DataSources", "DataSourcesTesting",
      ], swiftSettings: commonSettings),
    .testTarget(
      name: "NotebooksTests", dependencies: ["Notebooks", "DataSources", "DataSourcesTesting"],
      swiftSettings: commonSettings),
    // compiles the code in the documentation
    .testTarget(
      name: "DocumentationTests",
      dependencies: [
        "CompilerTestSupport", "TestSupport", "ServerStores", "Stores", "LiveQueries", "InstaQL",
        "Triples", "Notebooks", "SQLDataSources",
        "HTTPDataSources", "DataSources", "DataSourcesTesting",
        sqlite("GRDB"),
      ], swiftSettings: commonSettings),
    .testTarget(
      name: "TriplesTests",
      dependencies: ["DataSourcesTesting", "ConformanceSupport", "TestSupport", "Triples"],
      swiftSettings: commonSettings),
    // bounded waits, seeded random numbers, damaged inputs, and threads that may block
    .target(
      name: "TestSupport", dependencies: ["DataSourcesTesting"], path: "Tests/Support/TestSupport",
      swiftSettings: commonSettings),
    // damaged inputs for all parsers and for both ends of a session
    .testTarget(
      name: "FuzzTests",
      dependencies: [
        "DataSourcesTesting",
        "TestSupport", "Stores", "WebSockets", "Sync", "LiveQueries", "InstaQL", "DataSources",
        "Triples", "TerminalUI", network("NIOCore"),
        network("NIOPosix"),
      ],
      exclude: ["Corpus"], swiftSettings: commonSettings),
    // a web server in the tests' process with prepared answers, and certificates for it
    .target(
      name: "HTTPTestSupport",
      dependencies: [
        "HTTPDataSources", network("NIOCore"),
        network("NIOPosix"),
        network("NIOHTTP1"),
        network("NIOSSL", of: "swift-nio-ssl"),
      ], path: "Tests/Support/HTTPTestSupport", swiftSettings: commonSettings),
    // a PostgreSQL server that stops with the tests
    .target(
      name: "PostgresTestSupport", path: "Tests/Support/PostgresTestSupport",
      swiftSettings: commonSettings),
    // sync servers and clients with long timeouts
    .target(
      name: "SyncTestSupport", dependencies: ["WebSockets", "Stores", "Sync", "LiveQueries"],
      path: "Tests/Support/SyncTestSupport", swiftSettings: commonSettings),
    // queries and their expected answers, for every engine
    .target(
      name: "ConformanceSupport",
      dependencies: ["DataSourcesTesting", "TestSupport", "InstaQL", "Triples"],
      path: "Tests/Support/ConformanceSupport", swiftSettings: commonSettings),
    // runs the compiler on source that uses the libraries
    .target(
      name: "CompilerTestSupport", dependencies: ["DataSourcesTesting"],
      path: "Tests/Support/CompilerTestSupport",
      swiftSettings: commonSettings),
    .testTarget(
      name: "InstaQLTests",
      dependencies: [
        "DataSourcesTesting",
        "ConformanceSupport", "CompilerTestSupport", "TestSupport", "InstaQL", "DataSources",
        "Triples",
      ],
      swiftSettings: commonSettings),
    .testTarget(
      name: "TerminalUITests", dependencies: ["DataSourcesTesting", "TestSupport", "TerminalUI"],
      swiftSettings: commonSettings),
    .testTarget(
      name: "NcursesTests",
      dependencies: ["DataSourcesTesting", "TestSupport", "Ncurses", "TerminalUI", "CTerminal"],
      swiftSettings: commonSettings),
    .testTarget(
      name: "LiveQueriesTests",
      dependencies: [
        "DataSourcesTesting", "TestSupport", "LiveQueries", "InstaQL", "DataSources", "Triples",
      ],
      swiftSettings: commonSettings),
    .testTarget(
      name: "StoresTests",
      dependencies: [
        "ConformanceSupport", "SyncTestSupport", "PostgresTestSupport", "ServerStores", "Stores",
        "WebSockets",
        "Sync",
        "LiveQueries", "InstaQL", "DataSources",
        "DataSourcesTesting", "TestSupport", "Triples",
        sqlite("GRDB"),
      ],
      swiftSettings: commonSettings),
    .testTarget(
      name: "SyncTests",
      dependencies: [
        "ConformanceSupport", "Sync", "LiveQueries", "InstaQL", "DataSources", "Triples",
      ],
      swiftSettings: commonSettings),
    .testTarget(
      name: "WebSocketsTests",
      dependencies: [
        "TestSupport",
        "SyncTestSupport", "HTTPTestSupport", "ConformanceSupport", "WebSockets", "Sync", "Stores",
        "LiveQueries", "InstaQL", "DataSources", "DataSourcesTesting", "Triples",
        network("NIOCore"),
        network("NIOPosix"),
      ], swiftSettings: commonSettings),
    .testTarget(
      name: "ExplorerTests",
      dependencies: [
        "DataSourcesTesting",
        "TestSupport", "Explorer", "LiveQueries", "InstaQL", "Notebooks", "DataSources", "Triples",
        "Widgets", "TerminalUI", "Ncurses",
      ],
      exclude: ["Screens"], swiftSettings: commonSettings),
    // a process that writes a store until a test kills it, or watches one
    .executableTarget(
      name: "sonde-store-writer",
      dependencies: ["Stores", "LiveQueries", "DataSources", "Triples"],
      path: "Tests/Support/StoreWriterHelper", swiftSettings: commonSettings),
    // a process that tests crash: executor, alarms, terminal
    .executableTarget(
      name: "sonde-crash-helper",
      dependencies: ["CExecutor", "CTerminal", "Ncurses", "TerminalUI"],
      path: "Tests/Support/CrashHelper", swiftSettings: commonSettings),
    .testTarget(
      name: "CommandsTests",
      dependencies: [
        "PostgresTestSupport", "TestSupport", "CompilerTestSupport", "WebSockets", "Sync", "Stores",
        "LiveQueries",
        "DataSources", "Triples",
        sqlite("GRDB"),
      ],
      swiftSettings: commonSettings),
  ],
  swiftLanguageModes: [.v6]
)
