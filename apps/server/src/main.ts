// Each way loads its own modules only.
if (process.argv.length > 2) {
  await import("effect/schema/SchemaJITCompiler/enable")
  const [NodeRuntime, { commandLine }] = await Promise.all([
    import("@effect/platform-node/NodeRuntime"),
    import("./cli/CommandLine.ts")
  ])
  NodeRuntime.runMain(commandLine)
} else {
  const { startEarly } = await import("./EarlyStart.ts")
  const { engine, sandbox } = startEarly()
  await import("effect/schema/SchemaJITCompiler/enable")
  const [NodeRuntime, { Effect }, { program }, { StartedSandbox }, { starterEnds }, { StartedEngine }] =
    await Promise.all([
      import("@effect/platform-node/NodeRuntime"),
      import("effect"),
      import("./App.ts"),
      import("./OfflineWorld.ts"),
      import("./Starter.ts"),
      import("./store/Database.ts")
    ])
  NodeRuntime.runMain(
    program.pipe(
      Effect.provideService(StartedSandbox, sandbox),
      Effect.provideService(StartedEngine, engine),
      Effect.raceFirst(starterEnds),
      // Also where the program fails before it takes it.
      Effect.ensuring(Effect.sync(() => sandbox?.end()))
    )
  )
}
