/** A decentralized exchange on a blockchain. */
export interface Deployment {
  readonly exchange: string
  readonly blockchain: string
}

/** The block of a view; undefined for the newest one. */
export interface Moment {
  readonly deployment: Deployment
  readonly block: number | undefined
}

export const parseDeployment = (key: string): Deployment => {
  const [exchange = "", blockchain = ""] = key.split("/")
  return { exchange, blockchain }
}

/** The request of a read at this moment. */
export const at = ({ block, deployment }: Moment) => (block === undefined ? deployment : { ...deployment, block })

/** The newest state is polled, a past one is read once. */
export const every = ({ block }: Moment) => (block === undefined ? ("2 seconds" as const) : undefined)
