/** A decentralized exchange on a blockchain. */
export interface Deployment {
  readonly exchange: string
  readonly blockchain: string
}

/** The block of a view; undefined for the newest one, which is read again when `version` changes. */
export interface Moment {
  readonly deployment: Deployment
  readonly block: number | undefined
  readonly version: string
}

export const parseDeployment = (key: string): Deployment => {
  const [exchange = "", blockchain = ""] = key.split("/")
  return { exchange, blockchain }
}

/** Such as `uniswap-v3/ethereum`. */
export const toName = ({ blockchain, exchange }: Deployment): string => `${exchange}/${blockchain}`

/** The request of a read at this moment. */
export const at = ({ block, deployment }: Moment) => (block === undefined ? deployment : { ...deployment, block })
