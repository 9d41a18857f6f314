/** Parsing the trades of an exchange's response: as ccxt returns them, and as the service stores them. */
import { loadavg } from "node:os"
import { Result } from "effect"
import { openCcxtExchange } from "../apps/server/src/cex/ccxt/class/CcxtExchange.ts"
import { importExchange } from "../apps/server/src/cex/ccxt/class/CcxtPackage.ts"
import { decodeTrades } from "../apps/server/src/cex/ccxt/rows/TradeRows.ts"
import { median, processing } from "./Measure.ts"

const rows = 1000
const rounds = 60
const driver = "coinbaseexchange"
const symbol = "BTC/USD"

const market = { symbol, id: "BTC-USD", base: "BTC", quote: "USD", baseId: "BTC", quoteId: "USD" }
const start = Date.UTC(2026, 0, 5)

/** In the exchange's format, newest first. */
const page = JSON.stringify(
  Array.from({ length: rows }, (_, at) => ({
    trade_id: 1_000_000 - at,
    side: at % 3 === 0 ? "sell" : "buy",
    size: `0.0${1000 + ((at * 7919) % 9000)}00`,
    price: `67${100 + (at % 900)}.${10 + (at % 90)}000000`,
    time: new Date(start - at * 137).toISOString().replace("Z", "000Z")
  }))
)

/** The members of ccxt's class that are used, which has no types for them. */
interface Ccxt {
  readonly parseJson: (text: string) => ReadonlyArray<unknown>
  readonly parseTrades: (rows: ReadonlyArray<unknown>, market: unknown) => ReadonlyArray<unknown>
  readonly market: (symbol: string) => unknown
}

const openCcxt = async (): Promise<Ccxt> => {
  const Exchange = (await importExchange(driver)) as new (options: object) => Ccxt
  const spot = { type: "spot", spot: true, swap: false, future: false, option: false, contract: false, active: true }
  return new Exchange({ markets: [{ ...market, ...spot }] })
}

/** Each in turn; returns CPU milliseconds per page. */
const measure = (candidates: Readonly<Record<string, () => number>>) => {
  const pages = 10
  const times = new Map(Object.keys(candidates).map((name): [string, Array<number>] => [name, []]))
  for (let round = -10; round < rounds; round++) {
    for (const [name, run] of Object.entries(candidates)) {
      const begun = processing()
      for (let at = 0; at < pages; at++) if (run() !== rows) throw new Error(`${name} read another number of trades.`)
      if (round >= 0) times.get(name)?.push((processing() - begun) / pages)
    }
  }
  return [...times].map(([name, all]) => ({ name, ms: median(all) }))
}

export const tradeParsing = async (): Promise<void> => {
  const ccxt = await openCcxt()
  const ccxtMarket = ccxt.market(symbol)
  const own = await openCcxtExchange({ driver, markets: [market], quoteNumbers: false, requestTimeoutMs: 1000 })
  const measured = measure({
    "JSON.parse alone": () => JSON.parse(page).length,
    "ccxt, doubles": () => ccxt.parseTrades(ccxt.parseJson(page), ccxtMarket).length,
    "service, checked, exact decimals": () => {
      const body = JSON.parse(page)
      const found = decodeTrades(own.parse(symbol, body), { symbol, now: start })
      return Result.isSuccess(found) ? found.success.trades.length : -1
    }
  })
  const first = measured.find(({ name }) => name.startsWith("ccxt"))?.ms ?? 1
  console.log(`\nA page of ${rows} trades of ${driver}, ${(page.length / 1000).toFixed(0)} kB, from its text`)
  for (const { ms, name } of measured) {
    console.log(`  ${name.padEnd(34)} ${ms.toFixed(2).padStart(8)} ms   ${(ms / first).toFixed(2)}x`)
  }
  console.log(`  Medians of ${rounds}, processor time; load of the machine ${(loadavg()[0] ?? 0).toFixed(1)}`)
}
