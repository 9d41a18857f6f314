import * as DexOperations from "@chaintape/core/operations/dex"
import { Argument } from "effect/cli"

export const poolArguments = {
  exchange: Argument.String("exchange").pipe(
    Argument.withDescription("Id of the decentralized exchange, such as uniswap-v3")
  ),
  blockchain: Argument.String("blockchain").pipe(
    Argument.withDescription("Id of the blockchain, such as devnet or ethereum")
  ),
  pool: Argument.String("pool").pipe(
    Argument.withDescription("Address of the pool"),
    Argument.withSchema(DexOperations.pool.params.pool.schema)
  )
}
