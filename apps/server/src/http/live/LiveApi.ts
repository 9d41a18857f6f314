import { Authorization, endpoints, KeyScope, ParameterCheck, RateLimit } from "@chaintape/contract"
import { HttpApi, HttpApiGroup, OpenApi } from "effect/http-api"
import { eventNames } from "../../live/LiveEvents.ts"
import { liveOperations } from "./LiveOperations.ts"

const toText = (names: ReadonlyArray<string>) => {
  const quoted = names.map((name) => `\`${name}\``)
  return `${quoted.slice(0, -1).join(", ")} and ${quoted.at(-1)}`
}

const describeStream = (summary: string, events: ReadonlyArray<string>) =>
  OpenApi.annotations({
    summary,
    description:
      `Events ${toText(events)}. The id of each event is a cursor: send it as \`after\`, or in the header \`Last-Event-ID\`, ` +
      "to resume after that event."
  })

const [trades, swaps, blocks] = endpoints(liveOperations)

/** The groups have the names and titles of the contract's: the scope of a key names groups. */
class CexStreams extends HttpApiGroup.make("cex")
  .add(trades.annotateMerge(describeStream("Follow the trades of a recorded market", eventNames.trades)))
  .annotate(OpenApi.Title, "Centralized exchanges") {}

class DexStreams extends HttpApiGroup.make("dex")
  .add(swaps.annotateMerge(describeStream("Follow the swaps of a pool", eventNames.swaps)))
  .annotate(OpenApi.Title, "Decentralized exchanges") {}

class BlocksStreams extends HttpApiGroup.make("blocks")
  .add(blocks.annotateMerge(describeStream("Follow the blocks of a blockchain", eventNames.blocks)))
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
