/** The files and folders that a document names in backticks, and the folders in which the document says that they are. */

/** Folders in which paths of the documents begin. */
const roots = ["apps/server/src/", ""]

/** A paragraph, an item of a list, or a row of a table. */
interface Block {
  /** The spaces before an item. A paragraph has less than any: the items after it belong to it. */
  readonly indent: number
  readonly text: string
}

const toBlocks = (document: string): ReadonlyArray<Block> => {
  const blocks: Array<Block> = []
  let isContinued = false
  for (const line of document.replaceAll(/^```[^]*?^```$/gm, "").split("\n")) {
    const last = isContinued ? blocks.pop() : undefined
    const item = /^( *)(?:- |\d+\. |\|)/.exec(line)
    if (last !== undefined && (item !== null || line.trim() === "")) blocks.push(last)
    isContinued = line.trim() !== ""
    if (!isContinued) continue
    if (last === undefined || item !== null) blocks.push({ indent: item?.[1]?.length ?? -1, text: line.trim() })
    else blocks.push({ ...last, text: `${last.text} ${line.trim()}` })
  }
  return blocks
}

/** Each block after those that it belongs to. */
const withParents = (blocks: ReadonlyArray<Block>): ReadonlyArray<ReadonlyArray<Block>> => {
  let open: ReadonlyArray<Block> = []
  return blocks.map((block) => {
    open = [...open.filter(({ indent }) => indent < block.indent), block]
    return open
  })
}

interface Name {
  readonly path: string
  /** The folder in which the text says that it is, as in "`A.ts` and `B.ts` of `a/b/`". */
  readonly folder: string | undefined
}

/** Files such as `cex/Tape.ts` and folders such as `cex/tape/`. Suffixes, such as `...View.tsx`, begin with a dot. */
const pattern = /`((?!\.)[\w./-]+?(?:\.tsx?|\.json|\.md|\/))`/g

/** What separates names that a folder after them is not stated for. */
const separator = /->|[;:]|\. /

const readNames = (text: string): ReadonlyArray<Name> => {
  const names: Array<Name> = []
  let folder: string | undefined
  let next = text.length
  for (const { 0: quoted, 1: path = "", index } of [...text.matchAll(pattern)].toReversed()) {
    const isOf = path.endsWith("/") && text.slice(0, index).endsWith(" of ")
    if (separator.test(text.slice(index + quoted.length, next))) folder = undefined
    names.unshift({ path, folder: isOf ? undefined : folder })
    if (isOf) folder = path
    next = index
  }
  return names
}

/** The files of the cells of a table, as in "`a/b/` X, Y; `c/` Z". */
const readCells = (text: string): ReadonlyArray<string> =>
  text.startsWith("|")
    ? [...text.matchAll(/`([\w./-]+\/)` ((?:[A-Z]\w*(?:, )?)+)/g)].flatMap(([, folder, files = ""]) =>
        files.split(", ").map((file) => `${folder}${file}.ts`)
      )
    : []

const expand = (path: string): string => path.replace(/^(core|contract)\//, "packages/$1/src/")

const toFolder = (path: string): string => path.slice(0, path.lastIndexOf("/") + 1)

/**
 * The names that are not where the document says: in the folder that follows them, or else in one that is named before
 * or after them in the same item, or in an item or a paragraph to which it belongs.
 */
export const findMisplaced = (document: string, exists: (path: string) => boolean): ReadonlyArray<string> =>
  withParents(toBlocks(document)).flatMap((blocks) => {
    const resolve = (path: string, folders: Iterable<string>) =>
      [...folders].map((folder) => folder + expand(path)).find(exists)
    const known = new Set(roots)
    const find = ({ folder, path }: Name): string | undefined => {
      if (folder === undefined) return resolve(path, known)
      const stated = resolve(folder, known)
      return resolve(path, [...(stated === undefined ? [] : [stated]), ...(path.includes("/") ? roots : [])])
    }
    for (const name of blocks.flatMap(({ text }) => readNames(text))) {
      const found = name.path.includes("/") ? find(name) : undefined
      if (found !== undefined) known.add(toFolder(found))
    }
    const { text } = blocks.at(-1) ?? { text: "" }
    const wrong = readNames(text).filter((name) => find(name) === undefined)
    return [
      ...wrong.map(({ folder, path }) => (folder === undefined ? path : `${path} of ${folder}`)),
      ...readCells(text).filter((path) => resolve(path, roots) === undefined)
    ]
  })
