/**
 * Replaces the constructor of a schema, whose own error does not say what was given. The cast states what the new
 * property makes of the schema.
 */
export const withMake = <S extends object, A>(
  schema: S,
  make: (text: string) => A
): S & { readonly make: (text: string) => A } =>
  Object.defineProperty(schema, "make", { value: make }) as S & { readonly make: (text: string) => A }
