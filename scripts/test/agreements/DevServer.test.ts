import { assert, describe, it } from "vitest"
import devServer from "../../../apps/demo/vite.config.ts"
import { liveBlocks, liveSwaps, liveTrades } from "../../../apps/server/src/http/live/LiveOperations.ts"
import { pageFamilies, pagePaths } from "../../../apps/server/src/web/layout/PagePaths.ts"

/** The demo itself, and its files. */
const ofDemo = ["/", "/assets/:file"]

describe("the development server of the demo", () => {
  it("passes every path of the service on to it", () => {
    const proxied = Object.keys(devServer.server?.proxy ?? {})
    const operations = [liveTrades, liveSwaps, liveBlocks].map(({ path }) => path)
    const missing = [...Object.keys(pagePaths), ...pageFamilies, ...operations, "/v2", "/ping"]
      .filter((path) => !ofDemo.includes(path))
      .filter((path) => !proxied.some((prefix) => path.startsWith(prefix)))
    assert.deepStrictEqual(missing, [])
  })
})
