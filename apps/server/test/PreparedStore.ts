import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { ProvidedContext } from "@effect/vitest"
import { Effect, Layer } from "effect"
import * as Database from "../src/store/Database.ts"

declare module "vitest" {
  interface ProvidedContext {
    /** An embedded database with its tables and no rows. Tests open copies of it, never the directory itself. */
    readonly preparedDatabase: string
    /** The compile cache that the processes of all tests share. */
    readonly compileCache: string
  }
}

interface Project {
  readonly provide: <Name extends keyof ProvidedContext>(name: Name, value: ProvidedContext[Name]) => void
}

/** Migrates one embedded database for all tests of the run: a copy of it opens five times faster than a new one. */
export default async (project: Project) => {
  const folder = await mkdtemp(join(tmpdir(), "chaintape-prepared-"))
  const dataDir = join(folder, "database")
  await Effect.runPromise(Effect.scoped(Layer.build(Database.layer({ url: undefined, dataDir }))))
  project.provide("preparedDatabase", dataDir)
  project.provide("compileCache", join(folder, "compiled"))
  // A process that a test has ended may still be writing its compile cache.
  return () => rm(folder, { recursive: true, force: true, maxRetries: 20 })
}
