// Each mode loads only its own modules.
if (process.argv.length > 2) {
  const { restartWithMemorySettings } = await import("./program/MemorySettings.ts")
  // The only command that reads and writes millions of rows. With 8 MB its main thread collects for a quarter of the time.
  if (process.argv[2] === "import") restartWithMemorySettings(16)
  await import("effect/schema/SchemaJITCompiler/enable")
  const [NodeRuntime, { commandLine }] = await Promise.all([
    import("@effect/platform-node/NodeRuntime"),
    import("./cli/CommandLine.ts")
  ])
  NodeRuntime.runMain(commandLine)
} else {
  const { restartWithMemorySettings } = await import("./program/MemorySettings.ts")
  restartWithMemorySettings(8)
  const { startEarly } = await import("./program/EarlyStart.ts")
  const { engine, sandbox } = startEarly()
  await import("effect/schema/SchemaJITCompiler/enable")
  const [NodeRuntime, { Effect }, { program }, { StartedSandbox }, { packageManagerExit }, { StartedEngine }] =
    await Promise.all([
      import("@effect/platform-node/NodeRuntime"),
      import("effect"),
      import("./program/App.ts"),
      import("./program/OfflineWorld.ts"),
      import("./program/PackageManager.ts"),
      import("./store/Database.ts")
    ])
  NodeRuntime.runMain(
    program.pipe(
      Effect.provideService(StartedSandbox, sandbox),
      Effect.provideService(StartedEngine, engine),
      Effect.raceFirst(packageManagerExit),
      // Also if the program fails before it uses it.
      Effect.ensuring(Effect.sync(() => sandbox?.end()))
    )
  )
}
