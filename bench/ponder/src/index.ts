import { ponder } from "ponder:registry"
import type { Context, Event } from "ponder:registry"
import { flash, initialize, pool, position, swap } from "ponder:schema"

const place = ({ block, log }: Event<"Pool:Swap" | "Pool:Mint" | "Pool:Burn" | "Pool:Collect" | "Pool:Flash">) => ({
  block: block.number,
  logIndex: log.logIndex,
  timestamp: block.timestamp,
  pool: log.address
})

const absolute = (value: bigint) => (value < 0n ? -value : value)

ponder.on("Factory:PoolCreated", async ({ context, event }) => {
  await context.db.insert(pool).values({
    id: event.args.pool,
    token0: event.args.token0,
    token1: event.args.token1,
    fee: event.args.fee,
    createdAtBlock: event.block.number,
    createdAtTimestamp: event.block.timestamp,
    sqrtPrice: 0n,
    tick: null,
    liquidity: 0n,
    volume0: 0n,
    volume1: 0n,
    transactions: 0
  })
})

ponder.on("Pool:Initialize", async ({ context, event }) => {
  const { sqrtPriceX96, tick } = event.args
  await context.db.insert(initialize).values({
    block: event.block.number,
    logIndex: event.log.logIndex,
    pool: event.log.address,
    sqrtPrice: sqrtPriceX96,
    tick
  })
  await context.db.update(pool, { id: event.log.address }).set({ sqrtPrice: sqrtPriceX96, tick })
})

ponder.on("Pool:Swap", async ({ context, event }) => {
  const { amount0, amount1, liquidity, recipient, sender, sqrtPriceX96, tick } = event.args
  await context.db.insert(swap).values({
    ...place(event),
    transaction: event.transaction.hash,
    origin: event.transaction.from,
    sender,
    recipient,
    amount0,
    amount1,
    sqrtPrice: sqrtPriceX96
  })
  await context.db.update(pool, { id: event.log.address }).set((row) => ({
    sqrtPrice: sqrtPriceX96,
    tick,
    liquidity,
    volume0: row.volume0 + absolute(amount0),
    volume1: row.volume1 + absolute(amount1),
    transactions: row.transactions + 1
  }))
})

/** Liquidity of a range counts while the price is in the range. */
const moveLiquidity = (
  context: Context<"Pool:Mint" | "Pool:Burn">,
  id: `0x${string}`,
  { tickLower, tickUpper }: { tickLower: number; tickUpper: number },
  amount: bigint
) =>
  context.db.update(pool, { id }).set((row) => ({
    liquidity:
      row.tick !== null && tickLower <= row.tick && row.tick < tickUpper ? row.liquidity + amount : row.liquidity,
    transactions: row.transactions + 1
  }))

ponder.on("Pool:Mint", async ({ context, event }) => {
  const { amount, amount0, amount1, owner } = event.args
  await context.db.insert(position).values({
    ...place(event),
    transaction: event.transaction.hash,
    origin: event.transaction.from,
    kind: "mint",
    owner,
    amount,
    amount0,
    amount1
  })
  await moveLiquidity(context, event.log.address, event.args, amount)
})

ponder.on("Pool:Burn", async ({ context, event }) => {
  const { amount, amount0, amount1, owner } = event.args
  await context.db.insert(position).values({
    ...place(event),
    transaction: event.transaction.hash,
    origin: event.transaction.from,
    kind: "burn",
    owner,
    amount,
    amount0,
    amount1
  })
  await moveLiquidity(context, event.log.address, event.args, -amount)
})

ponder.on("Pool:Collect", async ({ context, event }) => {
  const { amount0, amount1, owner } = event.args
  await context.db.insert(position).values({
    ...place(event),
    transaction: event.transaction.hash,
    origin: event.transaction.from,
    kind: "collect",
    owner,
    amount0,
    amount1
  })
})

ponder.on("Pool:Flash", async ({ context, event }) => {
  const { paid0, paid1, recipient } = event.args
  await context.db.insert(flash).values({
    ...place(event),
    transaction: event.transaction.hash,
    recipient,
    paid0,
    paid1
  })
})
