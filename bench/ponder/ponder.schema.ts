import { onchainTable, primaryKey } from "ponder"

export const pool = onchainTable("pool", (t) => ({
  id: t.hex().primaryKey(),
  token0: t.hex().notNull(),
  token1: t.hex().notNull(),
  fee: t.integer().notNull(),
  createdAtBlock: t.bigint().notNull(),
  createdAtTimestamp: t.bigint().notNull(),
  sqrtPrice: t.bigint().notNull(),
  tick: t.integer(),
  liquidity: t.bigint().notNull(),
  volume0: t.bigint().notNull(),
  volume1: t.bigint().notNull(),
  transactions: t.integer().notNull()
}))

export const initialize = onchainTable(
  "initialize",
  (t) => ({
    block: t.bigint().notNull(),
    logIndex: t.integer().notNull(),
    pool: t.hex().notNull(),
    sqrtPrice: t.bigint().notNull(),
    tick: t.integer().notNull()
  }),
  (table) => ({ pk: primaryKey({ columns: [table.block, table.logIndex] }) })
)

export const swap = onchainTable(
  "swap",
  (t) => ({
    block: t.bigint().notNull(),
    logIndex: t.integer().notNull(),
    timestamp: t.bigint().notNull(),
    transaction: t.hex().notNull(),
    origin: t.hex().notNull(),
    pool: t.hex().notNull(),
    sender: t.hex().notNull(),
    recipient: t.hex().notNull(),
    amount0: t.bigint().notNull(),
    amount1: t.bigint().notNull(),
    sqrtPrice: t.bigint().notNull()
  }),
  (table) => ({ pk: primaryKey({ columns: [table.block, table.logIndex] }) })
)

/** Mints, burns and collects. */
export const position = onchainTable(
  "position",
  (t) => ({
    block: t.bigint().notNull(),
    logIndex: t.integer().notNull(),
    timestamp: t.bigint().notNull(),
    transaction: t.hex().notNull(),
    origin: t.hex().notNull(),
    kind: t.text().notNull(),
    pool: t.hex().notNull(),
    owner: t.hex().notNull(),
    amount: t.bigint(),
    amount0: t.bigint().notNull(),
    amount1: t.bigint().notNull()
  }),
  (table) => ({ pk: primaryKey({ columns: [table.block, table.logIndex] }) })
)

export const flash = onchainTable(
  "flash",
  (t) => ({
    block: t.bigint().notNull(),
    logIndex: t.integer().notNull(),
    timestamp: t.bigint().notNull(),
    transaction: t.hex().notNull(),
    pool: t.hex().notNull(),
    recipient: t.hex().notNull(),
    paid0: t.bigint().notNull(),
    paid1: t.bigint().notNull()
  }),
  (table) => ({ pk: primaryKey({ columns: [table.block, table.logIndex] }) })
)
