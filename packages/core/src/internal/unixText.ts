/** Times that the wire writes as digits: the unit stands with the schema, so that a reader of large answers knows it. */
import * as Predicate from "effect/Predicate"
import type * as SchemaAST from "effect/SchemaAST"

/** The last millisecond that a date can have. */
export const latestMillis = 8_640_000_000_000_000

const unixUnit = "~@chaintape/core/unixUnit"

/** The annotation of a schema that reads digits which count units of so many milliseconds since 1970. */
export const ofUnit = (unit: number) => ({ [unixUnit]: unit })

export const unixUnitOf = ({ annotations }: SchemaAST.AST): number | undefined => {
  const unit = annotations?.[unixUnit]
  return Predicate.isNumber(unit) ? unit : undefined
}
