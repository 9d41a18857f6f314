import { type Fault, SandboxExchange } from "@chaintape/sandbox"
import { assert, describe, it } from "@effect/vitest"
import { Clock, Effect, Fiber, Result, Stream } from "effect"
import type { CallLimits } from "../../../../src/cex/ccxt/calls/CallLimits.ts"
import * as CcxtSources from "../../../../src/cex/ccxt/CcxtSources.ts"
import type { ExchangeError, SourceTrade } from "../../../../src/cex/ExchangeSource.ts"
import { TradeFlow } from "../../../../src/cex/TradeFlow.ts"
import type { FlowBatch, SequenceFlow } from "../../../../src/cex/TradeFlow.ts"
import * as ExactDecimal from "../../../../src/internal/ExactDecimal.ts"
import { market } from "../Sandbox.ts"

const product = "BTC-USD"

const withFlow = <A, E>(
  test: (flow: SequenceFlow, sandbox: SandboxExchange["Service"]) => Effect.Effect<A, E>,
  options: {
    readonly limits?: Partial<CallLimits>
    readonly isPolled?: boolean
    readonly tradesPerSecond?: number
  } = {}
) =>
  Effect.gen(function* () {
    const sandbox = yield* SandboxExchange
    const { rest, websocket } = sandbox
    const entry = {
      id: "sandbox",
      driver: "coinbaseexchange",
      rest,
      ...(options.isPolled === true ? {} : { websocket })
    }
    const limits = { paceMs: 0, backoffMs: 2, resetTimeoutMs: 20, pollMs: 50, ...options.limits }
    return yield* Effect.gen(function* () {
      const { open } = yield* TradeFlow
      const flow = yield* open("sandbox", market)
      return flow.continuity === "sequence" ? yield* test(flow, sandbox) : assert.fail(flow.continuity)
    }).pipe(Effect.provide(CcxtSources.layer([entry], limits)))
  }).pipe(
    Effect.provide(SandboxExchange.layer({ rateLimit: "none", history: "5 minutes", tradesPerSecond: 400, ...options }))
  )

/** The trades that a recorder stores of a flow: every id once, with missing ones read by id. */
interface Recorded {
  readonly trades: Map<number, SourceTrade>
  readonly batches: Array<FlowBatch>
  readonly failures: Array<ExchangeError>
  conflicts: number
}

const take = (recorded: Recorded, batch: FlowBatch): void => {
  recorded.batches.push(batch)
  for (const trade of batch.trades) {
    const known = recorded.trades.get(Number(trade.id))
    if (known === undefined) recorded.trades.set(Number(trade.id), trade)
    else if (known.price !== trade.price) recorded.conflicts++
  }
}

const untilSo = <E>(look: Effect.Effect<boolean, E>) => Effect.repeat(Effect.delay(look, 10), { until: (isSo) => isSo })

/** Records until there are enough trades, reconnecting whenever the connection is lost. */
const record = Effect.fnUntraced(function* (
  flow: SequenceFlow,
  enough: (recorded: Recorded) => Effect.Effect<boolean>
) {
  const recorded: Recorded = { trades: new Map(), batches: [], failures: [], conflicts: 0 }
  const connection = Stream.runForEach(flow.live, (batch) => Effect.sync(() => take(recorded, batch))).pipe(
    Effect.catch((error) =>
      Effect.andThen(
        Effect.sync(() => recorded.failures.push(error)),
        Effect.sleep(5)
      )
    ),
    Effect.forever
  )
  yield* Effect.raceFirst(connection, untilSo(Effect.suspend(() => enough(recorded))))
  return recorded
})

const trades = (count: number) => (recorded: Recorded) => Effect.succeed(recorded.trades.size >= count)

const backfill = Effect.fnUntraced(function* (flow: SequenceFlow, { trades }: Recorded) {
  const ids = [...trades.keys()].sort((left, right) => left - right)
  let filled = 0
  for (const [index, id] of ids.entries()) {
    const before = ids[index - 1]
    if (before === undefined || before === id - 1) continue
    for (const trade of yield* flow.range(before + 1, id - 1)) {
      trades.set(Number(trade.id), trade)
      filled++
    }
  }
  return filled
})

/** Every trade from the first to the last is present, as in the exchange's journal. */
const assertWhole = (sandbox: SandboxExchange["Service"], { trades }: Recorded) =>
  Effect.gen(function* () {
    const ids = [...trades.keys()].sort((left, right) => left - right)
    const [first = 0] = ids
    assert.strictEqual(ids.at(-1), first + ids.length - 1)
    const journal = new Map((yield* sandbox.journal(product)).map((trade) => [trade.trade_id, trade]))
    for (const [id, trade] of trades) {
      const truth = journal.get(id)
      assert.deepStrictEqual(
        [trade.price, trade.size, trade.side, trade.timestamp],
        [
          ExactDecimal.canonical(truth?.price ?? ""),
          ExactDecimal.canonical(truth?.size ?? ""),
          truth?.side === "buy" ? "sell" : "buy",
          Date.parse(truth?.time ?? "")
        ]
      )
    }
  })

const endpoint = "stream"

const faults: ReadonlyArray<readonly [what: string, fault: ReadonlyArray<Fault>, isCut: boolean]> = [
  ["is closed again and again", [{ kind: "socket-drop", mode: "clean", rate: 0.01, endpoint }], true],
  ["is reset again and again", [{ kind: "socket-drop", mode: "reset", rate: 0.01, endpoint }], true],
  ["falls silent", [{ kind: "socket-drop", mode: "silence", rate: 0.01, count: 3, endpoint }], true],
  ["loses frames", [{ kind: "frame-loss", rate: 0.05, endpoint }], false],
  ["sends frames twice", [{ kind: "duplicate", content: "same", rate: 0.1, endpoint }], false],
  ["sends frames twice, differently", [{ kind: "duplicate", content: "different", rate: 0.1, endpoint }], false],
  ["sends frames out of order", [{ kind: "out-of-order", window: 20, rate: 0.2, endpoint }], false],
  ["sends frames late", [{ kind: "latency", milliseconds: 20, tailMilliseconds: 200, endpoint }], false],
  [
    "suffers from everything",
    [
      { kind: "socket-drop", mode: "clean", rate: 0.01, endpoint },
      { kind: "socket-drop", mode: "reset", rate: 0.01, endpoint },
      { kind: "socket-drop", mode: "silence", rate: 0.005, count: 2, endpoint },
      { kind: "frame-loss", rate: 0.03, endpoint },
      { kind: "duplicate", content: "same", rate: 0.05, endpoint },
      { kind: "out-of-order", window: 20, rate: 0.05, endpoint },
      { kind: "server-error", status: 503, rate: 0.1, endpoint: "trades" },
      { kind: "html-page", contentType: "json", rate: 0.02, endpoint: "trades" },
      { kind: "duplicate", content: "same", rate: 0.1, endpoint: "trades" },
      { kind: "out-of-order", window: 50, rate: 0.1, endpoint: "trades" }
    ],
    true
  ]
]

const handshakes: ReadonlyArray<readonly [what: string, fault: Fault, reason: ExchangeError["reason"]]> = [
  ["hangs", { kind: "hang", phase: "before-headers", endpoint }, "Timeout"],
  ["is answered by a web page", { kind: "html-page", contentType: "html", endpoint }, "BadResponse"],
  ["is refused for a limit", { kind: "rate-limited", retryAfter: "seconds", endpoint }, "Busy"],
  ["fails with 503", { kind: "server-error", status: 503, endpoint }, "Unavailable"]
]

describe("the flow of the sandbox exchange", { timeout: 60_000 }, () => {
  it.live("emits its trades as they happen, starting with the newest at the subscription", () =>
    withFlow((flow, sandbox) =>
      Effect.gen(function* () {
        assert.deepStrictEqual([flow.continuity, yield* flow.transport, flow.firstId], ["sequence", "websocket", 1])
        const begun = yield* Clock.currentTimeMillis
        const before = (yield* sandbox.journal(product)).at(-1)?.trade_id ?? 0
        const recorded = yield* record(flow, trades(300))
        yield* assertWhole(sandbox, recorded)
        // The newest one at the subscription, which is after this test began and before the first batch.
        const { receivedAt, trades: newest } = recorded.batches[0] ?? assert.fail("there is no batch")
        assert.lengthOf(newest, 1)
        assert.isAtLeast(Number(newest[0]?.id), before)
        assert.isAtMost(Number(newest[0]?.timestamp), receivedAt)
        assert.deepStrictEqual(
          recorded.batches.map(({ kind }) => kind),
          recorded.batches.map((_, index) => (index === 0 ? "page" : "live"))
        )
        const times = [begun, ...recorded.batches.map(({ receivedAt }) => receivedAt), yield* Clock.currentTimeMillis]
        assert.deepStrictEqual(
          times,
          times.toSorted((left, right) => left - right)
        )
        assert.deepStrictEqual(recorded.failures, [])
      })
    )
  )

  it.live("reads any range of existing ids, and no others", () =>
    withFlow((flow, sandbox) =>
      Effect.gen(function* () {
        const ids = (found: ReadonlyArray<SourceTrade>) => found.map(({ id }) => Number(id))
        assert.deepStrictEqual(ids(yield* flow.range(7, 7)), [7])
        assert.deepStrictEqual(ids(yield* flow.range(-3, 2)), [1, 2])
        assert.deepStrictEqual(ids(yield* flow.range(9, 8)), [])
        const last = (yield* sandbox.journal(product)).at(-1)?.trade_id ?? 0
        const found = ids(yield* flow.range(1, last))
        assert.deepStrictEqual([found.length, found[0], found.at(-1)], [last, 1, last])
        assert.deepStrictEqual(yield* flow.range(last + 1_000_000, last + 1_000_009), [])
      })
    )
  )

  it.live("polls pages if the exchange has no stream", () =>
    withFlow(
      (flow, sandbox) =>
        Effect.gen(function* () {
          assert.deepStrictEqual([flow.continuity, yield* flow.transport], ["sequence", "polling"])
          yield* sandbox.faults.set({
            faults: [
              { kind: "server-error", status: 503, rate: 0.2, endpoint: "trades" },
              { kind: "stale-page", seconds: 1, rate: 0.2, endpoint: "trades" }
            ]
          })
          const recorded = yield* record(flow, ({ batches }) => Effect.succeed(batches.length > 5))
          assert.isTrue(recorded.batches.every(({ kind }) => kind === "page"))
          yield* assertWhole(sandbox, recorded)
        }),
      { isPolled: true }
    )
  )

  it.live.each(faults)(
    "equals the journal if the stream %s",
    ([, fault, isCut]) => {
      const isContradicted = JSON.stringify(fault).includes("different")
      return withFlow(
        (flow, sandbox) =>
          Effect.gen(function* () {
            yield* sandbox.faults.set({ seed: 3, faults: fault })
            const recorded = yield* record(flow, ({ conflicts, failures, trades }) =>
              Effect.map(
                sandbox.faults.get,
                (state) =>
                  trades.size > 500 &&
                  state.faults.every(({ endpoint: where, hits }) => where !== endpoint || hits > 0) &&
                  failures.length > 0 === isCut &&
                  (conflicts > 0 || !isContradicted)
              )
            )
            assert.strictEqual(recorded.failures.length > 0, isCut)
            for (const { reason } of recorded.failures) assert.include(["Unavailable", "Timeout"], reason)
            yield* sandbox.faults.reset
            yield* backfill(flow, recorded)
            yield* assertWhole(sandbox, recorded)
            if (fault.some(({ kind }) => kind === "duplicate") && fault.length === 1) {
              assert.strictEqual(recorded.conflicts > 0, isContradicted)
            }
          }),
        { tradesPerSecond: 1000, ...(isCut ? { limits: { staleMs: 400 } } : {}) }
      )
    },
    60_000
  )

  it.live.each(handshakes)("fails where the handshake %s", ([, fault, reason]) =>
    withFlow(
      (flow, sandbox) =>
        Effect.gen(function* () {
          yield* sandbox.faults.set({ faults: [fault] })
          const result = yield* Effect.result(Stream.runDrain(flow.live))
          assert.strictEqual(Result.isFailure(result) ? result.failure.reason : "success", reason)
          if (Result.isFailure(result)) assert.notMatch(result.failure.message, /127\.0\.0\.1|ccxt/)
          yield* sandbox.faults.reset
          yield* record(flow, trades(1))
        }),
      reason === "Timeout" ? { limits: { connectMs: 300 } } : {}
    )
  )

  it.live(
    "leaves nothing behind after 50 connections",
    () =>
      withFlow((flow, sandbox) =>
        Effect.gen(function* () {
          const isStill = (resource: string) => ["Timeout", "TCPSocketWrap", "TCPWRAP"].includes(resource)
          const open = Effect.sync(() => process.getActiveResourcesInfo().filter(isStill).length)
          const one = Stream.runDrain(Stream.take(flow.live, 2))
          const isLeft = Effect.map(sandbox.counters, ({ openConnections }) => openConnections === 0)
          yield* one
          yield* untilSo(isLeft)
          const before = yield* open
          yield* Effect.repeat(one, { times: 24 })
          for (let cut = 0; cut < 25; cut++) {
            yield* sandbox.faults.set({
              faults: [{ kind: "socket-drop", mode: "silence", endpoint, rate: 0.3 }]
            })
            const silent = yield* Effect.forkChild(Stream.runDrain(flow.live))
            yield* untilSo(Effect.map(sandbox.faults.get, ({ faults: [drop] }) => (drop?.hits ?? 0) > 0))
            yield* Fiber.interrupt(silent)
          }
          yield* sandbox.faults.reset
          yield* untilSo(isLeft)
          yield* untilSo(Effect.map(open, (count) => count <= before + 2))
          assert.isAtLeast((yield* sandbox.counters).connections, 50)
        })
      ),
    60_000
  )
})
