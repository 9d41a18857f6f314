import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import * as Schema from "effect/Schema"

/** A text in the form of a program from any form that a URL may have, such as another letter case. */
export const fromText =
  (schema: Schema.Codec<unknown, string | undefined>) =>
  (input: unknown): unknown =>
    Predicate.isString(input) ? Option.getOrElse(Schema.decodeUnknownOption(schema)(input), () => input) : input
