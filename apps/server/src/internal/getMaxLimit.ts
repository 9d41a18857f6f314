import { operations } from "@chaintape/contract"
import { Predicate } from "effect"

const maxLimits = new Map(
  operations.map(({ group, name, query }) => {
    const limit = "limit" in query ? query.limit.json["maximum"] : undefined
    return [`${group}.${name}`, Predicate.isNumber(limit) ? limit : 0]
  })
)

/** The maximum of the parameter `limit` of an operation, such as `cex.trades`; 0 if it has no such parameter. */
export const getMaxLimit = (operation: string): number => maxLimits.get(operation) ?? 0
