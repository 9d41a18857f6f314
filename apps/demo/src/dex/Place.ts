/** A decentralized exchange on a blockchain. */
export interface Place {
  readonly exchange: string
  readonly blockchain: string
}

/** What all of a view is read at: a block, or the newest one where it is undefined. */
export interface Moment {
  readonly place: Place
  readonly block: number | undefined
}

export const placeOf = (key: string): Place => {
  const [exchange = "", blockchain = ""] = key.split("/")
  return { exchange, blockchain }
}

/** The request of a reading at this moment. */
export const at = ({ block, place }: Moment) => (block === undefined ? place : { ...place, block })

/** The newest state is read again and again, a past one once. */
export const every = ({ block }: Moment) => (block === undefined ? ("2 seconds" as const) : undefined)
