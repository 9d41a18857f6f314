import { Effect, Layer, Option } from "effect"
import type {
  BlockProof,
  IndexedBlock,
  IndexedState,
  IndexedTick,
  IndexedTrade
} from "../../../../src/dex/index/IndexedBlock.ts"
import { EntityStore } from "../../../../src/dex/index/store/EntityStore.ts"
import type { Checkpoint } from "../../../../src/dex/index/store/EntityStore.ts"

/** The values of one entity, ascending by the block from which they are valid. */
type Versions<Row> = Array<{ readonly from: number; readonly row: Row }>

type Rows = {
  readonly deployment: Map<string, Versions<NonNullable<IndexedBlock["deployment"]>>>
  readonly token: Map<string, Versions<IndexedBlock["tokens"][number]>>
  readonly pool: Map<string, Versions<IndexedBlock["pools"][number]>>
}

const add = <Row extends { readonly id: string }>(kind: Map<string, Versions<Row>>, from: number, row: Row) => {
  const versions = kind.get(row.id) ?? []
  kind.set(row.id, [...versions.filter((version) => version.from !== from), { from, row }])
}

const cut = <Row>(kind: Map<string, Versions<Row>>, last: number) => {
  for (const [id, versions] of kind) {
    const left = versions.filter(({ from }) => from <= last)
    if (left.length === 0) kind.delete(id)
    else kind.set(id, left)
  }
}

const newest = <Row>(kind: Map<string, Versions<Row>>, block: number): ReadonlyArray<Row> =>
  [...kind.values()].flatMap((versions) => versions.findLast(({ from }) => from <= block)?.row ?? [])

/** The positions at each tick, by the simplest algorithm. */
export const getTicks = (trades: ReadonlyArray<IndexedTrade>): ReadonlyArray<IndexedTick> => {
  const ticks = new Map<string, IndexedTick>()
  const change = (pool: string, tick: number, gross: bigint, net: bigint) => {
    const before = ticks.get(`${pool} ${tick}`)
    ticks.set(`${pool} ${tick}`, {
      pool,
      tick,
      gross: String(BigInt(before?.gross ?? 0) + gross),
      net: String(BigInt(before?.net ?? 0) + net)
    })
  }
  for (const trade of trades) {
    if (trade.kind === "swap" || trade.tickLower === null || trade.tickUpper === null) continue
    if (trade.tickLower === trade.tickUpper) continue
    const amount = BigInt(trade.row.amount) * (trade.kind === "mint" ? 1n : -1n)
    change(trade.row.pool, trade.tickLower, amount, amount)
    change(trade.row.pool, trade.tickUpper, amount, -amount)
  }
  return [...ticks.values()]
    .filter(({ gross }) => gross !== "0")
    .toSorted((a, b) => (a.pool === b.pool ? a.tick - b.tick : a.pool < b.pool ? -1 : 1))
}

/** The rows of one deployment. */
export class MemoryIndex {
  readonly rows: Rows = { deployment: new Map(), token: new Map(), pool: new Map() }
  trades: Array<{ readonly block: number; readonly trade: IndexedTrade }> = []
  hashes: Array<Checkpoint> = []
  checkpoint: Checkpoint | undefined
  finalized = -1
  proven: Checkpoint | undefined
  rewindCount = 0
  proofs: Array<Checkpoint & { readonly proof: BlockProof }> = []

  append(blocks: ReadonlyArray<IndexedBlock>, finalized: number) {
    const before = this.checkpoint
    const last = blocks.at(-1)
    if (
      this.proven?.number === before?.number &&
      last !== undefined &&
      blocks.every(({ proof }) => proof === "chain")
    ) {
      this.proven = { number: last.number, hash: last.hash }
    }
    this.proofs.push(...blocks.map(({ hash, number, proof }) => ({ number, hash, proof })))
    for (const block of blocks) {
      if (block.number <= (this.checkpoint?.number ?? -1)) throw new Error(`block ${block.number} is appended twice`)
      if (block.deployment !== undefined) add(this.rows.deployment, block.number, block.deployment)
      for (const row of block.tokens) add(this.rows.token, block.number, row)
      for (const row of block.pools) add(this.rows.pool, block.number, row)
      this.trades.push(...block.trades.map((trade) => ({ block: block.number, trade })))
      this.checkpoint = { number: block.number, hash: block.hash }
      this.hashes.push(this.checkpoint)
    }
    const newest = this.checkpoint?.number ?? 0
    this.finalized = Math.max(this.finalized, finalized)
    this.hashes = this.hashes.filter(({ number }) => number >= finalized || number === newest)
  }

  rewind(number: number, blocks: ReadonlyArray<IndexedBlock>, finalized: number) {
    this.proofs = this.proofs.filter((block) => block.number <= number)
    cut(this.rows.deployment, number)
    cut(this.rows.token, number)
    cut(this.rows.pool, number)
    this.trades = this.trades.filter(({ block }) => block <= number)
    this.hashes = this.hashes.filter((kept) => kept.number <= number)
    const ancestor = this.hashes.at(-1)
    const isBeforeAll = ancestor === undefined && blocks.length > 0
    if (ancestor === undefined && !isBeforeAll) throw new Error(`the hash of block ${number} was not kept`)
    this.rewindCount += 1
    if ((this.proven?.number ?? -1) > number) this.proven = ancestor
    this.checkpoint = ancestor
    if (this.finalized > number) this.finalized = finalized
    this.append(blocks, finalized)
  }

  get state(): IndexedState {
    return this.stateAt(Number.MAX_SAFE_INTEGER)
  }

  stateAt(block: number): IndexedState {
    const pools = newest(this.rows.pool, block).toSorted(
      (a, b) =>
        Number(a.createdAtBlockNumber) - Number(b.createdAtBlockNumber) || a.createdAtLogIndex - b.createdAtLogIndex
    )
    return {
      deployment: newest(this.rows.deployment, block)[0],
      tokens: newest(this.rows.token, block),
      pools,
      ticks: getTicks(this.trades.filter((kept) => kept.block <= block).map(({ trade }) => trade))
    }
  }

  /**
   * The whole readable state, independent of how it was written. The block from which on a pool is read from its
   * contract depends on that, and is not readable.
   */
  get contents() {
    const sorted = <Row>(kind: Map<string, Versions<Row>>) =>
      [...kind].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([id, versions]) => ({ id, versions }))
    return {
      checkpoint: this.checkpoint,
      deployment: sorted(this.rows.deployment),
      tokens: sorted(this.rows.token),
      pools: sorted(this.rows.pool).map(({ id, versions }) => ({
        id,
        versions: versions.map(({ from, row: { simulation: _, ...row } }) => ({ from, row }))
      })),
      trades: this.trades
    }
  }
}

export interface MemoryEntityStore {
  readonly index: (deployment: string) => MemoryIndex
  readonly layer: Layer.Layer<EntityStore>
  readonly service: EntityStore["Service"]
}

/** A store that outlives its layers, as a database outlives a process. */
export const makeMemoryEntityStore = (): MemoryEntityStore => {
  const indexes = new Map<string, MemoryIndex>()
  const index = (deployment: string) => {
    const found = indexes.get(deployment) ?? new MemoryIndex()
    indexes.set(deployment, found)
    return found
  }
  const service = EntityStore.of({
    checkpoint: (deployment) =>
      Effect.sync(() => {
        const { checkpoint, finalized } = index(deployment)
        return checkpoint === undefined ? Option.none() : Option.some({ ...checkpoint, finalized })
      }),
    state: (deployment, block) => Effect.sync(() => index(deployment).stateAt(block)),
    append: (deployment, blocks, finalized) => Effect.sync(() => index(deployment).append(blocks, finalized)),
    rewind: (deployment, number, blocks, finalized) =>
      Effect.sync(() => index(deployment).rewind(number, blocks, finalized)),
    proof: (deployment, limit) =>
      Effect.sync(() => {
        const { proofs, proven, rewindCount } = index(deployment)
        const next = proofs.filter(({ number }) => number > (proven?.number ?? -1)).slice(0, limit)
        return Option.some({ proven, rewindCount, next })
      }),
    prove: (deployment, block, rewindCount) =>
      Effect.sync(() => {
        const known = index(deployment)
        if (known.rewindCount === rewindCount) known.proven = block
      }),
    hashes: (deployment, from, to) =>
      Effect.sync(() => index(deployment).hashes.filter(({ number }) => number >= from && number <= to))
  })
  return { index, service, layer: Layer.succeed(EntityStore, service) }
}
