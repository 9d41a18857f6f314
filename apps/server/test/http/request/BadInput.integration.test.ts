import * as DexOperations from "@chaintape/core/operations/dex"
import { devnetConfig } from "@chaintape/sandbox"
import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import { devnetHead, overDevnet } from "../../dex/IndexedService.ts"
import { json, record, records } from "../../HttpCall.ts"
import { keyed, plain } from "../../RunningService.ts"
import { head, stubbedService } from "../../StubbedService.ts"
import { assertProblem } from "../response/Problem.ts"

const trades = "/v2/cex/stub/BTC-USD/trades"
const last = "/v2/cex/stub/BTC-USD/lasttrade"
const blocks = "/v2/blocks/synthetic"
const aggregates = "/v2/cex/stub/BTC-USD/aggregates/1h"
const candle = (timeframe: string) => `/v2/cex/stub/BTC-USD/lastaggregate/${timeframe}`

/** Values that each list rejects, whatever its maximum. */
const limitsRefused = [
  "0",
  "-1",
  "1.0",
  "1e2",
  "0x10",
  "%2B5",
  "+5",
  "05",
  "%205",
  "5%20",
  "",
  "NaN",
  "Infinity",
  "1_0"
].concat(["%EF%BC%91", "%D9%A1", "true", "null", "99999999999999999999", "1,000", "%005", "5%0a"])

const wholeNumbersRefused = ["-1", "1.5", "1e3", "0x1", "01", "", "-0", "%2B1", "9007199254740993e0", "abc"]
const timesRefused = [...wholeNumbersRefused, "8640000000000001", "99999999999999999999", "2026-01-01"]

/** Path and query, and the one parameter that the problem must name. */
const refused: ReadonlyArray<readonly [path: string, parameter: string]> = [
  ...limitsRefused.flatMap((text) => [
    [`${trades}?limit=${text}`, "limit"] as const,
    [`${blocks}?limit=${text}`, "limit"] as const
  ]),
  [`${trades}?limit=50001`, "limit"],
  [`${blocks}?limit=1001`, "limit"],
  ...wholeNumbersRefused.map((text) => [`${blocks}?skip=${text}`, "skip"] as const),
  ...wholeNumbersRefused.map((text) => [`${blocks}?block=${text}`, "block"] as const),
  [`${blocks}?block=9007199254740992`, "block"],
  ...timesRefused.map((text) => [`${trades}?since=${text}`, "since"] as const),
  ...timesRefused.map((text) => [`${blocks}?from=${text}`, "from"] as const),
  ...timesRefused.map((text) => [`${blocks}?to=${text}`, "to"] as const),
  [`${blocks}?from=2000&to=1999`, "from"],
  [`${blocks}?orderBy=hash`, "orderBy"],
  [`${blocks}?orderBy=Number`, "orderBy"],
  [`${blocks}?orderBy=`, "orderBy"],
  [`${blocks}?orderBy=__proto__`, "orderBy"],
  [`${blocks}?orderBy=constructor`, "orderBy"],
  [`${blocks}?orderBy=number&orderDirection=ASC`, "orderDirection"],
  [`${blocks}?orderBy=number&orderDirection=`, "orderDirection"],
  [`${blocks}?orderDirection=asc`, "orderDirection"],
  [`${blocks}?orderDirection=desc`, "orderDirection"],
  [`${trades}?limit=1&limit=2`, "limit"],
  [`${trades}?limit=1&limit=1`, "limit"],
  [`${blocks}?from=1&from=1`, "from"],
  [`${trades}?Limit=1`, "Limit"],
  [`${trades}?skip=1`, "skip"],
  [`${last}?limit=1`, "limit"],
  [`${candle("1h")}?since=1`, "since"],
  [`${aggregates}?limit=10001`, "limit"],
  [`${aggregates}?limit=0`, "limit"],
  [`${aggregates}?since=2&until=1`, "since"],
  [`${aggregates}?until=-1`, "until"],
  [`${aggregates}?since=1e3`, "since"],
  [`${aggregates}?from=1`, "from"],
  ["/v2/cex/stub/BTC-USD/aggregates/7m", "timeframe"],
  ["/v2/cex/stub/BTCUSD/aggregates/1h", "market"],
  ["/v2/cex/exchanges?limit=1", "limit"],
  ["/v2/blocks?limit=1", "limit"],
  ["/v2/cex/stub?block=1", "block"],
  ["/ping?x=1", "x"],
  [`${trades}?__proto__=1`, "__proto__"],
  [`${trades}?constructor=1`, "constructor"],
  [`${trades}?toString`, "toString"],
  [`${trades}?limit[]=1`, "limit[]"],
  [`${trades}?limit%00=1`, "limit\0"],
  [`${trades}?=1`, ""],
  [`${trades}?limit=%zz`, "limit"],
  [`${trades}?limit=%`, "limit"],
  [`${trades}?limit=%c3%28`, "limit"],
  [`${trades}?x=%ff`, "x"],
  ["/v2/cex//BTC-USD/trades", "exchange"],
  ["/v2/cex/stub/BTCUSD/trades", "market"],
  ["/v2/cex/stub/BTC/trades", "market"],
  ["/v2/cex/stub/BTC-USD-X/trades", "market"],
  ["/v2/cex/stub/-USD/trades", "market"],
  ["/v2/cex/stub/BTC-/lasttrade", "market"],
  ["/v2/cex/stub/BTC%2FUSD/lasttrade", "market"],
  ["/v2/cex/stub/BTC%20-USD/lasttrade", "market"],
  ["/v2/cex/stub/BTC-USD%0d%0a/lasttrade", "market"],
  [`/v2/cex/stub/${"B".repeat(41)}-USD/lasttrade`, "market"],
  ...["1M", "2m", "1w", "", "%20", "60", "__proto__", "1h%20"].flatMap((label) =>
    label === "" ? [] : [[candle(label), "timeframe"] as const]
  )
]

/** Well-formed names of nothing: the code, and the member with the name. */
const absent: ReadonlyArray<readonly [path: string, code: string, member: string, name: string]> = [
  ...[
    ["nope", "nope"],
    ["__proto__", "__proto__"],
    ["constructor", "constructor"],
    ["toString", "toString"],
    ["hasOwnProperty", "hasOwnProperty"],
    ["a%2Fb", "a/b"],
    ["..", ".."],
    ["%2e%2e%2fetc", "../etc"],
    ["%F0%9F%98%80", "😀"],
    ["a%00b", "a\0b"],
    ["a%0d%0aSet-Cookie:%20x", "a\r\nSet-Cookie: x"],
    ["%3Cscript%3E", "<script>"],
    ["%25", "%"],
    ["STUB", "STUB"],
    ["stub%20", "stub "],
    ["stub;x=1", "stub;x=1"],
    ["a+b", "a+b"],
    ["z".repeat(4000), "z".repeat(4000)]
  ].flatMap(([written = "", name = ""]) => [
    [`/v2/cex/${written}`, "exchange-not-found", "exchange", name] as const,
    [`/v2/cex/${written}/BTC-USD/lasttrade`, "exchange-not-found", "exchange", name] as const,
    [`/v2/blocks/${written}`, "blockchain-not-found", "blockchain", name] as const
  ]),
  ["/v2/cex/stub/AAA-BBB/trades", "market-not-found", "market", "AAA/BBB"],
  ["/v2/cex/stub/__proto__-USD/trades", "market-not-found", "market", "__PROTO__/USD"],
  ["/v2/cex/stub/%F0%9F%98%80-USD/lasttrade", "market-not-found", "market", "😀/USD"],
  ["/v2/cex/stub/x%00-USD/lasttrade", "market-not-found", "market", "X\0/USD"],
  ["/v2/cex/stub/nope-usd/aggregates/1h", "market-not-found", "market", "NOPE/USD"],
  ["/v2/cex/nope/BTC-USD/aggregates/1h", "exchange-not-found", "exchange", "nope"],
  ["/v2/cex/stub/nope-usd/lastaggregate/1h", "market-not-found", "market", "NOPE/USD"],
  [`${blocks}?block=${head + 1}`, "block-not-found", "block", String(head + 1)],
  [`${blocks}?block=9007199254740991`, "block-not-found", "block", "9007199254740991"]
]

const noRoute = [
  "/nope",
  "/v2",
  "/v2/",
  "/v1/cex/exchanges",
  "/V2/cex/exchanges",
  "/v2/CEX/exchanges",
  "//v2/cex/exchanges",
  "/v2//cex/exchanges",
  "/v2/cex/stub/BTC-USD",
  "/v2/cex/stub/BTC-USD/trades/1",
  "/v2/cex/stub/BTC-USD/lastaggregate",
  "/v2/cex/stub/BTC-USD/aggregates",
  "/v2/blocks/synthetic/1",
  "/v2/ping",
  "/../etc/passwd",
  "/problems/nope",
  "/*"
]

describe("bad input", () => {
  layer(stubbedService(), { excludeTestServices: true })((it) => {
    it.effect.each(refused)("%s is refused for %s", ([path, parameter]) =>
      Effect.gen(function* () {
        const { issues = [] } = assertProblem(yield* keyed(path), 400, "invalid-parameter")
        assert.deepStrictEqual(
          issues.map((issue) => issue.parameter),
          [parameter]
        )
        assert.isAbove(issues[0]?.message.length ?? 0, 10)
      })
    )

    it.effect.each(absent)("%s names nothing: %s", ([path, code, member, name]) =>
      Effect.gen(function* () {
        const problem = assertProblem(yield* keyed(path), 404, code)
        assert.strictEqual(problem[member], name)
      })
    )

    it.effect.each(noRoute)("there is nothing at %s", (path) =>
      Effect.gen(function* () {
        assert.strictEqual(assertProblem(yield* keyed(path), 404, "not-found")["path"], path)
      })
    )

    it.effect("a block beyond the head is a problem that names the head", () =>
      Effect.gen(function* () {
        const problem = assertProblem(yield* keyed(`${blocks}?block=${head + 1}`), 404, "block-not-found")
        assert.deepStrictEqual([problem["head"], problem["blockchain"]], [String(head), "synthetic"])
        assert.strictEqual((yield* keyed(`${blocks}?block=${head}`)).status, 200)
      })
    )

    it.effect("the bounds themselves are allowed", () =>
      Effect.gen(function* () {
        for (const path of [
          `${trades}?limit=1`,
          `${trades}?limit=50000`,
          `${trades}?since=0`,
          `${trades}?since=8640000000000000`,
          `${blocks}?limit=1000`,
          `${blocks}?skip=9007199254740991`,
          `${blocks}?skip=9007199254740992`,
          `${blocks}?skip=${"9".repeat(400)}`,
          `${blocks}?from=0&to=8640000000000000`,
          `${blocks}?from=2000&to=2000`,
          `${blocks}?from=2000`,
          `${blocks}?to=2000`,
          `${blocks}?block=0`,
          `${trades}?`,
          `${trades}?&&`,
          `${trades}?limit=%31`,
          "/v2/cex/stub/btc-usd/trades",
          "/ping?apiKey=whatever"
        ]) {
          assert.strictEqual((yield* keyed(path)).status, 200, path)
        }
      })
    )

    it.effect("an unknown field to sort by is answered with the fields there are", () =>
      Effect.gen(function* () {
        const { issues = [] } = assertProblem(yield* keyed(`${blocks}?orderBy=hash`), 400, "invalid-parameter")
        assert.include(issues[0]?.message, "number, timestamp, size, gasLimit, gasUsed, totalDifficulty, author")
      })
    )

    it.effect("an unknown parameter is answered with the allowed ones", () =>
      Effect.gen(function* () {
        const { issues = [] } = assertProblem(yield* keyed(`${trades}?limits=5`), 400, "invalid-parameter")
        assert.include(issues[0]?.message, "limits")
        assert.include(issues[0]?.message, "apiKey, limit, since")
      })
    )

    it.effect("every mistake of the path and the query is reported at once", () =>
      Effect.gen(function* () {
        const path = "/v2/cex/nope/BTCUSD/trades?limit=0&since=x&skip=1&since2=2"
        const { detail, issues = [] } = assertProblem(yield* keyed(path), 400, "invalid-parameter")
        assert.deepStrictEqual(
          issues.map(({ parameter }) => parameter),
          ["market", "limit", "since", "skip", "since2"]
        )
        for (const { message } of issues) assert.include(detail, message)
        const both = assertProblem(
          yield* keyed(`${blocks}?limit=0&from=9&to=8&orderDirection=asc&x=%zz`),
          400,
          "invalid-parameter"
        )
        assert.sameMembers(
          (both.issues ?? []).map(({ parameter }) => parameter),
          ["limit", "from", "orderDirection", "x"]
        )
      })
    )

    it.effect("a long value is quoted only in part", () =>
      Effect.gen(function* () {
        const reply = yield* keyed(`${trades}?limit=${"9".repeat(7000)}`)
        assertProblem(reply, 400, "invalid-parameter")
        assert.isBelow(reply.body.length, 1500)
      })
    )

    it.effect.each(["/v2/cex/%zz", "/v2/cex/%", "/v2/cex/%c3%28", "/v2/blocks/%ff", "/%e0%a4%a"])(
      "a percent sequence that is no text is refused: %s",
      (path) =>
        Effect.flatMap(keyed(path), (reply) => Effect.sync(() => assertProblem(reply, 400, "invalid-parameter")))
    )

    it.effect("the order of checks is route, method, key, parameters, existence", () =>
      Effect.gen(function* () {
        assertProblem(yield* plain({ method: "POST", path: "/nope?limit=0" }), 404, "not-found")
        assertProblem(yield* plain({ method: "POST", path: `${trades}?limit=0` }), 405, "method-not-allowed")
        assertProblem(yield* plain(`${trades}?limit=0`), 401, "missing-api-key")
        assertProblem(yield* plain(`${trades}?limit=0&apiKey=wrong-key`), 401, "invalid-api-key")
        assertProblem(yield* plain("/v2/cex/nope"), 401, "missing-api-key")
        assertProblem(yield* keyed("/v2/cex/nope/BTC-USD/trades?limit=0"), 400, "invalid-parameter")
        assertProblem(yield* keyed("/v2/blocks/nope?from=2&to=1"), 400, "invalid-parameter")
        assertProblem(yield* keyed("/v2/cex/nope/AAA-BBB/trades"), 404, "exchange-not-found")
        assertProblem(yield* keyed(`/v2/blocks/nope?block=${head + 1}`), 404, "blockchain-not-found")
      })
    )
  })
})

const dex = "/v2/dex/uniswap-v3/devnet"
const pool = devnetConfig.stablePool
const token = devnetConfig.referenceToken
const unknownPool = `0x${"ab".repeat(20)}`
const onePool = `${dex}/pool/${pool}`
const tokenTrades = `${dex}/token/${token}/trades`
const poolTrades = `${onePool}/trades`
const ticks = `${onePool}/ticks`
const candles = `${onePool}/aggregates/1h`
const tradeLists = [tokenTrades, poolTrades]
const lists = [`${dex}/tokens`, `${dex}/pools`, ...tradeLists]

const addressesRefused = [
  "0x",
  "1",
  "weth",
  pool.slice(2),
  pool.slice(0, -1),
  `${pool}0`,
  pool.replace("0x", "0X"),
  `0x${"g".repeat(40)}`,
  `%20${pool}`,
  `${pool}%0a`,
  `${pool.slice(0, -1)}%00`,
  "__proto__",
  "%F0%9F%98%80"
]
const flagsRefused = ["1", "0", "TRUE", "yes", "", "null", "true%20"]
const fieldsRefused = ["hash", "ID", "", "__proto__", "constructor", "id,name", "pool.id", "id%20"]

const kinds = ["swap", "mint", "burn"]

/** Path and query, and the one parameter that the problem must name. */
const refusedByDex: ReadonlyArray<readonly [path: string, parameter: string]> = [
  ...lists.flatMap((list) => [
    ...[...limitsRefused, "1001", "x"].map((text) => [`${list}?limit=${text}`, "limit"] as const),
    ...wholeNumbersRefused.map((text) => [`${list}?skip=${text}`, "skip"] as const),
    ...fieldsRefused.map((text) => [`${list}?orderBy=${text}`, "orderBy"] as const),
    [`${list}?orderDirection=asc`, "orderDirection"] as const,
    [`${list}?orderDirection=desc`, "orderDirection"] as const,
    [`${list}?orderBy=id&orderDirection=DESC`, "orderDirection"] as const,
    [`${list}?orderBy=id&orderDirection=`, "orderDirection"] as const,
    [`${list}?orderBy=id&orderBy=id`, "orderBy"] as const,
    [`${list}?limit=1&limit=1`, "limit"] as const,
    [`${list}?unknown=1`, "unknown"] as const
  ]),
  ...[...limitsRefused, "1001", "x"].map((text) => [`${ticks}?limit=${text}`, "limit"] as const),
  ...wholeNumbersRefused.map((text) => [`${ticks}?skip=${text}`, "skip"] as const),
  [`${ticks}?orderBy=tick`, "orderBy"],
  ...[...limitsRefused, "1001", "x"].map((text) => [`${candles}?limit=${text}`, "limit"] as const),
  ...["from", "to"].flatMap((name) => timesRefused.map((text) => [`${candles}?${name}=${text}`, name] as const)),
  [`${candles}?from=1700000001000&to=1700000000999`, "from"],
  [`${candles}?skip=1`, "skip"],
  ...["7m", "1H", "60", "", "1h%20"].map((text) => [`${onePool}/aggregates/${text || "%20"}`, "timeframe"] as const),
  ...[dex, onePool, ticks, candles, ...lists].flatMap((path) => [
    ...wholeNumbersRefused.map((text) => [`${path}?block=${text}`, "block"] as const),
    [`${path}?block=9007199254740992`, "block"] as const,
    [`${path}?block=latest`, "block"] as const,
    [`${path}?block=1&block=1`, "block"] as const
  ]),
  ...tradeLists.flatMap((list) => [
    ...["from", "to"].flatMap((name) => timesRefused.map((text) => [`${list}?${name}=${text}`, name] as const)),
    [`${list}?from=1700000001000&to=1700000000999`, "from"] as const,
    [`${list}?from=1&from=1`, "from"] as const,
    ...kinds.flatMap((kind) => [
      ...flagsRefused.map((text) => [`${list}?${kind}=${text}`, kind] as const),
      [`${list}?${kind}=true&${kind}=true`, kind] as const
    ]),
    [`${list}?orderBy=totalValueLockedUSD`, "orderBy"] as const,
    [`${list}?orderBy=recipient&swap=false`, "orderBy"] as const,
    [`${list}?orderBy=sqrtPriceX96&swap=false`, "orderBy"] as const,
    [`${list}?orderBy=amount&mint=false&burn=false`, "orderBy"] as const,
    [`${list}?orderBy=owner&mint=false&burn=false`, "orderBy"] as const,
    [`${list}?orderBy=sender&swap=false&mint=false`, "orderBy"] as const,
    [`${list}?orderBy=id&swap=false&mint=false&burn=false`, "orderBy"] as const,
    [`${list}?logo=true`, "logo"] as const,
    [`${list}?tokenId=${token}`, "tokenId"] as const
  ]),
  ...["base", "quote"].flatMap((name) => [
    ...flagsRefused.map((text) => [`${tokenTrades}?${name}=${text}`, name] as const),
    [`${poolTrades}?${name}=true`, name] as const
  ]),
  [`${tokenTrades}?orderBy=id&base=false&quote=false`, "orderBy"],
  ...flagsRefused.map((text) => [`${dex}/tokens?logo=${text}`, "logo"] as const),
  [`${dex}/tokens?orderBy=logo`, "orderBy"],
  [`${dex}/tokens?orderBy=logo&logo=false`, "orderBy"],
  [`${dex}/tokens?orderBy=tick`, "orderBy"],
  [`${dex}/tokens?tokenSymbol=a&tokenSymbol=b`, "tokenSymbol"],
  [`${dex}/tokens?tokensymbol=a`, "tokensymbol"],
  [`${dex}/tokens?swap=true`, "swap"],
  [`${dex}/tokens?from=1`, "from"],
  [`${dex}/pools?orderBy=symbol`, "orderBy"],
  [`${dex}/pools?orderBy=token0.id`, "orderBy"],
  [`${dex}/pools?logo=true`, "logo"],
  [`${dex}/pools?mint=true`, "mint"],
  [`${dex}/pools?to=1`, "to"],
  [`${dex}?limit=1`, "limit"],
  [`${dex}?orderBy=id`, "orderBy"],
  [`${onePool}?limit=1`, "limit"],
  ["/v2/dex/uniswap-v3?block=1", "block"],
  ["/v2/dex//devnet/pools", "exchange"],
  ["/v2/dex/uniswap-v3//pools", "blockchain"],
  ...addressesRefused.flatMap((text) => [
    [`${dex}/pool/${text}`, "pool"] as const,
    [`${dex}/pool/${text}/trades`, "pool"] as const,
    [`${dex}/token/${text}/trades`, "token"] as const,
    [`${dex}/pools?pool=${text}`, "pool"] as const,
    [`${dex}/tokens?tokenId=${text}`, "tokenId"] as const
  ]),
  [`${dex}/pools?pool=`, "pool"],
  [`${dex}/tokens?tokenId=`, "tokenId"]
]

/** Well-formed names of nothing: the code, and the member with the name. */
const absentFromDex: ReadonlyArray<readonly [path: string, code: string, member: string, name: string]> = [
  ...[
    ["nope", "nope"],
    ["__proto__", "__proto__"],
    ["UNISWAP-V3", "UNISWAP-V3"],
    ["uniswap-v3%2Fdevnet", "uniswap-v3/devnet"],
    ["a%00b", "a\0b"],
    ["devnet", "devnet"]
  ].flatMap(([written = "", name = ""]) => [
    [`/v2/dex/${written}`, "exchange-not-found", "exchange", name] as const,
    [`/v2/dex/${written}/devnet`, "exchange-not-found", "exchange", name] as const,
    [`/v2/dex/${written}/nope/pools`, "exchange-not-found", "exchange", name] as const
  ]),
  ...["", "/tokens", "/pools", `/pool/${pool}`, `/pool/${pool}/trades`, `/token/${token}/trades`].flatMap((rest) => [
    [`/v2/dex/uniswap-v3/nope${rest}`, "blockchain-not-found", "blockchain", "nope"] as const,
    [`/v2/dex/uniswap-v3/DEVNET${rest}`, "blockchain-not-found", "blockchain", "DEVNET"] as const,
    [`/v2/dex/uniswap-v3/constructor${rest}`, "blockchain-not-found", "blockchain", "constructor"] as const,
    [`${dex}${rest}?block=${devnetHead + 1}`, "block-not-found", "block", String(devnetHead + 1)] as const,
    [`${dex}${rest}?block=9007199254740991`, "block-not-found", "block", "9007199254740991"] as const
  ]),
  [`${dex}/pool/${unknownPool}`, "pool-not-found", "pool", unknownPool],
  [`${dex}/pool/${unknownPool.toUpperCase().replace("0X", "0x")}`, "pool-not-found", "pool", unknownPool],
  [`${dex}/pool/${unknownPool}/trades`, "pool-not-found", "pool", unknownPool],
  [`${dex}/pool/${unknownPool}/ticks`, "pool-not-found", "pool", unknownPool],
  [`${dex}/token/${unknownPool}/trades`, "token-not-found", "token", unknownPool],
  [`${dex}/pool/${token}`, "pool-not-found", "pool", token],
  [`${dex}/token/${pool}/trades`, "token-not-found", "token", pool],
  // Before their creation, and before the deployment.
  [`${onePool}?block=0`, "pool-not-found", "pool", pool],
  [`${dex}/pool/${unknownPool}/aggregates/1h`, "pool-not-found", "pool", unknownPool],
  [`${candles}?block=0`, "pool-not-found", "pool", pool],
  [`${ticks}?block=0`, "pool-not-found", "pool", pool],
  [`${poolTrades}?block=0`, "pool-not-found", "pool", pool],
  [`${tokenTrades}?block=0`, "token-not-found", "token", token],
  [`${onePool}?block=1`, "pool-not-found", "pool", pool],
  [`${poolTrades}?block=1`, "pool-not-found", "pool", pool],
  [`${tokenTrades}?block=1`, "token-not-found", "token", token]
]

const noRouteOfDex = [
  "/v2/dex",
  `${dex}/swaps`,
  `${dex}/token/${token}`,
  `${dex}/pool`,
  `${dex}/tokens/${token}`,
  `${onePool}/swaps`,
  `${onePool}/trades/1`,
  `/v2/DEX/uniswap-v3`
]

const upperCase = (address: string) => `0x${address.slice(2).toUpperCase()}`

describe("bad input to decentralized exchanges", () => {
  layer(overDevnet, { excludeTestServices: true, timeout: "60 seconds" })((it) => {
    it.effect.each(refusedByDex)("%s is refused for %s", ([path, parameter]) =>
      Effect.gen(function* () {
        const { issues = [] } = assertProblem(yield* keyed(path), 400, "invalid-parameter")
        assert.deepStrictEqual(
          issues.map((issue) => issue.parameter),
          [parameter]
        )
        assert.isAbove(issues[0]?.message.length ?? 0, 10)
      })
    )

    it.effect.each(absentFromDex)("%s names nothing: %s", ([path, code, member, name]) =>
      Effect.gen(function* () {
        assert.strictEqual(assertProblem(yield* keyed(path), 404, code)[member], name)
      })
    )

    it.effect.each(noRouteOfDex)("there is nothing at %s", (path) =>
      Effect.gen(function* () {
        assert.strictEqual(assertProblem(yield* keyed(path), 404, "not-found")["path"], path)
      })
    )

    it.effect("a block beyond the head is a problem that names the head", () =>
      Effect.gen(function* () {
        for (const path of [dex, onePool, ...lists]) {
          const problem = assertProblem(yield* keyed(`${path}?block=${devnetHead + 1}`), 404, "block-not-found")
          assert.deepStrictEqual([problem["head"], problem["blockchain"]], [String(devnetHead), "devnet"])
          assert.strictEqual((yield* keyed(`${path}?block=${devnetHead}`)).status, 200)
        }
      })
    )

    it.effect("the bounds themselves are allowed", () =>
      Effect.gen(function* () {
        for (const path of [
          ...lists.flatMap((list) => [
            `${list}?limit=1`,
            `${list}?limit=1000`,
            `${list}?skip=9007199254740991`,
            `${list}?skip=9007199254740992`,
            `${list}?skip=${"9".repeat(400)}`,
            `${list}?orderBy=id&orderDirection=desc`,
            `${list}?block=${devnetHead}&limit=%31`
          ]),
          ...tradeLists.flatMap((list) => [
            `${list}?from=0&to=8640000000000000`,
            `${list}?from=1700000000000&to=1700000000000`,
            `${list}?orderBy=amount&mint=false`,
            `${list}?orderBy=pool&swap=false&mint=false`
          ]),
          `${dex}?block=1`,
          `${dex}/tokens?block=1`,
          `${dex}/tokens?orderBy=logo&logo=true`
        ]) {
          assert.strictEqual((yield* keyed(path)).status, 200, path)
        }
      })
    )

    it.effect("there is nothing before the deployment", () =>
      Effect.gen(function* () {
        for (const path of [dex, `${dex}/tokens`, `${dex}/pools`]) {
          const { body, headers, status } = yield* keyed(`${path}?block=0`)
          assert.deepStrictEqual([status, body], [200, "[]"], path)
          // Its hash is not known.
          assert.notProperty(headers, "chaintape-as-of")
        }
      })
    )

    it.effect("a problem has each sentence on one line", () =>
      Effect.gen(function* () {
        const written = "a%0A%1B%5B31m%7F%C2%85%E2%80%AEb"
        const escapes = "a\\u000a\\u001b[31m\\u007f\\u0085\\u202eb"
        const notFound = assertProblem(yield* keyed(`/v2/dex/${written}`), 404, "exchange-not-found")
        assert.include(notFound["detail"], `"${escapes}"`)
        assert.strictEqual(notFound["exchange"], "a\n\u001b[31m\u007f\u0085\u202eb")
        const invalid = assertProblem(yield* keyed(`${dex}/tokens?${written}=1`), 400, "invalid-parameter")
        const sentences = [invalid["detail"], ...(invalid.issues ?? []).map(({ message }) => message)]
        for (const sentence of sentences) assert.notMatch(String(sentence), /[\p{Cc}\u202e]/u)
      })
    )

    it.effect("an unknown field to sort by is answered with the fields there are", () =>
      Effect.gen(function* () {
        for (const [path, fields] of [
          [`${dex}/tokens`, DexOperations.tokens.query.orderBy.fields],
          [`${dex}/pools`, DexOperations.pools.query.orderBy.fields],
          [tokenTrades, DexOperations.poolTrades.query.orderBy.fields],
          [poolTrades, DexOperations.poolTrades.query.orderBy.fields]
        ] as const) {
          const { issues = [] } = assertProblem(yield* keyed(`${path}?orderBy=hash`), 400, "invalid-parameter")
          assert.include(issues[0]?.message, fields.join(", "))
        }
      })
    )

    it.effect("every mistake of the path and the query is reported at once", () =>
      Effect.gen(function* () {
        const wrong = "limit=0&skip=x&orderBy=nope&from=2&to=1&swap=1&block=-1&logo=true"
        const problem = assertProblem(yield* keyed(`${dex}/pool/0x/trades?${wrong}`), 400, "invalid-parameter")
        assert.sameMembers(
          (problem.issues ?? []).map(({ parameter }) => parameter),
          ["pool", "limit", "skip", "orderBy", "from", "swap", "block", "logo"]
        )
      })
    )

    it.effect("the order of checks is parameters, exchange, blockchain, block, token or pool", () =>
      Effect.gen(function* () {
        const late = `block=${devnetHead + 1}`
        assertProblem(yield* keyed("/v2/dex/nope/nope/pool/0x?block=x"), 400, "invalid-parameter")
        assertProblem(yield* keyed(`/v2/dex/nope/nope/pool/${unknownPool}?${late}`), 404, "exchange-not-found")
        assertProblem(yield* keyed(`/v2/dex/uniswap-v3/nope/pool/${unknownPool}?${late}`), 404, "blockchain-not-found")
        assertProblem(yield* keyed(`${dex}/pool/${unknownPool}?${late}`), 404, "block-not-found")
        assertProblem(yield* keyed(`${dex}/pool/${unknownPool}`), 404, "pool-not-found")
        assertProblem(yield* plain(`${dex}/pool/0x`), 401, "missing-api-key")
      })
    )

    it.effect("addresses are taken in any letter case, and answered in lower case", () =>
      Effect.gen(function* () {
        for (const [upper, lower] of [
          [`${dex}/pool/${upperCase(pool)}`, onePool],
          [`${dex}/pool/${upperCase(pool)}/trades`, poolTrades],
          [`${dex}/token/${upperCase(token)}/trades`, tokenTrades],
          [`${dex}/pools?pool=${upperCase(pool)}`, `${dex}/pools?pool=${pool}`],
          [`${dex}/tokens?tokenId=${upperCase(token)}`, `${dex}/tokens?tokenId=${token}`]
        ] as const) {
          const [one, other] = [yield* keyed(upper), yield* keyed(lower)]
          assert.strictEqual(one.status, 200, upper)
          assert.strictEqual(one.body, other.body, upper)
          assert.notMatch(one.body, /0x[0-9a-f]*[A-F]/)
        }
      })
    )

    it.effect("filters that match nothing answer with an empty list", () =>
      Effect.gen(function* () {
        for (const query of [
          `tokens?tokenId=${unknownPool}`,
          "tokens?tokenSymbol=",
          "tokens?tokenName=%25",
          `pools?pool=${unknownPool}`
        ])
          assert.deepStrictEqual(json(yield* keyed(`${dex}/${query}`)), [], query)
        assert.lengthOf(records(yield* keyed(`${dex}/tokens?tokenSymbol=weth&tokenId=${token}`)), 1)
        assert.deepStrictEqual(json(yield* keyed(`${dex}/tokens?tokenSymbol=usdc&tokenId=${token}`)), [])
      })
    )

    it.effect("disabled kinds of trades are absent, and all kinds can be disabled", () =>
      Effect.gen(function* () {
        const none = "swap=false&mint=false&burn=false"
        assert.deepStrictEqual(json(yield* keyed(`${poolTrades}?${none}`)), { pool })
        assert.deepStrictEqual(json(yield* keyed(`${tokenTrades}?${none}`)), { token })
        assert.deepStrictEqual(json(yield* keyed(`${tokenTrades}?base=false&quote=false`)), { token })
        const names = Effect.fnUntraced(function* (query: string) {
          return Object.keys(record(yield* keyed(`${tokenTrades}?${query}`))).toSorted()
        })
        assert.deepStrictEqual(yield* names("base=false&swap=false"), ["burnsAs1", "mintsAs1", "token"])
        assert.deepStrictEqual(yield* names("quote=false&mint=false"), ["burnsAs0", "swapsAs0", "token"])
      })
    )
  })
})
