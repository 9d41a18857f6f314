import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname, resolve } from "node:path"
import { pathToFileURL } from "node:url"
import { Schema } from "effect"

// The package exports only its entry, which weighs 85 MB in memory; one class weighs a third. So a class is imported
// from its file, found from the package's root (the CommonJS entry lies one folder below it).
const root = resolve(dirname(createRequire(import.meta.url).resolve("ccxt")), "..")

const decodeManifest = Schema.decodeUnknownSync(Schema.fromJsonString(Schema.Struct({ version: Schema.String })))

/** The version of the installed package (the constant in its source may lag behind). */
export const installedVersion = (): string =>
  decodeManifest(readFileSync(resolve(root, "package.json"), "utf8")).version

/** The module of one exchange's class. `driver` must be an id of the catalog: it becomes part of a path. */
export const importExchange = async (driver: string): Promise<unknown> => {
  try {
    const module: { readonly default: unknown } = await import(
      pathToFileURL(resolve(root, "js/src", `${driver}.js`)).href
    )
    return module.default
  } catch (error) {
    // A later ccxt may move its files; its entry still has every class. Any other failure is the class's own.
    if (!(error instanceof Error && "code" in error && error.code === "ERR_MODULE_NOT_FOUND")) throw error
    const { default: all } = await import("ccxt")
    return Object.entries(all).find(([name]) => name === driver)?.[1]
  }
}
