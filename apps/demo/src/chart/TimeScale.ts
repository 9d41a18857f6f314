import type { IHorzScaleBehavior, Time } from "lightweight-charts"
import { defaultHorzScaleBehavior } from "lightweight-charts"
import { isTimestamp } from "./isTimestamp.ts"

type Points = Parameters<IHorzScaleBehavior<Time>["fillWeightsForPoints"]>[0]

/** An axis whose days, months and years begin in a zone: those of the library begin in UTC. */
export class TimeScale extends defaultHorzScaleBehavior() {
  readonly #toOffset: (millis: number) => number

  /** `toOffset` returns the seconds that the zone is ahead of UTC at a time (Unix milliseconds). */
  constructor(toOffset: (millis: number) => number) {
    super()
    this.#toOffset = toOffset
  }

  override fillWeightsForPoints(points: Points, startIndex: number): void {
    const before = Math.max(0, startIndex - 1)
    const shifted = points.slice(before).map((point) => {
      const seconds = Number(this.key(point.time))
      const local = seconds + this.#toOffset(seconds * 1000)
      return isTimestamp(local) ? { ...point, time: this.convertHorzItemToInternal(local) } : point
    })
    super.fillWeightsForPoints(shifted, startIndex - before)
    for (const [index, { timeWeight }] of shifted.entries()) {
      const point = points[before + index]
      if (point !== undefined && before + index >= startIndex) point.timeWeight = timeWeight
    }
  }
}
