import { useEffect } from "react"
import type { Plot } from "./Plot.ts"

/**
 * Puts a picture of the chart into its element while the page is printed. The chart itself has the size of the window, not
 * that of the paper.
 */
export const usePrintedPlot = (plot: Plot | undefined): void => {
  useEffect(() => {
    if (plot === undefined) return undefined
    let picture: HTMLCanvasElement | undefined
    const remove = () => picture?.remove()
    const insert = () => {
      remove()
      picture = plot.chart.takeScreenshot()
      picture.className = "printed"
      plot.chart.chartElement().parentElement?.append(picture)
    }
    window.addEventListener("beforeprint", insert)
    window.addEventListener("afterprint", remove)
    return () => {
      remove()
      window.removeEventListener("beforeprint", insert)
      window.removeEventListener("afterprint", remove)
    }
  }, [plot])
}
