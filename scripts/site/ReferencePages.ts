/** The reference: one page for each module of the packages, from its comments. */
import { type JsDoc } from "../docs/JsDoc.ts"
import type { ModuleExports, PublicExport } from "../docs/PublicExports.ts"
import type { PublicModule } from "../docs/PublicModules.ts"
import type { Signatures } from "./Signatures.ts"
import { code, paragraphs, prose, type SitePage, type SiteSection } from "./SitePage.ts"

const getPath = ({ namespace, specifier }: PublicModule) => {
  const path = specifier.replace("@chaintape/", "")
  if (namespace !== undefined) return `api/${path}/${namespace}.md`
  return `api/${path.includes("/") ? path : `${path}/index`}.md`
}

const getTitle = ({ namespace, specifier }: PublicModule) =>
  namespace === undefined ? specifier : `${namespace} of ${specifier}`

const examples = (doc: JsDoc | undefined): ReadonlyArray<string> =>
  (doc?.examples ?? []).flatMap((example) => [`**Example.** ${prose(example.title)}`.trim(), code("ts", example.code)])

/** How a program imports the exports of a module. */
const getImport = ({ declared, module, namespaces, taken }: ModuleExports): string => {
  const { namespace, specifier } = module
  const [first] = [...declared, ...taken].map(({ name }) => name)
  return `import { ${namespace ?? first ?? namespaces[0]?.name ?? ""} } from "${specifier}"`
}

const entry = (declaration: PublicExport, signature: Signatures): string => {
  const { doc, name } = declaration
  return paragraphs(
    `### ${name} {#${name}}`,
    prose(doc?.text ?? ""),
    code("ts", signature(declaration)),
    ...examples(doc),
    `<p class="origin">since ${doc?.since ?? ""}, in <code>${declaration.file}</code></p>`
  )
}

const capital = (text: string) => text.slice(0, 1).toUpperCase() + text.slice(1)

const categories = (declared: ReadonlyArray<PublicExport>, signature: Signatures): ReadonlyArray<string> => {
  const names = [...new Set(declared.map(({ doc }) => doc?.category ?? "exports"))]
  return names.flatMap((category) => [
    `## ${capital(category)}`,
    ...declared
      .filter(({ doc }) => (doc?.category ?? "exports") === category)
      .map((declaration) => entry(declaration, signature).trimEnd())
  ])
}

/** The modules that an index re-exports and that have pages of their own. */
const takenTable = (exports: ModuleExports, homes: ReadonlyMap<string, PublicModule>): ReadonlyArray<string> => {
  const rows = [
    ...exports.taken.map(({ doc, file, name }) => ({ file, name, anchor: `#${name}`, summary: doc?.summary ?? "" })),
    ...exports.namespaces.map(({ file, name }) => ({ file, name, anchor: "", summary: "All exports of the module." }))
  ]
  if (rows.length === 0) return []
  const lines = rows.map(({ anchor, file, name, summary }) => {
    const home = homes.get(file)
    const shown = home === undefined ? `\`${name}\`` : `[\`${name}\`](/${getPath(home)}${anchor})`
    return `| ${shown} | ${prose(summary).replaceAll("|", "\\|")} |`
  })
  return ["## From other modules", ["| Name | Summary |", "| --- | --- |", ...lines].join("\n")]
}

const toSitePage = (
  exports: ModuleExports,
  homes: ReadonlyMap<string, PublicModule>,
  signature: Signatures
): SitePage => {
  const { declared, doc, module } = exports
  const title = getTitle(module)
  return {
    path: getPath(module),
    title,
    summary: doc?.summary ?? "",
    text: paragraphs(
      `# ${title}`,
      prose(doc?.text ?? ""),
      code("ts", getImport(exports)),
      ...examples(doc),
      ...categories(declared, signature),
      ...takenTable(exports, homes)
    )
  }
}

/** A section for each package. */
export const referenceSections = (
  modules: ReadonlyArray<ModuleExports>,
  signature: Signatures
): ReadonlyArray<SiteSection> => {
  const homes = new Map(modules.map(({ module }) => [module.file, module]))
  const names = [...new Set(modules.map(({ module }) => module.specifier.split("/").slice(0, 2).join("/")))]
  return names.map((title) => ({
    title,
    pages: modules
      .filter(({ module }) => module.specifier === title || module.specifier.startsWith(`${title}/`))
      .map((exports) => toSitePage(exports, homes, signature))
  }))
}
