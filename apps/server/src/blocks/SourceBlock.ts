/** A block header, as a node returns it. */
export interface SourceBlock {
  readonly number: number
  readonly hash: string
  readonly parentHash: string
  /** The block's timestamp in Unix seconds. */
  readonly timestamp: number
  readonly size: bigint
  readonly gasLimit: bigint
  readonly gasUsed: bigint
  /** Absent if the node does not return it. */
  readonly totalDifficulty: bigint | undefined
  /** In lower case. */
  readonly author: string
}
