import { writeFileSync } from "node:fs"
import { join } from "node:path"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, it } from "@effect/vitest"
import { Console, Effect } from "effect"
import { startOutside } from "../faults/world/Outside.ts"
import { Workshop } from "../faults/world/Workshop.ts"
import { configOf } from "../faults/world/World.ts"
import { call } from "../HttpCall.ts"
import { ready, start } from "../StartedProgram.ts"
import { becomesReady } from "../StartedWorld.ts"
import { type Collection, collectionsOf } from "./Collections.ts"

const key = "chaintape_key-of-the-bounded-state"

/** Requests of each kind. A collection with almost as many entries has one for each. */
const each = 1200
const least = 1100

/** The collections with an entry for each of something that callers choose: their first entry, and their bound. */
const bounded: ReadonlyArray<readonly [name: string, first: RegExp, max: number]> = [
  ["responses", /^\["\/.*"response"/, 4096],
  ["buckets of keys and addresses", /^\["[\w-]+:.*"refilledAt"/, 100_000],
  ["addresses without a key", /^\["[\d.:a-f/]+",\{"units".*"refilledAt"/, 10_000],
  ["keys that were looked up", /^\["[\da-f]+",\{"value"/, 10_000]
]

const hex = (count: number, digits: number) => `0x${count.toString(16).padStart(digits, "0")}`

const toIpv4 = (count: number) => `10.1.${count >> 8}.${count & 255}`

/** Each request of a kind differs from the others in what a caller chooses. */
const kinds: ReadonlyArray<(count: number) => { path: string; headers?: Record<string, string>; method?: string }> = [
  (count) => ({
    path: "/v2/cex/exchanges",
    headers: { "api-key": `a-wrong-key-${count}`, "x-forwarded-for": toIpv4(count) }
  }),
  (count) => ({ path: "/v2/cex/exchanges", headers: { "x-forwarded-for": `2001:db8:${count.toString(16)}::1` } }),
  (count) => ({ path: "/ping", headers: { "x-forwarded-for": toIpv4(count), "api-key": "" } }),
  (count) => ({ path: `/v2/cex/exchange-${count}` }),
  (count) => ({ path: `/v2/cex/sandbox/A${count}-USD/lasttrade` }),
  (count) => ({ path: `/v2/cex/sandbox/BTC-USD/trades?limit=3&since=${1_700_000_000_000 + count}` }),
  (count) => ({ path: `/v2/dex/uniswap-v3/devnet/pool/${hex(count, 40)}` }),
  (count) => ({ path: `/v2/dex/uniswap-v3/devnet/token/${hex(count, 40)}/trades?limit=1` }),
  (count) => ({ path: `/v2/dex/uniswap-v3/devnet?block=${count}` }),
  (count) => ({ path: `/v2/dex/uniswap-v3/devnet/pools?limit=1&skip=${count}` }),
  (count) => ({ path: `/v2/dex/uniswap-v3/chain-${count}` }),
  (count) => ({ path: `/v2/blocks/devnet?limit=1&skip=${count}` }),
  (count) => ({ path: `/v2/blocks/chain-${count}` }),
  (count) => ({ path: `/nothing/${count}` }),
  (count) => ({ path: `/v2/cex/exchanges?parameter-${count}=1` }),
  (count) => ({ path: "/v2/cex/exchanges", headers: { origin: `https://origin-${count}.example` } }),
  (count) => ({
    path: "/v2/cex/exchanges",
    headers: { "user-agent": `agent ${count}`, "x-request-id": `own-${count}` }
  }),
  (count) => ({ path: `/problems/${count}` }),
  (count) => ({ path: "/sign-in", headers: { cookie: `__Host-session=${count}; other-${count}=1` } }),
  (count) => ({
    path: "/v2/cex/exchanges",
    headers: { "if-none-match": `"${count}"`, "accept-encoding": `br;q=0.${count}` }
  })
]

const distinct = Effect.gen(function* () {
  const { directory } = yield* Workshop
  const outside = yield* startOutside
  const config = join(directory, "chaintape.config.json")
  writeFileSync(config, JSON.stringify({ ...configOf(outside), proxies: ["127.0.0.1/32"] }))
  const started = yield* start({
    CHAINTAPE_CONFIG: config,
    CHAINTAPE_DATA_DIR: join(directory, "data"),
    CHAINTAPE_BOOTSTRAP_KEY: key,
    NODE_OPTIONS: "--inspect-port=0"
  })
  const { origin } = yield* ready(started)
  yield* becomesReady(origin)
  const statuses: Array<string> = []
  for (const kind of kinds) {
    const ofKind: Record<number, number> = {}
    yield* Effect.forEach(
      Array.from({ length: each }, (_, count) => kind(count)),
      ({ headers, path }) =>
        Effect.map(call(origin, { path, headers: { "api-key": key, ...headers } }), ({ status }) => {
          ofKind[status] = (ofKind[status] ?? 0) + 1
        }),
      { concurrency: 12, discard: true }
    )
    statuses.push(`${kind(1).path}: ${JSON.stringify(ofKind)}`)
  }
  // The queues of the runtime are arrays whose places are mostly empty.
  const found = (yield* collectionsOf(started, least)).filter(({ sample }) => sample !== "undefined")
  yield* Console.log([...statuses, ...found.map((one) => JSON.stringify(one))].join("\n"))
  const isBounded = ({ sample, size }: Collection) =>
    bounded.some(([, first, max]) => first.test(sample) && size <= max)
  assert.deepStrictEqual(
    found.filter((one) => !isBounded(one)),
    []
  )
  // Those that are known are found: the law looks at the right process, and its requests arrive.
  for (const [name, first] of bounded)
    assert.isTrue(
      found.some(({ sample }) => first.test(sample)),
      name
    )
})

describe("the state of a service", () => {
  it.live(
    `has no collection that grows with what callers choose, in ${each} requests of each kind`,
    () => distinct.pipe(Effect.scoped, Effect.provide([Workshop.layer, NodeServices.layer])),
    1_200_000
  )
})
