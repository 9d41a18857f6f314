/** Values of `@chaintape/cex/testing` that a user's library exports. */
import { CexTest } from "@chaintape/cex/testing"

export const layer = CexTest.layer({ lastTrade: CexTest.trade({ price: 7 }) })
