/** The size of a program in a browser: bundled by rolldown into one file, minified, gzipped. */
import { relative } from "node:path"
import { fileURLToPath } from "node:url"
import { gzipSync } from "node:zlib"
import { rolldown } from "rolldown"

const root = fileURLToPath(new URL("..", import.meta.url))

const example = (name: string) => fileURLToPath(new URL(`../examples/${name}.ts`, import.meta.url))

/** The program of the README that reads one last trade, and nothing else. */
export const lastTrade = example("last-trade")

/** The same without Effect. */
export const promiseLastTrade = example("promise-last-trade")

/** The same with the function of the operation. */
export const lastTradeFunction = example("last-trade-function")

export interface Bundle {
  readonly minified: number
  readonly gzip: number
  /** The gzipped bytes that the code of our packages adds to all other code. */
  readonly ours: number
  /** The modules that remain after tree shaking, by path in the repository. */
  readonly modules: ReadonlyArray<string>
}

const gzip = (code: string): number => gzipSync(code, { level: 9 }).length

/** Without the lines that only two files need. */
const inOneFile = (code: string): string =>
  code.replaceAll(/import\s*\{[^}]*\}\s*from\s*["'`][^"'`]*["'`];?/g, "").replaceAll(/export\s*\{[^}]*\};?/g, "")

const isOurs = (id: string): boolean => /^packages\/[^/]+\/src\//.test(relative(root, id))

export const bundle = async (program: string): Promise<Bundle> => {
  const building = await rolldown({
    input: program,
    platform: "browser",
    logLevel: "silent",
    resolve: { conditionNames: ["chaintape-source", "browser", "import", "module", "default"] }
  })
  const whole = await building.generate({ format: "esm", minify: true, codeSplitting: false })
  const parted = await building.generate({
    format: "esm",
    minify: true,
    codeSplitting: {
      groups: [
        { name: "others", test: (id) => id.includes("node_modules") },
        { name: "ours", test: isOurs }
      ]
    }
  })
  await building.close()
  const [file] = whole.output
  const code = (own: boolean): string =>
    parted.output
      .map((one) => (one.type === "chunk" && (one.name === "ours") === own ? inOneFile(one.code) : ""))
      .join("")
  const others = code(false)
  return {
    minified: Buffer.byteLength(file.code),
    gzip: gzip(file.code),
    ours: gzip(others + code(true)) - gzip(others),
    modules: Object.entries(file.modules)
      .filter(([, { renderedLength }]) => renderedLength > 0)
      .map(([id]) => relative(root, id))
  }
}
