import { Ago } from "./Ago.tsx"
import { useNow } from "./useNow.ts"

/** How long ago a time was, ticking. */
export const Age = ({ millis }: { readonly millis: number }) => {
  const now = useNow()
  return now === undefined ? <>…</> : <Ago millis={millis} now={now} />
}
