import { assert, describe, it } from "@effect/vitest"
import type { Call, Reply } from "../../HttpCall.ts"
import { assertDeclared } from "./DocumentedRequests.ts"

const get = (path: string, method = "GET"): Call => ({ method, path })

const reply = (status: number, body: unknown): Reply => ({
  status,
  headers: {},
  body: typeof body === "string" ? body : JSON.stringify(body)
})

const ping = { ping: "Hello.", ip: "192.0.2.1" }

const trade = {
  id: "1",
  price: 1.5,
  size: 2,
  cost: 3,
  side: "buy",
  timestamp: "1767225600000"
}

const trades = (...of: ReadonlyArray<object>) => ({ exchange: "x", market: "BTC/USD", trades: of })

const problem = (code: string, status: number, more: object = {}) => ({
  type: `/problems/${code}`,
  title: "A title",
  status,
  code,
  detail: "A sentence.",
  requestId: "x",
  ...more
})

const exchange = { exchange: "nope" }

const wrong: ReadonlyArray<readonly [string, Call, Reply]> = [
  ["a property too much", get("/ping"), reply(200, { ...ping, more: 1 })],
  ["a property too few", get("/ping"), reply(200, { ping: "Hello." })],
  ["a property of another type", get("/ping?x=1"), reply(200, { ...ping, ip: 4 })],
  ["a list for an object", get("/ping"), reply(200, [ping])],
  ["another status", get("/ping"), reply(201, ping)],
  ["a property too much in an element", get("/v2/blocks"), reply(200, [{ id: "a", name: "A", head: 1 }])],
  ["a property too much far inside", get("/v2/cex/x/BTC-USD/trades"), reply(200, trades(trade, { ...trade, fee: 1 }))],
  ["a problem that does not exist", get("/nowhere"), reply(404, problem("nothing", 404))],
  ["a problem with a member too much", get("/nowhere"), reply(404, problem("not-found", 404, { path: "/", at: 1 }))],
  ["a problem without a member of its own", get("/v2/cex/nope"), reply(404, problem("exchange-not-found", 404))],
  ["a problem of another status", get("/nowhere"), reply(400, problem("not-found", 400, { path: "/" }))],
  [
    "a problem that the operation does not declare",
    get("/ping"),
    reply(404, problem("exchange-not-found", 404, exchange))
  ],
  ["a body where there is none", get("/ping"), reply(304, ping)],
  ["a body of an answer to HEAD", get("/ping", "HEAD"), reply(200, ping)]
]

const right: ReadonlyArray<readonly [string, Call, Reply]> = [
  ["an answer", get("/ping"), reply(200, ping)],
  ["an answer with elements", get("/v2/cex/x/BTC-USD/trades"), reply(200, trades(trade, trade))],
  ["a list", get("/v2/blocks?x=1"), reply(200, [{ id: "a", name: "A" }])],
  ["a problem of the operation", get("/v2/cex/nope"), reply(404, problem("exchange-not-found", 404, exchange))],
  ["a problem of the door", get("/ping"), reply(414, problem("uri-too-long", 414))],
  ["a problem of no operation", get("/nowhere"), reply(404, problem("not-found", 404, { path: "/nowhere" }))],
  ["an answer without a body", get("/ping", "OPTIONS"), reply(204, "")]
]

describe("a response that the document declares", () => {
  it.each(wrong)("is not %s", (_, sent, received) => {
    assert.throws(() => assertDeclared(sent, received))
  })

  it.each(right)("is %s", (_, sent, received) => {
    assert.doesNotThrow(() => assertDeclared(sent, received))
  })
})
