import * as DexOperations from "@chaintape/core/operations/dex"
import { Effect, Option, Path, Schema } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { accessKey } from "../service/AccessKey.ts"
import { isHttpAddress, serviceFlags, serviceUrl } from "../service/ServiceFlags.ts"
import { toFailure, wrongUsage } from "../terminal/CommandError.ts"
import { dataDirectory } from "../terminal/dataDirectory.ts"
import { printable } from "../terminal/printable.ts"
import { Progress } from "../terminal/Progress.ts"
import { writeResult } from "../terminal/writeLine.ts"
import { findTarget } from "./Target.ts"

const config = {
  exchange: Argument.String("exchange").pipe(
    Argument.withDescription("Id of the decentralized exchange, such as uniswap-v3")
  ),
  blockchain: Argument.String("blockchain").pipe(Argument.withDescription("Id of its blockchain, such as ethereum")),
  pool: Flag.String("pool").pipe(
    Flag.withMetavar("ADDRESS"),
    Flag.withDescription("Verify this pool alone, from the block that created it"),
    Flag.withSchema(DexOperations.pool.params.pool.schema),
    Flag.optional
  ),
  block: Flag.Int("block").pipe(
    Flag.withMetavar("N"),
    Flag.withDescription("The last block; the newest final one of the service if absent"),
    Flag.withSchema(Schema.Int.check(Schema.isGreaterThanOrEqualTo(0))),
    Flag.optional
  ),
  every: Flag.Int("every").pipe(
    Flag.withMetavar("N"),
    Flag.withDescription("Compare also as of every Nth block before it"),
    Flag.withSchema(Schema.Int.check(Schema.isGreaterThanOrEqualTo(1))),
    Flag.optional
  ),
  rpc: Flag.String("rpc").pipe(
    Flag.withMetavar("URL"),
    Flag.withDescription("A node to read the chain from, in place of those of the configuration; may be repeated"),
    Flag.atLeast(0)
  ),
  config: Flag.String("config").pipe(
    Flag.withMetavar("FILE"),
    Flag.withDescription(
      "The configuration file that describes the deployment; if absent CHAINTAPE_CONFIG, chaintape.config.json, that of the " +
        "running sandbox, or a preset"
    ),
    Flag.optional
  ),
  dir: Flag.String("dir").pipe(
    Flag.withMetavar("DIR"),
    Flag.withDescription(
      "Where the recomputed index is stored, so that the next run continues; in CHAINTAPE_DATA_DIR if absent"
    ),
    Flag.optional
  ),
  ...serviceFlags
}

export const verify = Command.make(
  "verify",
  config,
  Effect.fnUntraced(function* (input) {
    const { blockchain, exchange } = input
    const wrong = input.rpc.find((node) => !isHttpAddress(node))
    if (wrong !== undefined)
      return yield* wrongUsage(`--rpc is "${wrong}": it must be an address such as http://127.0.0.1:8545.`)
    const target = yield* findTarget({ exchange, blockchain, config: input.config, rpc: input.rpc })
    const path = yield* Path.Path
    const pool = Option.getOrUndefined(input.pool)
    const name = [exchange, blockchain, ...(pool === undefined ? [] : [pool])].join("-")
    const directory = Option.getOrElse(input.dir, () => "") || path.join(yield* dataDirectory, "verify", name)
    const url = yield* serviceUrl(input.url)
    const key = yield* accessKey(input.key, url)
    // Its modules are loaded only here: other commands do not need the store.
    const { runVerification } = yield* Effect.promise(() => import("./Verification.ts"))
    const verdict = yield* runVerification({
      target,
      deployment: { exchange, blockchain },
      pool,
      block: Option.getOrUndefined(input.block),
      every: Option.getOrUndefined(input.every),
      directory,
      url,
      key
    }).pipe(Effect.scoped, Effect.provide(Progress.layer))
    yield* writeResult(printable(verdict.sentence))
    if (verdict.state === "different") return yield* toFailure("", "different")
    if (verdict.state === "unproven") return yield* toFailure("", "incomplete")
  })
).pipe(
  Command.withShortDescription("Recompute an index from verified receipts, and compare a service with it"),
  Command.withDescription(
    "Recomputes totals, tokens, pools and trades of a decentralized exchange from receipts that it proves against the block " +
      "headers, reads them from a service, and prints the first difference or one line of proof. The same command " +
      "continues an interrupted verification."
  ),
  Command.withExamples([
    { command: "chaintape verify uniswap-v3 devnet", description: "The running sandbox" },
    {
      command: "chaintape verify uniswap-v3 base --rpc https://node.example --url https://service.example",
      description: "Another service, with a node of your choice"
    }
  ])
)
