import type { Effect } from "effect"
import { HttpRouter } from "effect/http"
import type { HttpServerResponse } from "effect/http"

/** The methods of each page. A page that takes POST accepts forms. */
export const pagePaths = {
  "/": ["GET"],
  "/about": ["GET"],
  "/docs": ["GET"],
  "/guide": ["GET"],
  "/openapi.json": ["GET"],
  "/problems": ["GET"],
  "/status": ["GET"],
  "/health/live": ["GET"],
  "/health/ready": ["GET"],
  "/sign-up": ["GET", "POST"],
  "/sign-in": ["GET", "POST"],
  "/sign-out": ["GET", "POST"],
  "/reset-password": ["GET", "POST"],
  "/account": ["GET"],
  "/account/password": ["GET", "POST"],
  "/account/sign-out-everywhere": ["GET", "POST"],
  "/account/delete": ["GET", "POST"],
  "/dashboard": ["GET"],
  "/dashboard/new-key": ["GET"],
  "/dashboard/keys": ["GET", "POST"],
  "/dashboard/keys/:id/rotate": ["GET", "POST"],
  "/dashboard/keys/:id/revoke": ["GET", "POST"]
} as const satisfies Readonly<Record<`/${string}`, ReadonlyArray<"GET" | "POST">>>

/** Templates of paths of which only some exist. None accepts forms. */
export const pageFamilies = ["/problems/:code", "/assets/:file", "/sandbox/:order", "/guide/:page"] as const

type Pages = typeof pagePaths
type InFamily<Template> = Template extends `${infer Folder}:${string}` ? `${Folder}${string}` : never

export type PagePath = keyof Pages | InFamily<(typeof pageFamilies)[number]>
export type PageMethod<Path extends PagePath> = Path extends keyof Pages ? Pages[Path][number] : "GET" | "POST"

/** `HttpRouter.add` for a path of these tables. */
export const addPage = <Path extends PagePath, E = never, R = never>(
  method: PageMethod<Path>,
  path: Path,
  handler: HttpServerResponse.HttpServerResponse | Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>
) => HttpRouter.add(method, path, handler)
