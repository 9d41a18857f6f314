import { dirname } from "node:path"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Effect, FileSystem, Layer } from "effect"
import { GuideFolder } from "../../src/web/GuideRoutes.ts"

const files: Readonly<Record<string, string>> = {
  "secret.txt": "secret",
  "site/index.html": "<!doctype html><title>Home</title>",
  "site/docs/index.html": "<!doctype html><title>Documents</title>",
  "site/docs/trades.html": "<!doctype html><title>Trades</title>",
  "site/docs/trades.md": "# Trades\n",
  "site/assets/app.1a2b.js": "export {}"
}

/** A built guide in a folder of its own, beside a file that is not of the guide. */
export const builtGuide = Layer.effect(
  GuideFolder,
  Effect.gen(function* () {
    const { makeDirectory, makeTempDirectoryScoped, writeFileString } = yield* FileSystem.FileSystem
    const folder = yield* makeTempDirectoryScoped()
    for (const [path, text] of Object.entries(files)) {
      yield* makeDirectory(dirname(`${folder}/${path}`), { recursive: true })
      yield* writeFileString(`${folder}/${path}`, text)
    }
    return `${folder}/site`
  })
).pipe(Layer.provide(NodeServices.layer), Layer.orDie)
