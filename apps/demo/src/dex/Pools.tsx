import { type Pool, PoolAddress } from "@chaintape/core"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { useState } from "react"
import { Card } from "../parts/Card.tsx"
import { Figure } from "../parts/Figure.tsx"
import { Loaded } from "../parts/Loaded.tsx"
import { Pages } from "../parts/Pages.tsx"
import type { Order } from "../parts/Sorted.tsx"
import { Sorted } from "../parts/Sorted.tsx"
import { Proven } from "../proof/Proven.tsx"
import { dexHref } from "../Route.ts"
import type { Moment } from "./Deployment.ts"
import { at } from "./Deployment.ts"
import type { AnswerAt } from "./DexClaims.ts"
import { toPoolClaim } from "./DexClaims.ts"
import { PairName } from "./PairName.tsx"
import { useAt } from "./useAt.ts"

const columns = [
  ["totalValueLockedUSD", "TVL"],
  ["volumeUSD", "Volume"],
  ["feesUSD", "Fees"],
  ["txCount", "Events"]
] as const satisfies ReadonlyArray<readonly [keyof Pool, string]>

type Field = (typeof columns)[number][0]

const size = 8

const isAddress = Schema.decodeUnknownOption(PoolAddress)

const toShape = (field: Field) => (field === "txCount" ? "grouped" : "dollars")

const Row = ({ answer, name, pool }: { readonly answer: AnswerAt; readonly pool: Pool; readonly name: string }) => (
  <tr data-pool={pool.id}>
    <td>
      <a href={dexHref(name, pool.id, answer.moment.block)}>
        <PairName pool={pool} />
      </a>
    </td>
    {columns.map(([field, title]) => (
      <td key={field} data-field={field}>
        <Proven of={title} claim={() => toPoolClaim(answer, pool, title, (one) => one[field])}>
          <Figure value={pool[field]} as={toShape(field)} />
        </Proven>
      </td>
    ))}
  </tr>
)

/** Pools as sorted, filtered and paged by the service. */
export const Pools = ({ moment, name }: { readonly moment: Moment; readonly name: string }) => {
  const [order, setOrder] = useState<Order<Field>>({ by: "totalValueLockedUSD", direction: "desc" })
  const [page, setPage] = useState(0)
  const [text, setText] = useState("")
  const pool = isAddress(text.trim().toLowerCase())
  const request = {
    ...at(moment),
    orderBy: order.by,
    orderDirection: order.direction,
    limit: size,
    skip: page * size,
    ...(Option.isSome(pool) ? { pool: pool.value } : {})
  }
  const live = useAt(moment, `pools ${JSON.stringify(request)}`, (dex) => dex.withResponse.pools(request))
  const isHalf = text.trim() !== "" && Option.isNone(pool)
  return (
    <Card
      title="Pools"
      aside={
        <input
          className="filter"
          aria-label="Only the pool with this address"
          placeholder="Address of a pool, 0x…"
          value={text}
          onChange={(event) => {
            setText(event.target.value)
            setPage(0)
          }}
        />
      }
    >
      {isHalf ? (
        <p className="quiet">An address is 0x and 40 hexadecimal digits: all pools are shown until then.</p>
      ) : null}
      <Loaded live={live} waiting="The pools are being read.">
        {(answer) =>
          answer.value.length === 0 ? (
            <p className="quiet">
              {Option.isSome(pool) ? "This pool is not there at this block." : "There is no pool yet at this block."}
            </p>
          ) : (
            <div className="scroll" tabIndex={0} role="region" aria-label="Table of pools">
              <table>
                <thead>
                  <tr>
                    <th scope="col">Pool</th>
                    {columns.map(([field, title]) => (
                      <Sorted
                        key={field}
                        field={field}
                        title={title}
                        order={order}
                        onOrder={(next) => {
                          setOrder(next)
                          setPage(0)
                        }}
                      />
                    ))}
                  </tr>
                </thead>
                <tbody>
                  {answer.value.map((one) => (
                    <Row key={one.id} answer={answer} pool={one} name={name} />
                  ))}
                </tbody>
              </table>
            </div>
          )
        }
      </Loaded>
      <Pages page={page} size={size} count={live.value?.value.length ?? 0} onTurn={setPage} />
    </Card>
  )
}
