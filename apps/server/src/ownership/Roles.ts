import { Config, Schema } from "effect"

/** The tasks of an instance: answer callers, record markets, build indexes. */
export const roles = ["api", "recorder", "indexer"] as const

export type Role = (typeof roles)[number]

/** A role whose work has exactly one owner among all instances. */
export type OwningRole = Exclude<Role, "api">

const isRole = Schema.is(Schema.Literals(roles))

const splitNames = (text: string): ReadonlyArray<string> => text.split(",").map((name) => name.trim())

const Text = Schema.String.check(
  Schema.makeFilter((text: string) => splitNames(text).every(isRole), {
    expected: '"api", "recorder" and "indexer", or some of them, with commas between them'
  })
)

/** `CHAINTAPE_ROLES`: all of them if absent. */
export const config: Config.Config<ReadonlyArray<Role>> = Config.schema(Text, "CHAINTAPE_ROLES").pipe(
  Config.withDefault(roles.join(",")),
  Config.map((text) => roles.filter((role) => splitNames(text).includes(role)))
)
