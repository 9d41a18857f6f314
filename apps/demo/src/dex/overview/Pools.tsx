import { PoolAddress } from "@chaintape/core"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { useState } from "react"
import { Card } from "../../parts/Card.tsx"
import { Loaded } from "../../parts/Loaded.tsx"
import { Pages } from "../../parts/table/Pages.tsx"
import type { Order } from "../../parts/table/Sorted.tsx"
import { Sorted } from "../../parts/table/Sorted.tsx"
import { Head, Table } from "../../parts/table/Table.tsx"
import type { Moment } from "../moment/Deployment.ts"
import { at } from "../moment/Deployment.ts"
import { useAt } from "../moment/useAt.ts"
import { PoolRow, poolColumns } from "./PoolRow.tsx"

type Field = (typeof poolColumns)[number][0]

const size = 8

const decodeAddress = Schema.decodeUnknownOption(PoolAddress)

/** Pools as sorted, filtered and paged by the service. */
export const Pools = ({ moment }: { readonly moment: Moment }) => {
  const [order, setOrder] = useState<Order<Field>>({ by: "totalValueLockedUSD", direction: "desc" })
  const [page, setPage] = useState(0)
  const [text, setText] = useState("")
  const pool = decodeAddress(text.trim().toLowerCase())
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
            <Table
              label="Table of pools"
              isSorted
              head={
                <>
                  <Head>Pool</Head>
                  {poolColumns.map(([field, title]) => (
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
                </>
              }
            >
              {answer.value.map((one) => (
                <PoolRow key={one.id} answer={answer} moment={moment} pool={one} />
              ))}
            </Table>
          )
        }
      </Loaded>
      <Pages page={page} size={size} count={live.value?.value.length ?? 0} onTurn={setPage} />
    </Card>
  )
}
