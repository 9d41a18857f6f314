/** The live streams of the service as operations: the response of each is one of its events. */
import { Block } from "../../blocks/Block.ts"
import { Trade } from "../../cex/Trade.ts"
import { PoolAddressInRequest } from "../../dex/Address.ts"
import { Swap } from "../../dex/PoolTrade.ts"
import * as Operation from "../../operation/Operation.ts"
import * as Parameter from "../../operation/Parameter.ts"

const after = Parameter.filter("Only what follows the event with this id")

export const liveTrades = /* @__PURE__ */ Operation.make({
  name: "liveTrades",
  group: "cex",
  path: "/live/cex/:exchange/:market/trades",
  params: { exchange: Parameter.exchange, market: Parameter.market },
  query: { since: Parameter.time("Only trades executed then or later") },
  success: Trade,
  problems: []
})

export const liveBlocks = /* @__PURE__ */ Operation.make({
  name: "liveBlocks",
  group: "blocks",
  path: "/live/blocks/:blockchain",
  params: { blockchain: Parameter.blockchain },
  query: { after },
  success: Block,
  problems: []
})

export const liveSwaps = /* @__PURE__ */ Operation.make({
  name: "liveSwaps",
  group: "dex",
  path: "/live/dex/:exchange/:blockchain/pool/:pool/swaps",
  params: {
    exchange: Parameter.exchange,
    blockchain: Parameter.blockchain,
    pool: Parameter.parameter({
      schema: PoolAddressInRequest,
      rule: "an address",
      description: "Address of the pool",
      json: { type: "string" }
    })
  },
  query: { after },
  success: Swap,
  problems: []
})
