import { reorgDepth } from "../health/sandbox/FaultPresets.ts"
import type { Route } from "../route/Route.ts"
import { dexHref, marketHref } from "../route/Route.ts"
import type { Status } from "../service/Status.ts"

/** The state at the time of a step's action. */
export interface Mark {
  /** In Unix milliseconds. */
  readonly at: number
  readonly reorgs: number
  /** The block before the reorg that the action makes. */
  readonly block: number
}

/** The state that completes steps: the status of the service, and the open view. */
export interface Situation {
  readonly status: Status
  readonly route: Route
  readonly mark: Mark | undefined
  /** When the page of blocks has seen the newest reorg, in Unix milliseconds. */
  readonly reorgAt: number | undefined
}

/** An action of the sandbox, before the view of the step is opened. */
export type Order = "cut" | "heal" | "reorg"

export interface Step {
  readonly title: string
  /** The instruction, and its effect. */
  readonly text: string
  readonly action: string
  readonly order: Order | undefined
  /** The view that shows it. */
  readonly toHref: (situation: Situation) => string
  readonly isDone: (situation: Situation) => boolean
  /** Describes the visible result. */
  readonly seen: string
}

const countReorgs = ({ indexes }: Status) => indexes.reduce((sum, { reorgs }) => sum + reorgs, 0)

export const toMark = (status: Status, at: number): Mark => {
  const [index] = status.indexes
  return { at, reorgs: countReorgs(status), block: Math.max(0, (index?.indexed ?? 0) - reorgDepth - 1) }
}

const hasOpenGap = ({ gaps, missing }: Status["recordings"][number]) =>
  missing > 0 && gaps.some(({ state }) => state === "open")

/** A recording with a gap, the one that is shown before others; otherwise the first one. */
const toGapMarket = ({ route, status: { recordings } }: Situation): string => {
  const gaps = recordings.filter(hasOpenGap)
  const shown = gaps.find(({ market }) => route.view === "market" && route.market === market)
  const recording = shown ?? gaps[0] ?? recordings[0]
  return recording === undefined ? "#/market" : marketHref(recording.exchange, recording.market, "1m")
}

export const steps: ReadonlyArray<Step> = [
  {
    title: "Cut the exchange",
    text: "The stream of the exchange loses 60 trades, and the exchange refuses to send them again.",
    action: "Cut the upstream",
    order: "cut",
    toHref: () => "#/health",
    isDone: ({ status }) => status.recordings.some(hasOpenGap),
    seen: "The timeline of a recording has a bar with a gap. Below it are the ids of the missing trades."
  },
  {
    title: "See the gap",
    text: "The market page shows which trades are missing, and does not call its trades complete.",
    action: "Open the market",
    order: undefined,
    toHref: toGapMarket,
    isDone: ({ route, status }) =>
      route.view === "market" &&
      status.recordings.some((one) => hasOpenGap(one) && one.market === (route.market ?? one.market)),
    seen: "The badge above the trades says incomplete. The note below the chart says when the gap was, and why."
  },
  {
    title: "See it fill",
    text: "The exchange works again. The service tries it again within half a minute, and reads the missing trades.",
    action: "Heal the exchange",
    order: "heal",
    toHref: toGapMarket,
    isDone: ({ status }) => !status.recordings.some(hasOpenGap),
    seen: "No trade is missing. The badge says complete again, and the note below the chart says what was read."
  },
  {
    title: "Reorganize the chain",
    text: `The chain replaces its newest ${reorgDepth} blocks by others. The index removes the old ones and reads the new ones.`,
    action: "Reorganize the chain",
    order: "reorg",
    toHref: () => "#/blocks",
    // An index that is behind the head never sees the blocks that were cut.
    isDone: ({ mark, reorgAt = -Infinity, status }) =>
      mark !== undefined && (reorgAt >= mark.at || countReorgs(status) > mark.reorgs),
    seen: "The card Reorgs lists the blocks that were cut, and those that replaced them."
  },
  {
    title: "Travel to the block before",
    text: "Every pool and total can be read as of any block. Go to the block before the reorg.",
    action: "Travel to the block before",
    order: undefined,
    toHref: ({ mark, status }) => {
      const [index] = status.indexes
      return index === undefined ? "#/dex" : dexHref(index.key, undefined, mark?.block)
    },
    isDone: ({ mark, route }) => route.view === "dex" && route.block !== undefined && route.block === mark?.block,
    seen: "All figures are those of that block. A reorg does not change them, because the block was not replaced."
  }
]
