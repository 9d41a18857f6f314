import type { TokenAddress } from "@chaintape/core"
import { groupDigits } from "../../format/Count.ts"
import { Card } from "../../parts/Card.tsx"
import { Loaded } from "../../parts/Loaded.tsx"
import { Head, Table } from "../../parts/table/Table.tsx"
import { useThrottled } from "../../service/useThrottled.ts"
import type { Moment } from "../moment/Deployment.ts"
import { useAt } from "../moment/useAt.ts"
import { PoolRow, poolColumns } from "../overview/PoolRow.tsx"
import { maxPools, toPoolsRequest } from "./Requests.ts"

/** A list of many pools is read again at most this often (milliseconds). */
const readEvery = 30_000

/** The pools that hold a token, those with the most value first. */
export const TokenPools = ({ moment, token }: { readonly moment: Moment; readonly token: TokenAddress }) => {
  const version = useThrottled(moment.version, readEvery)
  const request = toPoolsRequest(moment)
  const live = useAt({ ...moment, version }, "pools of tokens", (dex) => dex.withResponse.pools(request))
  return (
    <Card title="Pools that hold it">
      <Loaded live={live} waiting="The pools are being read.">
        {(answer) => {
          const pools = answer.value.filter(({ token0, token1 }) => token0.id === token || token1.id === token)
          return (
            <>
              {pools.length === 0 ? (
                <p className="quiet">No pool holds it at this block.</p>
              ) : (
                <Table
                  label="Pools that hold the token"
                  head={
                    <>
                      <Head>Pool</Head>
                      {poolColumns.map(([field, title]) => (
                        <Head key={field}>{title}</Head>
                      ))}
                    </>
                  }
                >
                  {pools.map((pool) => (
                    <PoolRow key={pool.id} answer={answer} moment={moment} pool={pool} />
                  ))}
                </Table>
              )}
              {answer.value.length < maxPools ? null : (
                <p className="quiet note">Of the {groupDigits(maxPools)} pools with the most value.</p>
              )}
            </>
          )
        }}
      </Loaded>
    </Card>
  )
}
