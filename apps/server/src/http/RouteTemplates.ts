import { operations } from "@chaintape/core/api/Api"

const templates = operations.map(({ path }) => ({
  path,
  pattern: new RegExp(`^${path.replace(/:\w+/g, "[^/]+")}/?$`)
}))

export const pages: ReadonlyArray<string> = [
  "/",
  "/docs",
  "/openapi.json",
  "/status",
  "/metrics",
  "/health/live",
  "/health/ready",
  "/problems"
]

/** Whether an operation has this path. */
export const isOperation = (path: string): boolean => templates.some(({ pattern }) => pattern.test(path))

/** The path of the operation that serves `path`: what callers choose must not become a label of a metric. */
export const templateOf = (path: string): string =>
  templates.find(({ pattern }) => pattern.test(path))?.path ??
  (pages.includes(path) ? path : path.startsWith("/problems/") ? "/problems/:code" : "other")
