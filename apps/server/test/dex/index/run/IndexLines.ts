import type { MemoryIndex } from "../store/MemoryEntityStore.ts"
import type { ExpectedLine } from "../synthetic/ScenarioChain.ts"

const place = { factory: 0, token: 1, pool: 2, burn: 3, mint: 3, swap: 3 }

const order = (a: ExpectedLine, b: ExpectedLine): number => {
  if (a.block !== b.block) return a.block - b.block
  if (place[a.type] !== place[b.type]) return place[a.type] - place[b.type]
  if (place[a.type] === 3) return Number(a.id.split("#")[1]) - Number(b.id.split("#")[1])
  return a.id < b.id ? -1 : 1
}

const toLines = <Row extends object>(
  type: ExpectedLine["type"],
  kind: ReadonlyMap<string, ReadonlyArray<{ readonly from: number; readonly row: Row }>>,
  fieldsOf: (row: Row) => ExpectedLine["fields"]
): ReadonlyArray<ExpectedLine> =>
  [...kind].flatMap(([id, versions]) => {
    const lines = versions.map(({ from, row }) => ({ block: from, type, id, fields: fieldsOf(row) }))
    const isSame = (a: ExpectedLine | undefined, b: ExpectedLine) =>
      a !== undefined && Object.entries(b.fields).every(([name, value]) => a.fields[name] === value)
    return lines.filter((line, index) => !isSame(lines[index - 1], line))
  })

/**
 * An index in the line format of the fixtures: one for each entity and block in which a field changes, in their order.
 */
export const indexLines = (index: MemoryIndex): ReadonlyArray<ExpectedLine> => {
  const { state } = index
  const tokens = new Map(state.tokens.map(({ id, name, symbol }) => [id, { id, name, symbol }]))
  const pools = new Map(
    state.pools.map(({ id, token0, token1 }) => [
      id,
      {
        token0: tokens.get(token0),
        token1: tokens.get(token1)
      }
    ])
  )
  return [
    ...toLines("factory", index.rows.deployment, ({ nativeUSD: _, ...fields }) => fields),
    ...toLines("token", index.rows.token, (fields) => ({ ...fields })),
    ...toLines("pool", index.rows.pool, ({ createdAtLogIndex: _, simulation: __, tick, ...fields }) => ({
      ...fields,
      tick: tick === "" ? null : tick
    })),
    ...index.trades.map(({ block, trade: { kind, row } }): ExpectedLine => ({
      block,
      type: kind,
      id: row.id,
      pool: row.pool,
      fields: { ...row, pool: pools.get(row.pool) }
    }))
  ].toSorted(order)
}
