import { toEntities } from "../SubgraphData.ts"
import type { EntityVersion, ExpectedLine } from "../SubgraphData.ts"

type Fields = { readonly [name: string]: string | null }

/** Digits and scale of decimals: other arithmetic than that of the service. */
const parse = (text: string): readonly [bigint, number] => {
  const [whole = "", fraction = ""] = text.split(".")
  return [BigInt(whole + fraction), fraction.length]
}

const print = (digits: bigint, scale: number): string => {
  const text = (digits < 0n ? -digits : digits).toString().padStart(scale + 1, "0")
  const point = text.length - scale
  const plain = scale === 0 ? text : `${text.slice(0, point)}.${text.slice(point)}`.replace(/\.?0+$/, "")
  return digits < 0n ? `-${plain}` : plain
}

export const product = (...factors: ReadonlyArray<string>): string => {
  const parsed = factors.map(parse)
  return print(
    parsed.reduce((all, [digits]) => all * digits, 1n),
    parsed.reduce((all, [, scale]) => all + scale, 0)
  )
}

const total = (a: string, b: string): string => {
  const [[digitsA, scaleA], [digitsB, scaleB]] = [parse(a), parse(b)]
  const scale = Math.max(scaleA, scaleB)
  return print(digitsA * 10n ** BigInt(scale - scaleA) + digitsB * 10n ** BigInt(scale - scaleB), scale)
}

/** The price of the native coin in USD after a block. */
export const getNativeUSD = (block: number): string => `${2000 + block}.25`

const toFactory = (at: Fields): Fields => ({
  id: at["id"] ?? "",
  pairCount: at["poolCount"] ?? "",
  txCount: at["txCount"] ?? "",
  totalVolumeUSD: at["totalVolumeUSD"] ?? "",
  untrackedVolumeUSD: at["untrackedVolumeUSD"] ?? "",
  totalVolumeETH: at["totalVolumeETH"] ?? "",
  totalLiquidityUSD: at["totalValueLockedUSD"] ?? "",
  totalLiquidityETH: at["totalValueLockedETH"] ?? ""
})

const toToken = ({ totalValueLocked, volume, volumeUSD, ...at }: Fields): Fields => ({
  ...at,
  totalLiquidity: totalValueLocked ?? "",
  tradeVolume: volume ?? "",
  tradeVolumeUSD: volumeUSD ?? ""
})

const toPair = ({ liquidity, ...at }: Fields): Fields => ({
  ...at,
  totalSupply: product(liquidity ?? "0", "0.000000000000000001"),
  reserve0: at["totalValueLockedToken0"] ?? "",
  reserve1: at["totalValueLockedToken1"] ?? "",
  reserveETH: at["totalValueLockedETH"] ?? "",
  reserveUSD: at["totalValueLockedUSD"] ?? "",
  trackedReserveETH: "1"
})

const toRecord = ({ amount, amount0, amount1, origin, owner, pool, recipient, ...at }: Fields): Fields => {
  // Some swaps return a part of what was paid in.
  const back = Number(at["logIndex"]) % 3 === 0 ? "1.5" : "0"
  const toIn = (value: string) => (value.startsWith("-") ? back : total(value, back))
  const toOut = (value: string) => (value.startsWith("-") ? total(value.slice(1), back) : back)
  return {
    ...at,
    pair: pool ?? "",
    liquidity: amount ?? "",
    amount0: amount0 ?? "",
    amount1: amount1 ?? "",
    amount0In: toIn(amount0 ?? "0"),
    amount0Out: toOut(amount0 ?? "0"),
    amount1In: toIn(amount1 ?? "0"),
    amount1Out: toOut(amount1 ?? "0"),
    from: origin ?? "",
    to: recipient ?? owner ?? ""
  }
}

/** The fixtures as the entities of a subgraph of Uniswap V2. */
export const toPairEntities = (lines: ReadonlyArray<ExpectedLine>): ReadonlyArray<EntityVersion> =>
  toEntities(lines, "-").flatMap((version): ReadonlyArray<EntityVersion> => {
    const { block, entity, fields } = version
    switch (entity) {
      case "Factory": {
        const bundle: EntityVersion = {
          entity: "Bundle",
          id: "1",
          block,
          fields: { id: "1", ethPrice: getNativeUSD(block) }
        }
        return [{ ...version, entity: "UniswapFactory", fields: toFactory(fields) }, bundle]
      }
      case "Token":
        return [{ ...version, fields: toToken(fields) }]
      case "Pool":
        return [{ ...version, entity: "Pair", fields: toPair(fields) }]
      case "Transaction":
        return [version]
      default:
        return [{ ...version, fields: toRecord(fields) }]
    }
  })
