import { assert, describe, it as test, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { GuideFolder } from "../../src/web/GuideRoutes.ts"
import { plain } from "../RunningService.ts"
import { stubbedService } from "../StubbedService.ts"
import { builtGuide } from "./GuideFiles.ts"

const absent = Layer.succeed(GuideFolder, "/nonexistent/site")

describe("the guide", () => {
  layer(stubbedService(undefined, { further: builtGuide }), { excludeTestServices: true, timeout: "60 seconds" })(
    (it) => {
      it.effect.each([
        ["/guide/", "text/html; charset=utf-8", "<title>Home</title>"],
        ["/guide/docs/", "text/html; charset=utf-8", "<title>Documents</title>"],
        ["/guide/docs/trades.html", "text/html; charset=utf-8", "<title>Trades</title>"],
        ["/guide/docs/trades.md", "text/markdown; charset=utf-8", "# Trades"]
      ] as const)("is served without a key: %s", ([path, type, text]) =>
        Effect.gen(function* () {
          const { body, headers, status } = yield* plain(path)
          assert.deepStrictEqual([status, headers["content-type"]], [200, type])
          assert.include(body, text)
          assert.strictEqual(headers["cache-control"], "public, no-cache")
          assert.include(headers["content-security-policy"] ?? "", "default-src 'none'")
        })
      )

      it.effect("redirects to its home page", () =>
        Effect.gen(function* () {
          const { headers, status } = yield* plain("/guide")
          assert.deepStrictEqual([status, headers["location"]], [308, "/guide/"])
        })
      )

      it.effect("lets browsers keep its assets, whose names contain their digest", () =>
        Effect.gen(function* () {
          const { headers, status } = yield* plain("/guide/assets/app.1a2b.js")
          assert.deepStrictEqual([status, headers["cache-control"]], [200, "public, max-age=31536000, immutable"])
        })
      )

      it.effect.each([
        "/guide/nope.html",
        "/guide/assets/nope.js",
        "/guide/docs",
        "/guide/../secret.txt",
        "/guide/%2e%2e/secret.txt",
        "/guide/..%2fsecret.txt",
        "/guide/..%5csecret.txt",
        "/guide//secret.txt",
        "/guide/docs%00.html"
      ])("has nothing beside its files: %s", (path) =>
        Effect.gen(function* () {
          const { body, status } = yield* plain(path)
          assert.include([400, 404], status, body)
          assert.notInclude(body, ">secret<")
          assert.notStrictEqual(body, "secret")
        })
      )
    }
  )

  test.live("that is not built says how to build it", () =>
    Effect.gen(function* () {
      for (const path of ["/guide/", "/guide/docs/trades.html"]) {
        const { body, headers, status } = yield* plain(path)
        assert.deepStrictEqual([status, headers["cache-control"]], [404, "no-store"])
        assert.include(body, "npx -y pnpm@12 site")
      }
    }).pipe(Effect.provide(stubbedService(undefined, { further: absent })), Effect.scoped)
  )
})
