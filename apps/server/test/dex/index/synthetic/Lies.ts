import { factory, transactionHash } from "./SyntheticChain.ts"
import type { SyntheticBlock } from "./SyntheticChain.ts"
import { makeHeader } from "./SyntheticHeader.ts"
import type { Call, Reply, SyntheticNode } from "./SyntheticNode.ts"

type Draw = (bound: number) => number
type Item = Readonly<Record<string, unknown>>
type Distort = (call: Call, reply: Reply) => Reply

/** The node that lies, and one of a branch that parts from its chain. */
export interface LyingWorld {
  readonly node: SyntheticNode
  readonly sibling: SyntheticNode
  /** The last block that both have. */
  readonly fork: number
  readonly seed: number
  readonly draw: Draw
}

export interface Lie {
  readonly name: string
  /**
   * How an index of this node alone may end, except with the truth: "never" where the evidence is right, "stopped" where
   * it is false, "unproven" where it claims an encoding that is not known.
   */
  readonly mayEnd: "never" | "stopped" | "unproven"
  readonly distort: Distort
}

const items = ({ result }: Reply): ReadonlyArray<Item> => (Array.isArray(result) ? result : [])
const hex = (number: number) => `0x${number.toString(16)}`

const hashOf = (seed: number, log: Item): number => {
  let sum = seed
  for (const letter of `${String(log["data"])}${String(log["topics"])}`) {
    sum = (Math.imul(sum, 31) + letter.charCodeAt(0)) >>> 0
  }
  return sum
}

const flip = (data: unknown, draw: Draw): string => {
  const text = String(data)
  if (text.length < 4) return `${text}00`
  const at = 2 + draw(text.length - 2)
  return `${text.slice(0, at)}${text[at] === "f" ? "e" : "f"}${text.slice(at + 1)}`
}

/** Ways to change a list of logs. The choice of logs follows from the seed and their contents, so that a lie is repeated. */
const ofLogs: Readonly<
  Record<string, (logs: ReadonlyArray<Item>, isChosen: (log: Item) => boolean, draw: Draw) => ReadonlyArray<Item>>
> = {
  "omits logs": (logs, isChosen) => logs.filter((log) => !isChosen(log)),
  "alters logs": (logs, isChosen, draw) =>
    logs.map((log) => (isChosen(log) ? { ...log, data: flip(log["data"], draw) } : log)),
  "repeats logs": (logs, isChosen) => logs.flatMap((log) => (isChosen(log) ? [log, log] : [log])),
  "reorders logs": (logs, isChosen) => {
    const chosen = logs.filter(isChosen)
    const indices = chosen.map(({ logIndex }) => logIndex).toReversed()
    let next = 0
    return logs.map((log) => (isChosen(log) ? { ...log, logIndex: indices[next++] } : log))
  },
  "empties logs": () => [],
  "moves logs to another pool": (logs, isChosen) => {
    const pools = [...new Set(logs.map(({ address }) => address))].filter((address) => address !== factory)
    const moved = (address: unknown) => pools[(pools.indexOf(address) + 1) % Math.max(1, pools.length)] ?? address
    return logs.map((log) => (isChosen(log) ? { ...log, address: moved(log["address"]) } : log))
  }
}

/** Applies a change of the list of a block's receipts, to single ones too. */
const receipts =
  (change: (all: ReadonlyArray<Item>) => unknown): Distort =>
  ({ method }, reply) => {
    if (method === "eth_getBlockReceipts") return { result: change(items(reply)) }
    if (method !== "eth_getTransactionReceipt") return reply
    const changed = change([Object(reply.result)])
    return { result: Array.isArray(changed) ? (changed[0] ?? null) : changed }
  }

const blocks =
  (change: (block: Item, call: Call) => unknown): Distort =>
  (call, reply) =>
    call.method === "eth_getBlockByNumber" && reply.result !== null
      ? { result: change(Object(reply.result), call) }
      : reply

const both =
  (one: Distort, other: Distort): Distort =>
  (call, reply) =>
    other(call, one(call, reply))

const withLogs = (change: (logs: ReadonlyArray<Item>) => ReadonlyArray<Item>) => (all: ReadonlyArray<Item>) =>
  all.map((receipt) => ({ ...receipt, logs: Array.isArray(receipt["logs"]) ? change(receipt["logs"]) : [] }))

const lieAboutLogs = (name: string, inReceipts: boolean, { draw, seed }: Pick<LyingWorld, "draw" | "seed">): Lie => {
  const oneIn = [1, 2, 5, 20][draw(4)] ?? 1
  const isChosen = (log: Item) => hashOf(seed, log) % oneIn === 0
  const lie = (logs: ReadonlyArray<Item>) => ofLogs[name]?.(logs, isChosen, draw) ?? logs
  const stated: Distort = (call, reply) => (call.method === "eth_getLogs" ? { result: lie(items(reply)) } : reply)
  return inReceipts
    ? { name: `${name}, in receipts too`, mayEnd: "stopped", distort: both(stated, receipts(withLogs(lie))) }
    : { name, mayEnd: "never", distort: stated }
}

/** The same call for a block that is some blocks away. */
const elsewhere = ({ node }: LyingWorld, call: Call, by: number): Reply => {
  const shift = (number: unknown) => hex(Math.max(0, Number(number) + by))
  if (call.method !== "eth_getLogs") return node.answer({ ...call, params: [shift(call.params[0]), false] })
  const { fromBlock, toBlock, ...rest } = Object(call.params[0])
  if (fromBlock === undefined) return node.answer(call)
  return node.answer({ ...call, params: [{ ...rest, fromBlock: shift(fromBlock), toBlock: shift(toBlock) }] })
}

const isNumbered = ({ params }: Call) => typeof params[0] === "string" && params[0].startsWith("0x")

/** The block without its last log, and a header that commits to that. */
const shortened = (block: SyntheticBlock): SyntheticBlock => {
  const logs = block.logs.slice(0, -1)
  const { number, parentHash, timestamp } = block
  const header = makeHeader({ number, parentHash, timestamp, seed: 0, logs })
  return { ...block, logs, header, hash: header.hash }
}

const withoutLast = (all: ReadonlyArray<Item>) => all.slice(0, -1)

type MakeLie = (world: LyingWorld) => Pick<Lie, "mayEnd" | "distort">

/** A header and receipts of one log less than the block has. */
const consistent =
  (change: (block: Item, forged: SyntheticBlock) => Item): MakeLie =>
  ({ node }) => ({
    mayEnd: "stopped",
    distort: both(
      blocks((block) => {
        const known = node.canonical[Number(block["number"])]
        // A head is what a node says that it is.
        return known === undefined || known.logs.length === 0 || known === node.head
          ? block
          : change(block, shortened(known))
      }),
      (call, reply) => (call.method === "eth_getBlockReceipts" ? { result: withoutLast(items(reply)) } : reply)
    )
  })

const further: Readonly<Record<string, MakeLie>> = {
  "answers the logs of another range": (world) => ({
    mayEnd: "never",
    distort: (call, reply) => (call.method === "eth_getLogs" ? elsewhere(world, call, 1 + world.draw(30)) : reply)
  }),
  "answers the logs of a part of the range": ({ draw, node }) => ({
    mayEnd: "never",
    distort: (call, reply) => {
      const { fromBlock, toBlock } = Object(call.params[0])
      if (call.method !== "eth_getLogs" || fromBlock === undefined) return reply
      const to = Number(fromBlock) + draw(Number(toBlock) - Number(fromBlock) + 1)
      return node.answer({ ...call, params: [{ ...Object(call.params[0]), toBlock: hex(to) }] })
    }
  }),
  "states the logs of another block": ({ node }) => ({
    mayEnd: "never",
    distort: (call, reply) => {
      if (call.method !== "eth_getLogs") return reply
      const moved = items(reply).map((log) => {
        const next = node.canonical[Number(log["blockNumber"]) - 1]
        return next === undefined ? log : { ...log, blockNumber: hex(next.number), blockHash: next.hash }
      })
      return { result: moved.filter((log) => Number(log["blockNumber"]) >= Number(Object(call.params[0]).fromBlock)) }
    }
  }),
  "answers the receipts of another block": (world) => ({
    mayEnd: "stopped",
    distort: (call, reply) => (call.method === "eth_getBlockReceipts" ? elsewhere(world, call, -1) : reply)
  }),
  "answers the receipts of another block under the hashes of this one": (world) => ({
    mayEnd: "stopped",
    distort: (call, reply) => {
      if (call.method !== "eth_getBlockReceipts") return reply
      const block = world.node.canonical[Number(call.params[0])]
      if (block === undefined) return reply
      const other = items(elsewhere(world, call, -1))
      return {
        result: other.map((receipt, index) => ({
          ...receipt,
          blockHash: block.hash,
          transactionHash: transactionHash(block, index)
        }))
      }
    }
  }),
  "reorders receipts": () => ({ mayEnd: "stopped", distort: receipts((all) => all.toReversed()) }),
  "swaps the positions that receipts state": () => ({
    mayEnd: "never",
    distort: receipts((all) =>
      all.map((receipt, index) => ({ ...receipt, transactionIndex: hex(all.length - index), logIndex: "0x0" }))
    )
  }),
  "swaps the transactions of receipts": () => ({
    mayEnd: "stopped",
    distort: receipts((all) =>
      all.map((receipt, index) => ({ ...receipt, transactionHash: all.at(-1 - index)?.["transactionHash"] }))
    )
  }),
  "answers null for receipts": () => ({ mayEnd: "stopped", distort: receipts(() => null) }),
  "answers no receipts": () => ({ mayEnd: "stopped", distort: receipts(() => []) }),
  "leaves out a receipt": () => ({ mayEnd: "stopped", distort: receipts(withoutLast) }),
  "alters receipts under a type that is not known": ({ draw }) => ({
    mayEnd: "unproven",
    distort: receipts((all) =>
      withLogs((logs) => logs.map((log) => ({ ...log, data: flip(log["data"], draw) })))(all).map((receipt) => ({
        ...receipt,
        type: "0x55"
      }))
    )
  }),
  "alters the logs of receipts and calls one a state sync": ({ draw }) => ({
    mayEnd: "stopped",
    distort: receipts((all) =>
      withLogs((logs) => logs.map((log) => ({ ...log, data: flip(log["data"], draw) })))(all).map((receipt) => ({
        ...receipt,
        type: "0x0",
        from: `0x${"0".repeat(40)}`,
        cumulativeGasUsed: "0x0"
      }))
    )
  }),
  "states another parent": ({ node }) => ({
    mayEnd: "unproven",
    distort: blocks((block) => ({ ...block, parentHash: node.canonical[0]?.hash }))
  }),
  "states another time": () => ({ mayEnd: "unproven", distort: blocks((block) => ({ ...block, timestamp: "0x1" })) }),
  "states a bloom without bits": () => ({
    mayEnd: "unproven",
    distort: blocks((block) => ({ ...block, logsBloom: `0x${"0".repeat(512)}` }))
  }),
  "states other transactions": () => ({
    mayEnd: "stopped",
    distort: blocks((block) => ({ ...block, transactions: [block["parentHash"], block["hash"]] }))
  }),
  "states no transactions": () => ({
    mayEnd: "stopped",
    distort: blocks((block) => ({ ...block, transactions: [] }))
  }),
  "answers a block of another number": (world) => ({
    mayEnd: "stopped",
    distort: (call, reply) =>
      call.method === "eth_getBlockByNumber" && isNumbered(call) ? elsewhere(world, call, 1) : reply
  }),
  "answers the header of a sibling": ({ fork, sibling }) => ({
    mayEnd: "stopped",
    distort: (call, reply) =>
      call.method === "eth_getBlockByNumber" && Number(call.params[0]) === fork + 1 ? sibling.answer(call) : reply
  }),
  "answers all of a sibling": ({ fork, sibling }) => ({
    mayEnd: "stopped",
    distort: (call, reply) => {
      const { fromBlock, toBlock } = Object(call.params[0])
      const number = Number(fromBlock ?? call.params[0])
      const isIn = number === fork + 1 && Number(toBlock ?? number) === number
      return isIn && call.method.startsWith("eth_get") ? sibling.answer(call) : reply
    }
  }),
  "states the roots of altered receipts": consistent((block, { header }) => ({
    ...block,
    receiptsRoot: header["receiptsRoot"],
    logsBloom: header["logsBloom"]
  })),
  "states the roots of altered receipts in an encoding that is not known": (world) => ({
    ...consistent((block, { header }) => ({
      ...block,
      receiptsRoot: header["receiptsRoot"],
      logsBloom: header["logsBloom"],
      shardRoot: block["hash"]
    }))(world),
    mayEnd: "unproven"
  }),
  "leaves out a field of the header, and alters receipts": (world) => ({
    ...consistent(({ mixHash: _, ...block }, { header }) => ({ ...block, receiptsRoot: header["receiptsRoot"] }))(
      world
    ),
    mayEnd: "unproven"
  }),
  "invents single blocks": consistent((block, { header }) => ({ ...block, ...header, parentHash: block["parentHash"] }))
}

/** When a node lies. The block is the newest one of the call. */
const occasions: Readonly<
  Record<string, (world: LyingWorld, restarted: () => boolean) => (call: Call, newest: number) => boolean>
> = {
  always: () => () => true,
  "near the head": ({ node }) => {
    const from = node.head.number - 12
    return (_, newest) => newest > from
  },
  "in history": ({ node }) => {
    const to = node.head.number - 12
    return (_, newest) => newest <= to
  },
  "after a restart": (_, restarted) => restarted,
  "in every second read": () => {
    const reads = new Map<string, number>()
    return ({ method, params }) => {
      const read = `${method} ${JSON.stringify(params)}`
      const count = (reads.get(read) ?? 0) + 1
      reads.set(read, count)
      return count % 2 === 1
    }
  },
  "in one of three calls": ({ seed }) => {
    let calls = seed
    return () => ++calls % 3 === 0
  }
}

const newestOf = ({ node }: LyingWorld, { params }: Call): number => {
  const [first] = params
  const { toBlock } = Object(first)
  if (toBlock !== undefined) return Number(toBlock)
  if (first === "latest") return node.head.number
  const isTransaction = typeof first === "string" && first.length === 66
  const found = isTransaction
    ? node.canonical.find((block) => block.logs.some((_, index) => transactionHash(block, index) === first))
    : undefined
  return found?.number ?? (typeof first === "string" ? Number(first) : node.head.number)
}

/** The lies about logs, in the answers of `eth_getLogs` only, or in receipts too. */
const toLogLies = (world: Pick<LyingWorld, "draw" | "seed">): ReadonlyArray<() => Lie> =>
  Object.keys(ofLogs).flatMap((name) => [() => lieAboutLogs(name, false, world), () => lieAboutLogs(name, true, world)])

/** A lie about logs of this seed, which a node of any chain can tell. */
export const makeLogLie = (seed: number, draw: Draw): Lie => {
  const world = { seed, draw }
  const all = toLogLies(world)
  return (all[seed % all.length] ?? (() => lieAboutLogs("omits logs", false, world)))()
}

/** A lie of this seed. `restarted` says whether the index runs for the second time. */
export const makeLie = (world: LyingWorld, restarted: () => boolean): Lie => {
  const { draw } = world
  const kinds = toLogLies(world)
  const others = Object.entries(further).map(([name, make]) => () => ({ name, ...make(world) }))
  const all: ReadonlyArray<() => Lie> = [...kinds, ...others]
  const lie = (all[draw(all.length)] ?? (() => lieAboutLogs("omits logs", false, world)))()
  const names = Object.keys(occasions)
  const occasion = names[draw(names.length)] ?? "always"
  const isTime = (occasions[occasion] ?? (() => () => true))(world, restarted)
  return {
    ...lie,
    name: `${lie.name} ${occasion}`,
    distort: (call, reply) => (isTime(call, newestOf(world, call)) ? lie.distort(call, reply) : reply)
  }
}
