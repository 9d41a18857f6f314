import { operations } from "@chaintape/core/api/Api"
import { accountTemplateOf } from "../pages/AccountPaths.ts"
import { liveOperations } from "./LiveOperations.ts"

/** A path of the contract or of a stream, `:name` in place of each parameter. */
interface OperationPath {
  readonly path: string
  readonly group: string
  readonly name: string
  readonly keyed: boolean
  readonly pattern: RegExp
}

const segmentsOf = (path: string): number => {
  let count = 0
  for (let at = path.indexOf("/"); at >= 0 && at < path.length - 1; at = path.indexOf("/", at + 1)) count += 1
  return count
}

/** By their number of segments: few are left to compare with. */
const templates = Map.groupBy(
  [...operations, ...liveOperations].map(({ group, keyed, name, path }): OperationPath => ({
    path,
    group,
    name,
    keyed,
    pattern: new RegExp(`^${path.replace(/:\w+/g, "[^/]+")}/?$`)
  })),
  ({ path }) => segmentsOf(path)
)

/** The operation that has this path. */
export const operationAt = (path: string): OperationPath | undefined =>
  templates.get(segmentsOf(path))?.find(({ pattern }) => pattern.test(path))

export const pages: ReadonlyArray<string> = [
  "/",
  "/about",
  "/docs",
  "/openapi.json",
  "/status",
  "/metrics",
  "/health/live",
  "/health/ready",
  "/problems"
]

const families = [
  { start: "/problems/", template: "/problems/:code" },
  { start: "/assets/", template: "/assets/:file" },
  { start: "/sandbox/", template: "/sandbox/:order" }
]

/** The path of the operation that serves `path`: what callers choose must not become a label of a metric. */
export const templateOf = (path: string, operation = operationAt(path)): string =>
  operation?.path ??
  accountTemplateOf(path) ??
  (pages.includes(path) ? path : (families.find(({ start }) => path.startsWith(start))?.template ?? "other"))
