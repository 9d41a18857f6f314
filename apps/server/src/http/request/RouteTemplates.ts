import { operations } from "@chaintape/core/api/Api"
import { toAccountTemplate } from "../../web/AccountPaths.ts"
import { liveOperations } from "../live/LiveOperations.ts"

/** A path of the contract or of a stream, with `:name` for each parameter. */
export interface OperationPath {
  readonly path: string
  readonly group: string
  readonly name: string
  readonly keyed: boolean
  readonly pattern: RegExp
}

const toSegments = (path: string): number => {
  let count = 0
  for (let at = path.indexOf("/"); at >= 0 && at < path.length - 1; at = path.indexOf("/", at + 1)) count += 1
  return count
}

/** Indexed by the number of segments, so that few are compared. */
const templates = Map.groupBy(
  [...operations, ...liveOperations].map(({ group, keyed, name, path }): OperationPath => ({
    path,
    group,
    name,
    keyed,
    pattern: new RegExp(`^${path.replace(/:\w+/g, "[^/]+")}/?$`)
  })),
  ({ path }) => toSegments(path)
)

/** The operation with this path. */
export const operationAt = (path: string): OperationPath | undefined =>
  templates.get(toSegments(path))?.find(({ pattern }) => pattern.test(path))

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

/** The route template of `path`: text chosen by clients must not become a metric label. */
export const findTemplate = (path: string, operation = operationAt(path)): string =>
  operation?.path ??
  toAccountTemplate(path) ??
  (pages.includes(path) ? path : (families.find(({ start }) => path.startsWith(start))?.template ?? "other"))
