// What a user without Effect writes: plain JavaScript, which the test runs in a process of its own.
import { CexStream, createClient, ExchangeNotFound, InvalidApiKey, InvalidParameter } from "@chaintape/core/promise"

const baseUrl = process.env.CHAINTAPE_BASE_URL
const apiKey = process.env.CHAINTAPE_API_KEY
const chaintape = createClient({ baseUrl, apiKey })
const place = { exchange: "sandbox", market: "btc-usd" }

const rejection = (promise) =>
  promise.then(
    () => "resolved",
    (error) => error
  )

const last = await chaintape.cex.lastTrade(place)
const { coverage, value } = await chaintape.cex.withResponse.trades({ ...place, limit: 10 })

const since = value.trades[0].timestamp
const ids = []
const pages = []
for await (const trade of CexStream.trades(chaintape, { ...place, since, pageSize: 3, live: true, pollEvery: 200 })) {
  ids.push(trade.id)
  if (ids.length === 40) break
}
let cursor
for await (const page of CexStream.tradePages(chaintape, { ...place, since, pageSize: 7, live: true })) {
  pages.push(...page.trades.map(({ id }) => id))
  cursor = page.cursor
  if (pages.length >= 15) break
}
for await (const trade of CexStream.trades(chaintape, { ...place, since, cursor, live: true })) {
  pages.push(trade.id)
  if (pages.length >= 40) break
}

const unknown = await rejection(chaintape.cex.exchange({ exchange: "nowhere" }))
const wrong = await rejection(chaintape.cex.trades({ ...place, limit: 0 }))
const intruder = await rejection(createClient({ baseUrl, apiKey: "chaintape_wrong" }).cex.exchanges())

const controller = new AbortController()
const aborted = rejection(chaintape.cex.trades({ ...place, limit: 50_000 }, { signal: controller.signal }))
controller.abort(new Error("no longer wanted"))

console.log(
  JSON.stringify({
    ping: (await chaintape.ping()).ping,
    isRecent: Date.now() - last.timestamp.getTime() < 60_000,
    price: typeof last.price,
    coverage: coverage?.state,
    first: value.trades.map(({ id }) => id),
    ids,
    pages: pages.slice(0, 40),
    unknown: unknown instanceof ExchangeNotFound && [unknown._tag, unknown.exchange, unknown.status],
    wrong: wrong instanceof InvalidParameter && wrong.issues.map(({ parameter }) => parameter),
    intruder: intruder instanceof InvalidApiKey,
    aborted: String(await aborted)
  })
)
