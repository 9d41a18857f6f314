import { Authorization, endpoints, KeyScope, ParameterCheck, RateLimit } from "@chaintape/contract"
import { HttpApi, HttpApiGroup, OpenApi } from "effect/http-api"
import { liveOperations } from "./LiveOperations.ts"

const describeStream = (summary: string, events: string) =>
  OpenApi.annotations({
    summary,
    description:
      `Events ${events}. The id of each event is a cursor: send it as \`after\`, or in the header \`Last-Event-ID\`, ` +
      "to resume after that event."
  })

const [trades, swaps, blocks] = endpoints(liveOperations)

/** The groups have the names and titles of the contract's: the scope of a key names groups. */
class CexStreams extends HttpApiGroup.make("cex")
  .add(
    trades.annotateMerge(describeStream("Follow the trades of a recorded market", "`open`, `trade`, `gap` and `end`"))
  )
  .annotate(OpenApi.Title, "Centralized exchanges") {}

class DexStreams extends HttpApiGroup.make("dex")
  .add(swaps.annotateMerge(describeStream("Follow the swaps of a pool", "`open`, `swap`, `reorg` and `end`")))
  .annotate(OpenApi.Title, "Decentralized exchanges") {}

class BlocksStreams extends HttpApiGroup.make("blocks")
  .add(blocks.annotateMerge(describeStream("Follow the blocks of a blockchain", "`open`, `block`, `reorg` and `end`")))
  .annotate(OpenApi.Title, "Blocks") {}

/** The streams, with the same middleware as the operations of the contract. */
export class LiveApi extends HttpApi.make("chaintape-live")
  .add(CexStreams)
  .add(DexStreams)
  .add(BlocksStreams)
  .middleware(ParameterCheck)
  .middleware(KeyScope)
  .middleware(RateLimit)
  .middleware(Authorization)
  .annotate(HttpApi.QueryParseOptions, { errors: "all", onExcessProperty: "error" }) {}
