import { operations } from "@chaintape/contract"
import { pageFamilies, pagePaths } from "../../web/layout/PagePaths.ts"
import { problemPages } from "../../web/ProblemPages.ts"
import { liveOperations } from "../live/LiveOperations.ts"

/** An operation of the contract or a stream. */
export interface RoutedOperation {
  readonly group: string
  readonly name: string
  readonly requiresApiKey: boolean
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

/** The files of the guide, in folders of any depth. */
const guide: Route = { ...toPage("/guide/:page"), pattern: /^\/guide\//, exists: false }

/** All paths of the service. */
export const routes: ReadonlyArray<Route> = [
  ...[...operations, ...liveOperations].map(({ group, name, path, requiresApiKey }): Route => ({
    template: path,
    pattern: toPattern(path, "/?"),
    operation: { group, name, requiresApiKey },
    takesForms: false,
    exists: true
  })),
  ...Object.entries(pagePaths).map(([path, [, post]]): Route => ({ ...toPage(path), takesForms: post !== undefined })),
  ...[...problemPages.keys()]
    .filter((path) => !(path in pagePaths))
    .map((path): Route => ({ ...toPage(path), template: "/problems/:code" })),
  ...pageFamilies.map((path): Route => (path === guide.template ? guide : { ...toPage(path), exists: false }))
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
