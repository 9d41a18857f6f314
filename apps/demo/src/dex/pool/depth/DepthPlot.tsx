import { Decimal, type Pool, type PoolTick } from "@chaintape/core"
import { Figure } from "../../../parts/Figure.tsx"
import { TokenName, toSymbol } from "../../name/TokenName.tsx"
import { type Direction, toPrice } from "../request/Direction.ts"
import { clipTo, toSegments, toWindow } from "./Depth.ts"
import "./depth-plot.css"

const width = 960
const height = 140

/** The liquidity in range over the price, around the current price. */
export const DepthPlot = ({
  direction,
  pool,
  ticks
}: {
  readonly ticks: ReadonlyArray<PoolTick>
  readonly direction: Direction
  readonly pool: Pool
}) => {
  if (pool.tick === "") return <p className="quiet">The pool has no price yet.</p>
  const current = Decimal.toNumber(pool.tick)
  const segments = toSegments(ticks)
  const window = toWindow(segments, current)
  const shown = clipTo(segments, window)
  if (shown.length === 0) return <p className="quiet">No position provides liquidity around the current price.</p>
  const max = Math.max(...shown.map(({ liquidity }) => liquidity))
  const x = (tick: number) => {
    const share = (tick - window.low) / (window.high - window.low)
    return (direction.isInverted ? 1 - share : share) * width
  }
  const price = (tick: number) => toPrice(pool, direction, tick)
  // The pool states its price from the first swap on.
  const exact = direction.isInverted ? pool.token0Price : pool.token1Price
  const ends = [window.low, window.high].map(price).toSorted((one, other) => one - other)
  return (
    <figure className="depth">
      <svg
        className="bars"
        viewBox={`0 0 ${width} ${height}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`Liquidity at prices from ${ends.map((end) => end.toPrecision(6)).join(" to ")} ${toSymbol(direction.quote)}`}
      >
        <line x1={0} x2={width} y1={height} y2={height} />
        {shown.map(({ from, liquidity, to }) => {
          const tall = Math.max(1, (liquidity / max) * (height - 4))
          const [left, right] = [x(from), x(to)].toSorted((one, other) => one - other)
          return (
            <rect key={from} x={left} y={height - tall} width={(right ?? 0) - (left ?? 0)} height={tall}>
              <title>{`${liquidity.toPrecision(4)} of liquidity from ${price(from).toPrecision(6)} to ${price(to).toPrecision(6)}`}</title>
            </rect>
          )
        })}
        <line className="mark" x1={x(current)} x2={x(current)} y1={0} y2={height} />
      </svg>
      <figcaption className="ends">
        <Figure value={ends[0] ?? 0} as="price" />
        <span>
          now <Figure value={Decimal.isZero(exact) ? price(current) : exact} as="price" />{" "}
          <TokenName token={direction.quote} /> for one <TokenName token={direction.base} />
        </span>
        <Figure value={ends[1] ?? 0} as="price" />
      </figcaption>
    </figure>
  )
}
