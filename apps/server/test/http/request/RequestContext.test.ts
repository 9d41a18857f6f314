import { readdirSync, readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { assert, describe, it } from "@effect/vitest"
import { findRoute } from "../../../src/http/request/RequestContext.ts"

const sources = fileURLToPath(new URL("../../../src/", import.meta.url))

/** The method and the path of each page, as its routes state them. */
const pages = readdirSync(sources, { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith(".ts"))
  .flatMap((file) => [...readFileSync(sources + file, "utf8").matchAll(/"(GET|POST)",\s*"(\/[^"]*)"/g)])
  .map(([, method = "", path = ""]) => [method, path] as const)

describe("the routes of the service", () => {
  it.each(pages)("contain the page: %s %s", (method, path) => {
    const route = findRoute(path.replace("*", "a").replaceAll(/:\w+/g, "a"))
    assert.isDefined(route, "add the page to PagePaths.ts: its requests have no template in the metrics")
    // The orders of the sandbox are JSON.
    if (method === "POST" && !path.startsWith("/sandbox/")) assert.isTrue(route?.takesForms)
  })

  it("are read from the sources", () => {
    assert.isAtLeast(pages.length, 30)
  })
})
