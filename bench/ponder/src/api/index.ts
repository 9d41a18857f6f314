import { count } from "drizzle-orm"
import { Hono } from "hono"
import { db } from "ponder:api"
import { flash, initialize, pool, position, swap } from "ponder:schema"

/** The number of events in the store, so that the benchmark can check that none is missing. */
export default new Hono().get("/events", async (context) => {
  const counts = []
  for (const table of [pool, initialize, swap, position, flash]) {
    const [row] = await db.select({ rows: count() }).from(table)
    counts.push(row?.rows ?? 0)
  }
  return context.json({ events: counts.reduce((sum, rows) => sum + rows, 0) })
})
