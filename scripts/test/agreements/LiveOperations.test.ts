import { assert, describe, it } from "vitest"
import { liveBlocks, liveSwaps, liveTrades } from "../../../apps/server/src/http/live/LiveOperations.ts"
import * as ClientStreams from "../../../packages/core/src/internal/live/operations.ts"

describe("the streams that clients open", () => {
  it.each([
    [ClientStreams.liveTrades, liveTrades],
    [ClientStreams.liveSwaps, liveSwaps],
    [ClientStreams.liveBlocks, liveBlocks]
  ])("are those of the service, with a part of their parameters", (client, server) => {
    assert.deepStrictEqual([client.name, client.group, client.path], [server.name, server.group, server.path])
    assert.sameMembers(Object.keys(client.params), Object.keys(server.params))
    assert.includeMembers(Object.keys(server.query), Object.keys(client.query))
  })
})
