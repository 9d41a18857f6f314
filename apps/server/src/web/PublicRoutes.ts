import { Layer } from "effect"
import * as DemoRoutes from "./demo/DemoRoutes.ts"
import * as SandboxControl from "./demo/SandboxControl.ts"
import * as GuideRoutes from "./GuideRoutes.ts"
import { addPage } from "./layout/PagePaths.ts"
import { problemPages } from "./ProblemPages.ts"

/** The pages without a sign-in: the demo, the guide and the pages of problems. `example` is the path of a working operation. */
export const layer = (example: string) =>
  Layer.mergeAll(
    DemoRoutes.layer(example),
    SandboxControl.routes,
    GuideRoutes.layer,
    ...[...problemPages].map(([path, response]) => addPage("GET", path, response))
  )
