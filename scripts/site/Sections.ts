import { readPackageExports } from "../docs/DocExamples.ts"
import { documentSections } from "./DocumentPages.ts"
import { httpSection } from "./HttpPages.ts"
import { problemSection } from "./ProblemPages.ts"
import { referenceSections } from "./ReferencePages.ts"
import { releaseSection } from "./ReleasePages.ts"
import { signatures } from "./Signatures.ts"
import type { SiteSection } from "./SitePage.ts"

/** Every section, in the order of the navigation. */
export const siteSections = async (root: string): Promise<ReadonlyArray<SiteSection>> => {
  const modules = await readPackageExports(root)
  const signature = await signatures(modules.flatMap(({ declared }) => declared))
  const [guides, ...others] = await documentSections(root)
  return [
    ...(guides === undefined ? [] : [guides]),
    httpSection(),
    ...referenceSections(modules, signature),
    problemSection(),
    await releaseSection(root),
    ...others
  ].filter(({ pages }) => pages.length > 0)
}
