import { BlockchainNotFound } from "@chaintape/core"
import { Context, Effect, Layer } from "effect"

export interface ConfiguredBlockchain {
  readonly id: string
  readonly name: string
  /** The least depth below the head at which a block counts as final. */
  readonly finality: number
  /** Its node starts a new chain each time it starts, so no response stays valid forever. */
  readonly ephemeral: boolean
}

/** The blockchains of the configuration. */
export class Blockchains extends Context.Service<
  Blockchains,
  {
    readonly all: ReadonlyArray<ConfiguredBlockchain>
    readonly get: (id: string) => Effect.Effect<ConfiguredBlockchain, BlockchainNotFound>
  }
>()("@chaintape/server/blocks/Blockchains") {
  static readonly layer = (all: ReadonlyArray<ConfiguredBlockchain>) =>
    Layer.succeed(Blockchains, {
      all,
      get: (id) => {
        const found = all.find((blockchain) => blockchain.id === id)
        return found === undefined
          ? Effect.fail(
              new BlockchainNotFound({
                blockchain: id,
                detail: `There is no blockchain "${id}": /v2/blocks lists those there are.`
              })
            )
          : Effect.succeed(found)
      }
    })
}
