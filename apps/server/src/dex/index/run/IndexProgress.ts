import type { IndexConfig } from "../IndexConfig.ts"

/** How far an index is, as its owner knows it. */
export interface IndexProgress {
  /** `<dex id>/<blockchain id>`. */
  readonly key: string
  readonly state:
    /** Nothing is known of the chain yet. */
    | "starting"
    /** Reads final blocks. */
    | "historical"
    /** Follows the head. */
    | "realtime"
    /** Stopped until an operator acts: `lastError` says why. */
    | "stopped"
  /** The chain's newest block, as a node last reported it. */
  readonly head: number | undefined
  /** The newest block that can be queried. */
  readonly indexed: number | undefined
  /** The number of blocks between both. */
  readonly lag: number | undefined
  /** The block up to which every block is proven against the headers. */
  readonly proven: number | undefined
  /** Why the proof does not go on: a sentence. Undefined if it does. */
  readonly unproven: string | undefined
  /** Reorgs since this instance took the index over. */
  readonly reorgs: number
  /** Failures since the last success. */
  readonly failures: number
  /** Undefined if the last step succeeded. */
  readonly lastError: { readonly message: string } | undefined
}

export const startingProgress = (key: string): IndexProgress => ({
  key,
  state: "starting",
  head: undefined,
  indexed: undefined,
  lag: undefined,
  proven: undefined,
  unproven: undefined,
  reorgs: 0,
  failures: 0,
  lastError: undefined
})

/** The status after a look at the chain, whose newest block is `head`. */
export const withHead = (
  status: IndexProgress,
  { finality, startBlock }: Pick<IndexConfig, "finality" | "startBlock">,
  indexed: number | undefined,
  head: number
): IndexProgress => {
  const behind = head - (indexed ?? startBlock - 1)
  return {
    ...status,
    state: behind > finality ? "historical" : "realtime",
    head,
    indexed,
    lag: Math.max(0, behind)
  }
}

/** The status after a step of the proof. */
export const withProof = (
  status: IndexProgress,
  proven: number | undefined,
  unproven: string | undefined
): IndexProgress => ({
  ...status,
  // A write that failed late may have stored blocks, and their proof, that the index has not taken up yet.
  proven: proven === undefined || status.indexed === undefined ? undefined : Math.min(proven, status.indexed),
  unproven
})

/** The status without the proof of the blocks above this one, which are replaced. */
export const withoutProofAbove = (status: IndexProgress, block: number, startBlock: number): IndexProgress => ({
  ...status,
  proven: (status.proven ?? 0) <= block ? status.proven : block < startBlock ? undefined : block
})
