import { assert, describe, it } from "@effect/vitest"
import * as ClientStreams from "../../../../../packages/core/src/internal/live/operations.ts"
import { liveBlocks, liveSwaps, liveTrades } from "../../../src/http/live/LiveOperations.ts"

describe("the streams that clients open", () => {
  it.each([
    [ClientStreams.liveTrades, liveTrades],
    [ClientStreams.liveSwaps, liveSwaps],
    [ClientStreams.liveBlocks, liveBlocks]
  ])("are those of the service", (client, server) => {
    assert.deepStrictEqual([client.name, client.group, client.path], [server.name, server.group, server.path])
    assert.sameMembers(Object.keys(client.params), Object.keys(server.params))
    assert.includeMembers(Object.keys(server.query), Object.keys(client.query))
  })
})
