/** The header of a response to which every later one is equal, apart from the head in its headers. */
export const immutable = { "cache-control": "private, max-age=31536000, immutable" }

const toFlag = (value: boolean): string => (value ? "?1" : "?0")

/** The block as of which the data of a response hold; `proven` is absent where nothing is proven or refuted. */
export const asOfHeader = (block: {
  readonly number: number | string
  readonly hash: string
  readonly finalized: boolean
  readonly proven?: boolean | undefined
}) => ({
  "chaintape-as-of":
    `number=${block.number}, hash="${block.hash}", finalized=${toFlag(block.finalized)}` +
    (block.proven === undefined ? "" : `, proven=${toFlag(block.proven)}`)
})
