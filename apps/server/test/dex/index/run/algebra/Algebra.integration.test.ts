import { assert, describe, layer } from "@effect/vitest"
import { Effect, SubscriptionRef } from "effect"
import { Decimal34 } from "../../../../../src/dex/index/accounting/Decimal34.ts"
import type { IndexConfig } from "../../../../../src/dex/index/IndexConfig.ts"
import { makeIndexer } from "../../../../../src/dex/index/run/Indexer.ts"
import { protocolNames } from "../../../../../src/dex/ProtocolIds.ts"
import { withLease } from "../../../../ownership/TestLease.ts"
import { readNamedLogs, readTicks, readWords } from "../../../ChainTruth.ts"
import { assertSums, sumOf } from "../../RecordSums.ts"
import { makeMemoryEntityStore } from "../../store/MemoryEntityStore.ts"
import { followToHead } from "../../synthetic/SyntheticIndex.ts"
import { algebraNames, emptyLedger, post } from "./AlgebraLedger.ts"
import type { AlgebraEventName } from "./AlgebraLedger.ts"
import { isTopicOf, ofRow, readPool, readReserves, toRaw } from "./AlgebraPools.ts"
import type { AlgebraRelease } from "./AlgebraWorld.ts"
import { AlgebraWorld, donate, flash, least, poke, protocolIds } from "./AlgebraWorld.ts"

const absolute = (value: bigint) => (value < 0n ? -value : value)

const sides = [0, 1] as const
const shared: ReadonlyArray<AlgebraEventName> = [
  "Initialize",
  "Mint",
  "Burn",
  "Collect",
  "Swap",
  "Flash",
  "Fee",
  "CommunityFee"
]
const ofRelease: Readonly<Record<AlgebraRelease, ReadonlyArray<AlgebraEventName>>> = {
  "1.0": [],
  "2.0": [],
  integral: ["SwapFee", "BurnFee", "ExcessTokens"],
  "integral-1.2.2": ["ExcessTokens"]
}

for (const release of ["1.0", "2.0", "integral", "integral-1.2.2"] as const) {
  const isIntegral = release !== "1.0" && release !== "2.0"
  const first = isIntegral ? { fee: 0n, communityFee: 0n } : { fee: 100n, communityFee: release === "2.0" ? 150n : 0n }

  describe(`an index of Algebra ${release}, after ${least} events and reorgs`, () => {
    layer(AlgebraWorld.layer(release), { excludeTestServices: true, timeout: "10 minutes" })((it) => {
      it.effect("has seen every kind of event, and every pool", () =>
        Effect.gen(function* () {
          const { algebra, devnet, events, index, reorgs } = yield* AlgebraWorld
          for (const name of [...shared, ...ofRelease[release]])
            assert.isTrue(
              events.some((event) => event.name === name),
              name
            )
          assert.isAbove(reorgs, 1)
          assert.strictEqual(index.rewindCount, reorgs)
          assert.isAtMost((yield* devnet.chain.stats).failed, 2)
          assert.sameMembers(
            [...index.rows.pool.keys()],
            algebra.pools.map(({ address }) => address)
          )
          const orders = events.filter(({ name, topics }) => name === "Mint" && topics[2] === topics[3])
          assert.strictEqual(orders.length > 0, release === "2.0")
        })
      )

      it.effect(
        "holds after every block the price, liquidity, fee, fee growth and reserves that the contracts state, and the supply of tokens",
        () =>
          Effect.gen(function* () {
            const world = yield* AlgebraWorld
            const { algebra, config, devnet, head, index } = world
            let [compared, withoutExcess] = [0, 0]
            const fees = new Set<string>()
            for (const pool of algebra.pools) {
              const versions = index.rows.pool.get(pool.address) ?? []
              for (let block = versions[0]?.from ?? 1; block <= head; block++) {
                const row = versions.findLast(({ from }) => from <= block)?.row
                const { excess, stated } = yield* readPool(world, block, pool)
                assert.deepStrictEqual(row && ofRow(row, pool), stated, `pool ${pool.address} in block ${block}`)
                assert.isTrue(excess[0] >= 0n && excess[1] >= 0n)
                if (excess[0] + excess[1] === 0n) withoutExcess += 1
                fees.add(row?.feeTier ?? "")
                compared += 1
              }
            }
            assert.isAbove(compared, 4 * (head - 14))
            assert.isTrue(withoutExcess > 0 && withoutExcess < compared)
            assert.isAbove(fees.size, 2)
            for (const [token, [first]] of index.rows.token) {
              const [supply = []] = yield* readWords(devnet.rpc, first?.from ?? 0, [{ to: token, name: "totalSupply" }])
              assert.strictEqual(first?.row.supply, String(supply[0]))
            }
            const [owner = []] = yield* readWords(devnet.rpc, head, [{ to: config.factory, name: "owner" }])
            assert.strictEqual(BigInt(index.state.deployment?.owner ?? 0), owner[0])
          }),
        600_000
      )

      it.effect("values the fee that each swap paid: the parts of the community and of plugins follow from it", () =>
        Effect.gen(function* () {
          const { algebra, devnet, events, head, index, transfers } = yield* AlgebraWorld
          const swaps = index.trades.flatMap(({ trade }) => (trade.kind === "swap" ? [trade.row] : []))
          for (const pool of algebra.pools) {
            const ledger = emptyLedger(first.fee, first.communityFee)
            for (const event of events) if (event.address === pool.address) post(ledger, event)
            const own = swaps.filter((row) => row.pool === pool.address)
            assert.strictEqual(ledger.fees.size, own.length)
            const fees = own.map(({ amountUSD, id }) =>
              Decimal34.parse(amountUSD)
                .times(Decimal34.make(ledger.fees.get(id) ?? -1n))
                .over(Decimal34.make(1_000_000n))
                .toText()
            )
            assert.strictEqual(index.rows.pool.get(pool.address)?.at(-1)?.row.feesUSD, sumOf(fees))
            // Algebra 1.0 pays with each swap.
            const names = [
              ...(release === "1.0" ? [] : ["getCommunityFeePending"]),
              ...(isIntegral ? ["getPluginFeePending"] : [])
            ]
            const [community = [], plugin = []] = yield* readWords(
              devnet.rpc,
              head,
              names.map((name) => ({ to: pool.address, name }))
            )
            for (const side of sides) {
              const token = side === 0 ? pool.token0 : pool.token1
              const paidTo = (recipient: string) =>
                transfers
                  .filter(
                    ({ address, topics }) =>
                      address === token.address && isTopicOf(topics[1], pool.address) && isTopicOf(topics[2], recipient)
                  )
                  .reduce((sum, { words }) => sum + (words[0] ?? 0n), 0n)
              // Each step of a swap rounds.
              const tolerance = BigInt(20 * own.length)
              const received = paidTo(algebra.vault) + (community[side] ?? 0n)
              const expected = ledger.toCommunity[side] / 1_000_000_000n
              const what = `token ${side} of pool ${pool.address}: ${received} instead of ${expected}`
              assert.isTrue(received > 0n && received <= expected + tolerance, what)
              // What fills an order of Algebra 2.0 pays half of the fee. The last pool has none.
              const hasOrders = release === "2.0" && pool !== algebra.pools.at(-1)
              assert.isTrue(received >= (hasOrders ? expected / 2n : expected) - tolerance, what)
              if (algebra.integral === undefined) continue
              const ofPlugin = paidTo(algebra.integral.plugin) + (plugin[side] ?? 0n)
              const difference = absolute(ofPlugin - ledger.toPlugin[side] / 1_000_000_000n)
              assert.isTrue(difference <= tolerance, `plugin, token ${side} of pool ${pool.address}: ${difference}`)
              const isPlugged = pool === algebra.pools[0] || pool === algebra.pools.at(-1)
              assert.strictEqual(ofPlugin > 0n, isPlugged)
            }
          }
        })
      )

      it.effect("has the mints, burns and swaps of the receipts, and the ticks of the contracts", () =>
        Effect.gen(function* () {
          const { algebra, devnet, events, head, index } = yield* AlgebraWorld
          const decimalsOf = new Map<string, readonly [number, number]>(
            algebra.pools.map(({ address, token0, token1 }) => [address, [token0.decimals, token1.decimals] as const])
          )
          const at = { Swap: 0, Mint: 2, Burn: 1 } as const
          assert.deepStrictEqual(
            index.trades.map(({ trade: { kind, row } }) => {
              const [decimals0 = 0, decimals1 = 0] = decimalsOf.get(row.pool) ?? []
              return [kind, row.pool, row.id, toRaw(row.amount0, decimals0), toRaw(row.amount1, decimals1)]
            }),
            events.flatMap(({ address, id, name, words }) =>
              name === "Swap" || name === "Mint" || name === "Burn"
                ? [
                    [
                      name.toLowerCase(),
                      address,
                      id,
                      ...sides.map((side) => BigInt.asIntN(256, words[at[name] + side] ?? 0n))
                    ]
                  ]
                : []
            )
          )
          for (const { address } of algebra.pools) {
            assert.deepStrictEqual(
              index.state.ticks
                .filter(({ pool }) => pool === address)
                .map(({ gross, net, tick }) => ({ tick: String(tick), liquidityGross: gross, liquidityNet: net })),
              yield* readTicks(devnet.rpc, head, address, events)
            )
          }
        })
      )

      it.effect("has totals that are the sum of its records", () =>
        Effect.gen(function* () {
          const { events, index } = yield* AlgebraWorld
          assertSums(index, events)
        })
      )

      it.effect("is the same as one that never saw the other branches", () =>
        Effect.gen(function* () {
          const { config, index } = yield* AlgebraWorld
          const fresh = makeMemoryEntityStore()
          yield* followToHead(yield* makeIndexer(config).pipe(Effect.provide(fresh.layer)))
          assert.deepStrictEqual(fresh.index(config.key).contents, index.contents)
        })
      )

      it.effect("shows a donation with the call that distributes it, if that leaves an event", () =>
        Effect.gen(function* () {
          const { algebra, config, devnet } = yield* AlgebraWorld
          const [first] = algebra.pools
          const store = makeMemoryEntityStore()
          const indexer = yield* makeIndexer(config).pipe(Effect.provide(store.layer))
          const compare = Effect.fnUntraced(function* () {
            yield* followToHead(indexer)
            const { head = 0 } = yield* SubscriptionRef.get(indexer.status)
            const events = yield* readNamedLogs(devnet.rpc, [first.address], algebraNames)
            // Without the transfers of donations, the reserves of Algebra 1.0 are its balances.
            const { reserves } = yield* readReserves({ algebra, devnet, events, transfers: [] }, head, first)
            const pool = store.index(config.key).state.pools.find(({ id }) => id === first.address)
            return { held: reserves[0], stated: toRaw(pool?.totalValueLockedToken0 ?? "", first.token0.decimals) }
          })
          const isLate = release === "2.0"
          yield* devnet.chain.run([donate(algebra, 1_000_000n), poke(algebra)])
          const before = yield* compare()
          yield* devnet.chain.run([donate(algebra, 1_000_000n), poke(algebra)])
          const after = yield* compare()
          assert.strictEqual(after.held - before.held, 1_000_000n)
          assert.strictEqual(after.stated, isLate ? before.stated : after.held)
          yield* devnet.chain.run([donate(algebra, 5n)])
          assert.strictEqual((yield* compare()).stated, after.stated)
          yield* devnet.chain.run([flash(algebra)])
          const last = yield* compare()
          assert.strictEqual(last.stated, last.held)
        })
      )

      it.effect("is refused by name if its factory speaks another protocol than the configured one", () =>
        Effect.gen(function* () {
          const { config, devnet } = yield* AlgebraWorld
          const failureOf = Effect.fnUntraced(function* (wrong: IndexConfig) {
            const indexer = yield* makeIndexer(wrong).pipe(Effect.provide(makeMemoryEntityStore().layer))
            return (yield* Effect.flip(indexer.step).pipe(withLease)).message
          })
          const right = protocolIds[release]
          const others = ["uniswap-v3", "algebra-1", "algebra-2", "algebra-integral"] as const
          for (const other of others.filter((id) => id !== right)) {
            assert.strictEqual(
              yield* failureOf({ ...config, protocol: other }),
              `The factory ${config.factory} on "devnet" is one of ${protocolNames[right]}, whose events have another ` +
                `shape than those of ${protocolNames[other]}: "${config.key}" cannot be indexed. Write "protocol": ` +
                `"${right}" in its entry under dexes, or give the factory of a ${protocolNames[other]} deployment.`
            )
          }
          assert.match(
            yield* failureOf({ ...config, ...devnet.config }),
            /is one of Uniswap V3, .* Write "protocol": "uniswap-v3" in its entry/
          )
        })
      )
    })
  })
}
