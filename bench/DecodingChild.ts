/** One candidate of the decoding benchmark, in its own process: `trades|pools core|effect FILE ROUNDS`. */
import { readFileSync } from "node:fs"
import { Effect, Schema } from "effect"
import { trades } from "../packages/core/src/api/CexOperations.ts"
import { pools } from "../packages/core/src/api/DexOperations.ts"
import type * as Operation from "../packages/core/src/operation/Operation.ts"
import { medians, processing } from "./Measure.ts"

const [kind, name, file = "", rounds] = process.argv.slice(2)
const text = readFileSync(file, "utf8")
const { decoder, inText, success }: Operation.Any = kind === "pools" ? pools : trades
const bySchema = Schema.decodeUnknownSync(Schema.toCodecJson(success))
const byClient = decoder?.(inText ?? success)
const decode = (text: string): unknown =>
  name === "core" ? Effect.runSync(byClient?.(text) ?? Effect.die("No decoder.")) : bySchema(JSON.parse(text))
const measured = medians({ parse: () => JSON.parse(text), decode: () => decode(text) }, Number(rounds), processing)
console.log(JSON.stringify(measured.map(({ ms }) => ms)))
