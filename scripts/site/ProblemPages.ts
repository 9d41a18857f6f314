/** A page for each type of problem, with the text of the page that a running service serves at its `type`. */
import { explainedProblems } from "../../apps/server/src/web/ProblemPages.ts"
import { operations } from "../../packages/contract/src/Api.ts"
import { paragraphs, prose, type SitePage, type SiteSection } from "./SitePage.ts"

type Explained = (typeof explainedProblems)[number]

const answeredBy = (code: string): string => {
  const named = operations.filter(({ problems }) => problems.some((problem) => problem.code === code))
  if (named.length === 0) return "No operation: it is about requests that reach none."
  if (named.length === operations.length) return "Every operation."
  return named.map(({ group, name }) => `- \`${group}.${name}\``).join("\n")
}

const toSitePage = ({ cause, problem, remedy }: Explained): SitePage => ({
  path: `problems/${problem.code}.md`,
  title: problem.title,
  summary: cause,
  text: paragraphs(
    `# ${problem.title}`,
    `Status ${problem.status}, code \`${problem.code}\`, class \`${problem.identifier}\``,
    "## Cause",
    prose(cause),
    "## Remedy",
    prose(remedy),
    "## Answered by",
    answeredBy(problem.code)
  )
})

const overview = (): SitePage => ({
  path: "problems/index.md",
  title: "All problems",
  summary: "Every kind of problem by its status and code.",
  text: paragraphs(
    "# Problems",
    "Every answer with a status of 400 or more is a problem: `application/problem+json` with `type`, `title`, `status`, " +
      "`detail`, `code` and `requestId`. Its `type` is the path of a page that the service serves.",
    [
      "| Status | Code | Title |",
      "| --- | --- | --- |",
      ...explainedProblems.map(
        ({ problem: { code, status, title } }) => `| ${status} | [\`${code}\`](./${code}.md) | ${title} |`
      )
    ].join("\n")
  )
})

export const problemSection = (): SiteSection => ({
  title: "Problems",
  pages: [overview(), ...explainedProblems.map(toSitePage)]
})
