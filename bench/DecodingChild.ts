/** One candidate of the decoding benchmark, in its own process: `trades|pools core|effect FILE ROUNDS`. */
import { readFileSync } from "node:fs"
import { Schema } from "effect"
import { trades } from "../packages/core/src/api/CexOperations.ts"
import { pools } from "../packages/core/src/api/DexOperations.ts"
import { reader } from "../packages/core/src/internal/decode/jsonDecoder.ts"
import { medians, processing } from "./Measure.ts"

const [kind, name, file = "", rounds] = process.argv.slice(2)
const text = readFileSync(file, "utf8")
const schema: Schema.Codec<unknown, unknown> = (kind === "pools" ? pools : trades).success
const decode = name === "core" ? reader(schema) : Schema.decodeUnknownSync(Schema.toCodecJson(schema))
const measured = medians(
  { parse: () => JSON.parse(text), decode: () => decode(JSON.parse(text)) },
  Number(rounds),
  processing
)
console.log(JSON.stringify(measured.map(({ ms }) => ms)))
