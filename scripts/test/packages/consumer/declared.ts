/** A library of a user of the published packages: what it exports is declared by names that the packages export. */
import { candleEnd, PoolMath } from "@chaintape/core"
import { createClient } from "@chaintape/core/promise"

export const chaintape = createClient({ baseUrl: "http://stub.test" })
export const { swapSides } = PoolMath
export const end = candleEnd
