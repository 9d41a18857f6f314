import { Layer } from "effect"
import { HttpServerResponse } from "effect/http"
import * as DemoRoutes from "./demo/DemoRoutes.ts"
import * as SandboxControl from "./demo/SandboxControl.ts"
import * as GuideRoutes from "./GuideRoutes.ts"
import { addPage } from "./layout/PagePaths.ts"
import { problemPages } from "./ProblemPages.ts"

const index = "/problems"

const problemRoutes = Layer.mergeAll(
  addPage("GET", index, problemPages.get(index) ?? HttpServerResponse.empty()),
  ...[...problemPages]
    .filter(([path]) => path !== index)
    .map(([path, response]) => addPage("GET", `${index}/${path.slice(index.length + 1)}`, response))
)

/** The pages without a sign-in: the demo, the guide and the pages of problems. `example` is the path of a working operation. */
export const layer = (example: string) =>
  Layer.mergeAll(DemoRoutes.layer(example), SandboxControl.routes, GuideRoutes.layer, problemRoutes)
