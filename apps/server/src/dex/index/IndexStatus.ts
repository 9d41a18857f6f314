/** How an index is doing. */
export interface IndexStatus {
  /** `<dex id>/<blockchain id>`. */
  readonly key: string
  readonly state:
    /** Nothing is known of the chain yet. */
    | "starting"
    /** Reads blocks that no reorg can reach. */
    | "historical"
    /** Follows the head. */
    | "realtime"
    /** Does not go on by itself: `lastError` says why. */
    | "stopped"
  /** The chain's newest block, as a node stated it last. */
  readonly head: number | undefined
  /** The newest block that can be asked for. */
  readonly indexed: number | undefined
  /** Blocks between both. */
  readonly lag: number | undefined
  /** Reorgs that were followed since this instance took the index over. */
  readonly reorgs: number
  /** Failures since the last success. */
  readonly failures: number
  /** Undefined while all goes well. */
  readonly lastError: { readonly message: string; readonly at: number } | undefined
}

export const startingStatus = (key: string): IndexStatus => ({
  key,
  state: "starting",
  head: undefined,
  indexed: undefined,
  lag: undefined,
  reorgs: 0,
  failures: 0,
  lastError: undefined
})
