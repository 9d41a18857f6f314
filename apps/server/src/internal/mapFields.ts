import { Record } from "effect"

/** A record with a value for each of the fields. */
export const mapFields = <const Field extends string, A>(
  fields: ReadonlyArray<Field>,
  toValue: (field: Field) => A
): { readonly [K in Field]: A } =>
  // The record has each field, which the type of `fromIterableWith` does not say.
  Record.fromIterableWith(fields, (field) => [field, toValue(field)]) as { readonly [K in Field]: A }
