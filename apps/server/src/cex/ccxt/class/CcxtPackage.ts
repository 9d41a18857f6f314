import { existsSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname, resolve } from "node:path"
import { pathToFileURL } from "node:url"
import { hasCode } from "../../../internal/files/hasCode.ts"

// The package exports only its entry, which weighs 85 MB in memory; one class weighs a third. So a class is imported
// from its file, found from the package's root (the CommonJS entry lies one folder below it).
const root = resolve(dirname(createRequire(import.meta.url).resolve("ccxt")), "..")

const getClass = async (file: string, fallback: () => Promise<object>, driver: string): Promise<unknown> => {
  try {
    const module: { readonly default: unknown } = await import(pathToFileURL(resolve(root, file)).href)
    return module.default
  } catch (error) {
    // A later ccxt may move its files; its entry still exports every class. Any other failure is the class's own.
    if (!hasCode(error, "ERR_MODULE_NOT_FOUND")) throw error
    return Object.entries(await fallback()).find(([name]) => name === driver)?.[1]
  }
}

/** The class of one exchange. `driver` must be an id of the catalog: it becomes part of a path. */
export const importExchange = (driver: string): Promise<unknown> =>
  getClass(`js/src/${driver}.js`, async () => (await import("ccxt")).default, driver)

/** The class of one exchange's streams, if there is one. The same holds for `driver`. */
export const importStream = async (driver: string): Promise<unknown> => {
  const folder = "js/src/pro"
  const isAbsent = existsSync(resolve(root, folder)) && !existsSync(resolve(root, folder, `${driver}.js`))
  // Without streams there is no file, and searching the whole package for it would load all of it.
  return isAbsent
    ? undefined
    : getClass(`${folder}/${driver}.js`, async () => (await import("ccxt")).default.pro, driver)
}
