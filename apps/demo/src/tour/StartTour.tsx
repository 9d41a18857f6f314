import { steps } from "./Steps.ts"
import { openTour, useTour } from "./TourState.ts"
import "./tour.css"

/** Opens the tour, at the step where it was left. */
export const StartTour = () => {
  const { isBegun, isOpen, step } = useTour()
  return isOpen ? null : (
    <button type="button" className="primary tour-start" onClick={openTour}>
      {step === 0 && !isBegun ? `Take the tour in ${steps.length} steps` : `Continue the tour at step ${step + 1}`}
    </button>
  )
}
