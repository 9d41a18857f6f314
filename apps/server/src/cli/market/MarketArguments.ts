import { Parameter } from "@chaintape/core/operations"
import { Argument } from "effect/cli"

export const exchangeArgument = Argument.String("exchange").pipe(
  Argument.withDescription("Id of the exchange, such as sandbox or kraken")
)

export const marketArgument = Argument.String("market").pipe(
  Argument.withDescription("Market, BASE-QUOTE, such as BTC-USD"),
  Argument.withSchema(Parameter.market.schema)
)
