import { fileURLToPath } from "node:url"
import { Context, Effect, FileSystem, Layer, Option, Path, Ref, Stream } from "effect"
import { ChildProcess } from "effect/process"
import { contentTypes } from "../layout/StaticFile.ts"

/** One file of the built demo. */
export interface DemoFile {
  readonly bytes: Uint8Array
  readonly contentType: string
}

type Files = ReadonlyMap<string, DemoFile>

/** The built files of the demo by path; none while it is being built, or if it is not installed. */
export type DemoState =
  | { readonly _tag: "Absent" }
  | { readonly _tag: "Building" }
  | { readonly _tag: "Built"; readonly files: Files }

const absent: DemoState = { _tag: "Absent" }

export interface Demo {
  readonly state: Effect.Effect<DemoState>
  /** Builds the demo if it is missing or older than its sources. This takes one CPU for some seconds. */
  readonly build: Effect.Effect<void>
}

/** The available files of the demo. Empty by default. */
export const DemoFiles = Context.Reference<Demo>("@chaintape/server/web/demo/DemoFiles", {
  defaultValue: () => ({ state: Effect.succeed(absent), build: Effect.void })
})

const workspace = fileURLToPath(new URL("../../../../../", import.meta.url))

/** The sources of the demo, relative to the workspace. */
const buildInputs = [
  "apps/demo/src",
  "apps/demo/index.html",
  "apps/demo/vite.config.ts",
  "packages/contract/src",
  "packages/core/src",
  "packages/cex/src",
  "packages/dex/src",
  "packages/blocks/src"
]

/** The newest modification time of these files, in Unix milliseconds. */
const newest = Effect.fnUntraced(function* (below: ReadonlyArray<string>) {
  const files = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const times = yield* Effect.forEach(
    below,
    Effect.fnUntraced(function* (name) {
      const full = path.join(workspace, name)
      const { mtime, type } = yield* files.stat(full)
      const inside = type === "Directory" ? yield* files.readDirectory(full, { recursive: true }) : []
      const all = yield* Effect.forEach(inside, (file) => files.stat(path.join(full, file)), { concurrency: 16 })
      return Math.max(
        ...[mtime, ...all.map((info) => info.mtime)].map((time) =>
          Option.match(time, { onNone: () => 0, onSome: (date) => date.getTime() })
        )
      )
    })
  )
  return Math.max(...times)
})

const folder = `${workspace}apps/demo/dist`

const read = Effect.gen(function* () {
  const files = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const names = ["index.html", ...(yield* files.readDirectory(`${folder}/assets`)).map((name) => `assets/${name}`)]
  const entries = yield* Effect.forEach(
    names,
    (name) =>
      Effect.map(files.readFile(`${folder}/${name}`), (bytes): readonly [string, DemoFile] => [
        name,
        { bytes, contentType: contentTypes[path.extname(name)] ?? "application/octet-stream" }
      ]),
    { concurrency: 8 }
  )
  const built: DemoState = { _tag: "Built", files: new Map(entries) }
  return built
})

/** A child process that ends when its standard input closes: it never outlives the service. */
const build = Effect.gen(function* () {
  const child = yield* ChildProcess.make(process.execPath, [`${workspace}apps/demo/scripts/build.ts`], {
    env: { DEMO_ATTACHED: "true" },
    extendEnv: true,
    stdin: Stream.never,
    stdout: "ignore",
    stderr: "ignore",
    forceKillAfter: "2 seconds"
  })
  return yield* child.exitCode
}).pipe(Effect.scoped)

const refresh = Effect.fnUntraced(function* (state: Ref.Ref<DemoState>) {
  const files = yield* FileSystem.FileSystem
  const code = yield* build
  const isBuilt = Number(code) === 0 || (yield* files.exists(`${folder}/index.html`))
  yield* Ref.set(state, isBuilt ? yield* read : absent)
  if (Number(code) !== 0)
    yield* Effect.logWarning(`The demo could not be built: run "node apps/demo/scripts/build.ts".`)
})

const open = Effect.gen(function* () {
  const files = yield* FileSystem.FileSystem
  const isThere = yield* files.exists(`${folder}/index.html`)
  const mayBuild = yield* files.exists(`${workspace}apps/demo/node_modules/vite`)
  const isOld = mayBuild && isThere && (yield* newest(buildInputs)) > (yield* newest(["apps/demo/dist/index.html"]))
  if (isThere && !isOld) return { state: Effect.succeed(yield* read), build: Effect.void }
  if (!mayBuild) return { state: Effect.succeed(absent), build: Effect.void }
  const context = yield* Effect.context<Effect.Services<ReturnType<typeof refresh>>>()
  const state = yield* Ref.make<DemoState>({ _tag: "Building" })
  return {
    state: Ref.get(state),
    build: refresh(state).pipe(
      Effect.catch((error) => Effect.andThen(Ref.set(state, absent), Effect.logWarning(error.message))),
      Effect.provide(context)
    )
  }
})

/** The demo of this workspace. */
export const layer = Layer.effect(
  DemoFiles,
  open.pipe(
    // The start page serves as a fallback.
    Effect.catch((error): Effect.Effect<Demo> =>
      Effect.as(Effect.logWarning(error.message), { state: Effect.succeed(absent), build: Effect.void })
    )
  )
)
