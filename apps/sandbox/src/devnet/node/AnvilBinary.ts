import { createRequire } from "node:module"
import { Effect } from "effect"
import { DevnetError } from "./DevnetError.ts"

const architectures: Readonly<Record<string, string>> = { x64: "amd64", arm64: "arm64" }

/** The path of the anvil program that npm installed for a platform. */
export const anvilBinary = Effect.fnUntraced(function* (
  platform: string,
  architecture: string
): Effect.fn.Return<string, DevnetError> {
  const name = `@foundry-rs/anvil-${platform}-${architectures[architecture] ?? architecture}`
  return yield* Effect.try({
    try: () => {
      // The program is a dependency of the wrapper package, not of ours, so it is visible only from there.
      const wrapper = createRequire(import.meta.url).resolve("@foundry-rs/anvil/package.json")
      return createRequire(wrapper).resolve(`${name}/bin/anvil`)
    },
    catch: (cause) =>
      new DevnetError({
        reason: "Unsupported",
        message:
          `The package "${name}" with the anvil program for "${platform} ${architecture}" is not installed. ` +
          "Install with optional dependencies, or run the devnet on Linux or macOS, x64 or arm64.",
        cause
      })
  })
})
