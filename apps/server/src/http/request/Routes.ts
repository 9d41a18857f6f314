import { operations } from "@chaintape/contract"
import { problemPages } from "../../web/ProblemPages.ts"
import { liveOperations } from "../live/LiveOperations.ts"

/** An operation of the contract or a stream. */
export interface RoutedOperation {
  readonly group: string
  readonly name: string
  readonly keyed: boolean
}

/** A path of the service. */
export interface Route {
  /** With `:name` for each parameter. Text chosen by clients must not become a metric label. */
  readonly template: string
  readonly pattern: RegExp
  /** Undefined for a page. */
  readonly operation?: RoutedOperation
  /** Whether the page accepts forms, by POST. */
  readonly takesForms: boolean
  /** Whether a request without a handler has the wrong method, and not the wrong path. */
  readonly exists: boolean
}

const toPattern = (path: string, end = "") => new RegExp(`^${path.replace(/:\w+/g, "[^/]+")}${end}$`)

const toPage = (path: string): Route => ({ template: path, pattern: toPattern(path), takesForms: false, exists: true })
const toForm = (path: string): Route => ({ ...toPage(path), takesForms: true })
/** Paths of which only some exist. */
const toFamily = (path: string): Route => ({ ...toPage(path), exists: false })

/** The files of the guide, in folders of any depth. */
const guide = { ...toFamily("/guide/:page"), pattern: /^\/guide\// }

/** All paths of the service. */
export const routes: ReadonlyArray<Route> = [
  ...[...operations, ...liveOperations].map(({ group, keyed, name, path }): Route => ({
    template: path,
    pattern: toPattern(path, "/?"),
    operation: { group, name, keyed },
    takesForms: false,
    exists: true
  })),
  ...["/", "/about", "/docs", "/guide", "/openapi.json", "/status", "/health/live", "/health/ready"].map(toPage),
  ...[...problemPages.keys()].map((path): Route => ({
    ...toPage(path),
    template: path.replace(/^\/problems\/.+$/, "/problems/:code")
  })),
  ...["/account", "/dashboard", "/dashboard/new-key"].map(toPage),
  ...["/sign-up", "/sign-in", "/sign-out", "/reset-password"].map(toForm),
  ...["/account/password", "/account/sign-out-everywhere", "/account/delete"].map(toForm),
  ...["/dashboard/keys", "/dashboard/keys/:id/rotate", "/dashboard/keys/:id/revoke"].map(toForm),
  ...["/problems/:code", "/assets/:file", "/sandbox/:order"].map(toFamily),
  guide
]

const toSegments = (path: string): number => {
  let count = 0
  for (let at = path.indexOf("/"); at >= 0 && at < path.length - 1; at = path.indexOf("/", at + 1)) count += 1
  return count
}

/** Indexed by the number of segments, so that few are compared. */
const bySegments = Map.groupBy(routes, ({ template }) => toSegments(template))

export const findRoute = (path: string): Route | undefined =>
  guide.pattern.test(path) ? guide : bySegments.get(toSegments(path))?.find(({ pattern }) => pattern.test(path))
