import { readFile, writeFile } from "node:fs/promises"
import { createRequire } from "node:module"
import { NodeRuntime } from "@effect/platform-node"
import { Effect, Schema } from "effect"

const contracts = [
  "AlgebraPlugin",
  "AlgebraTrader",
  "FlashBorrower",
  "PairTrader",
  "PoolDeployer",
  "PoolTrader",
  "Token",
  "WrappedEther"
]
const folder = new URL("../src/devnet/contracts/", import.meta.url)

/** Where the compiled contracts are kept. */
export const artifact = new URL("contracts.json", folder)

const Output = Schema.Struct({
  errors: Schema.optionalKey(Schema.Array(Schema.Struct({ severity: Schema.String, formattedMessage: Schema.String }))),
  contracts: Schema.optionalKey(
    Schema.Record(
      Schema.String,
      Schema.Record(
        Schema.String,
        Schema.Struct({ evm: Schema.Struct({ bytecode: Schema.Struct({ object: Schema.String }) }) })
      )
    )
  )
})
const decode = Schema.decodeUnknownEffect(Schema.fromJsonString(Output))
const Compiler = Schema.declare(
  (value): value is { readonly compile: (input: string) => string } =>
    typeof value === "object" && value !== null && "compile" in value && typeof value.compile === "function"
)

/** The text of the artifact for the sources as they are now: creation bytecode by contract name. */
export const compile = Effect.gen(function* () {
  const solc = yield* Schema.decodeUnknownEffect(Compiler)(createRequire(import.meta.url)("solc"))
  const sources = yield* Effect.promise(() =>
    Promise.all(
      contracts.map(async (name) => {
        const content = await readFile(new URL(`${name}.sol`, folder), "utf8")
        return [`${name}.sol`, { content }] as const
      })
    )
  )
  const output = yield* decode(
    solc.compile(
      JSON.stringify({
        language: "Solidity",
        sources: Object.fromEntries(sources),
        settings: {
          evmVersion: "paris",
          optimizer: { enabled: true, runs: 10_000 },
          // Without the metadata hash the bytecode depends on nothing but code and compiler.
          metadata: { bytecodeHash: "none", appendCBOR: false },
          outputSelection: { "*": { "*": ["evm.bytecode.object"] } }
        }
      })
    )
  )
  const errors = (output.errors ?? []).filter((problem) => problem.severity === "error")
  if (errors.length > 0 || output.contracts === undefined) {
    return yield* Effect.die(new Error(errors.map((problem) => problem.formattedMessage).join("\n")))
  }
  const compiled = output.contracts
  const bytecode = contracts.map((name) => [name, `0x${compiled[`${name}.sol`]?.[name]?.evm.bytecode.object ?? ""}`])
  return `${JSON.stringify(Object.fromEntries(bytecode), null, 2)}\n`
})

if (import.meta.main) {
  compile.pipe(
    Effect.flatMap((text) => Effect.promise(() => writeFile(artifact, text))),
    NodeRuntime.runMain
  )
}
