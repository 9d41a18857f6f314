import { assert } from "@effect/vitest"
import { Schema } from "effect"
import type { Start } from "../../src/live/LiveFeed.ts"
import type { TestReader } from "./TestReader.ts"
import { dataOf } from "./TestReader.ts"

/** An event on a chain, with its block. */
export interface ReceivedEvent {
  readonly number: number
  readonly key: string
}

/** The state of one reader of a chain, through all its connections. */
export interface ChainKnowledge {
  cursor: Start
  reader: TestReader | undefined
  /** Everything above this block was promised. */
  low: number
  received: ReadonlyArray<ReceivedEvent>
  reorgs: number
  /** Events that arrived with the first one. */
  unread: ReturnType<TestReader["take"]>
}

const decodeReorg = dataOf(
  Schema.Struct({ from: Schema.Int, commonAncestor: Schema.Struct({ number: Schema.Int, hash: Schema.String }) })
)

/** The block of a cursor. */
const getNumber = (id: string) => Number(id.slice(0, id.indexOf("-")))

/**
 * Reads what has arrived; a reader that is then disconnected reads only the first `most` events. `getKey` identifies an
 * event.
 */
export const readChain = (
  knowledge: ChainKnowledge,
  getKey: (id: string, data: string) => string,
  about: string,
  max = Number.POSITIVE_INFINITY
): void => {
  const events = [...knowledge.unread, ...(knowledge.reader?.take() ?? [])].slice(0, max)
  knowledge.unread = []
  for (const { data, id, name } of events) {
    if (id !== undefined) knowledge.cursor = { after: id }
    if (name === "reorg") {
      const { commonAncestor, from } = decodeReorg(data)
      assert.strictEqual(commonAncestor.number, from - 1)
      knowledge.received = knowledge.received.filter(({ number }) => number < from)
      knowledge.low = Math.min(knowledge.low, from - 1)
      knowledge.reorgs++
    } else if (name === "swap" || name === "block") {
      const one = { number: getNumber(id ?? ""), key: getKey(id ?? "", data) }
      assert.isFalse(
        knowledge.received.some(({ key }) => key === one.key),
        `${about}: ${one.key} came twice`
      )
      assert.isAtMost(knowledge.received.at(-1)?.number ?? 0, one.number, `${about}: ${one.key} came too late`)
      knowledge.received = [...knowledge.received, one]
    } else {
      assert.include(["open", "end"], name)
      if (name === "end") knowledge.reader = undefined
    }
  }
}

/** A reader that has just been opened, at the block in its first event. */
export const newKnowledge = (reader: TestReader): ChainKnowledge | undefined => {
  const [open, ...unread] = reader.take()
  return open?.id === undefined
    ? undefined
    : { reader, cursor: { after: open.id }, low: getNumber(open.id), received: [], reorgs: 0, unread }
}
