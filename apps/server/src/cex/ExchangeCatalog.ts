import type { Exchange } from "@chaintape/core"
import { Context } from "effect"
import type { Option } from "effect"

/** Port: the exchanges and what each supports. */
export class ExchangeCatalog extends Context.Service<
  ExchangeCatalog,
  {
    /** By id, ascending. */
    readonly all: ReadonlyArray<Exchange>
    readonly get: (id: string) => Option.Option<Exchange>
  }
>()("@chaintape/server/cex/ExchangeCatalog") {}
