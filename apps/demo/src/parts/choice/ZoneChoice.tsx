import { localZone, setZone, useZone, zones } from "../time/Zone.ts"
import { Choice } from "./Choice.tsx"

/** In which zone the page shows its times. Where both are the same, there is nothing to choose. */
export const ZoneChoice = () => {
  const zone = useZone()
  return localZone === "UTC" ? (
    <>Times are in UTC.</>
  ) : (
    <>
      Times are in {zone === "UTC" ? "UTC" : localZone}:{" "}
      <Choice label="Time zone" choices={zones} value={zone} onChoose={setZone} />
    </>
  )
}
