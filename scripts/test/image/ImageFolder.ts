/** Follows a Dockerfile without Docker: what an image contains, in folders. */
import { cp, glob, mkdir, readFile, stat } from "node:fs/promises"
import { basename, dirname, join } from "node:path"
import { run } from "../../Command.ts"

interface Instruction {
  readonly name: string
  readonly rest: string
}

const readInstructions = (text: string): ReadonlyArray<Instruction> =>
  text
    .replaceAll(/\\\n\s*/g, "")
    .split("\n")
    .filter((line) => /^[A-Z]+ /.test(line))
    .map((line) => ({ name: line.slice(0, line.indexOf(" ")), rest: line.slice(line.indexOf(" ") + 1) }))

/** The files of the build context: those that an ignore file of exceptions (`!pattern`) allows, and git tracks. */
const copyContext = async (repository: string, ignoreFile: string, context: string): Promise<void> => {
  const allowed = (await readFile(ignoreFile, "utf8"))
    .split("\n")
    .filter((line) => line.startsWith("!"))
    .map((line) => line.slice(1))
  const { output } = await run("git", ["ls-files", "--cached", "--others", "--exclude-standard"], { cwd: repository })
  const tracked = new Set(output.trim().split("\n"))
  for await (const path of glob(
    allowed.flatMap((pattern) => [pattern, `${pattern}/**`]),
    { cwd: repository }
  )) {
    if (!tracked.has(path)) continue
    await mkdir(dirname(join(context, path)), { recursive: true })
    await cp(join(repository, path), join(context, path))
  }
}

/** Copies a folder or a file. On Linux, files are hard links: a stage has ten thousands of them. */
const link = async (from: string, to: string): Promise<void> => {
  if (process.platform !== "linux") return cp(from, to, { recursive: true, verbatimSymlinks: true })
  const { code, output } = await run("cp", ["-a", "--link", "--no-target-directory", from, to], { cwd: "/" })
  if (code !== 0) throw new Error(output)
}

const isFolder = async (path: string): Promise<boolean> => (await stat(path)).isDirectory()

/** As `COPY`: the content of a folder, or a file into a folder whose path ends with a slash. */
const copy = async (from: string, to: string): Promise<void> => {
  const target = (await isFolder(from)) || !to.endsWith("/") ? to : join(to, basename(from))
  await mkdir(dirname(target), { recursive: true })
  await link(from, target)
}

export interface ImageFolder {
  /** Its working directory. */
  readonly workdir: string
  readonly entrypoint: ReadonlyArray<string>
}

/**
 * Makes the last stage of a Dockerfile below `root`. It runs `pnpm` and `node`, and skips what changes the machine: a
 * global installation, users, absolute folders.
 */
export const makeImageFolder = async (repository: string, dockerfile: string, root: string): Promise<ImageFolder> => {
  const context = join(root, "context")
  await copyContext(repository, `${dockerfile}.dockerignore`, context)
  const stages = new Map<string, string>()
  let stage = ""
  let workdir = ""
  let entrypoint: ReadonlyArray<string> = []
  for (const { name, rest } of readInstructions(await readFile(dockerfile, "utf8"))) {
    if (name === "FROM") {
      const [base = "", , alias = "image"] = rest.split(" ")
      stage = join(root, alias)
      stages.set(alias, stage)
      const parent = stages.get(base)
      if (parent === undefined) await mkdir(stage)
      else await link(parent, stage)
    } else if (name === "WORKDIR") {
      workdir = rest
      await mkdir(join(stage, workdir), { recursive: true })
    } else if (name === "COPY") {
      const words = rest.split(" ")
      const source = stages.get(/^--from=(.*)$/.exec(words[0] ?? "")?.[1] ?? "")
      const paths = source === undefined ? words : words.slice(1)
      const to = join(stage, workdir, paths.at(-1) ?? "")
      for (const path of paths.slice(0, -1)) await copy(join(source ?? context, path), to)
    } else if (name === "RUN" && /^(pnpm|node) /.test(rest)) {
      const [program = "", ...args] = rest.replaceAll('"', "").split(" ")
      const offline = program === "pnpm" ? ["--prefer-offline"] : []
      const { code, output } = await run(program, [...args, ...offline], {
        cwd: join(stage, workdir),
        env: { CI: "true" }
      })
      if (code !== 0) throw new Error(`RUN ${rest}\n${output}`)
    } else if (name === "ENTRYPOINT") {
      entrypoint = JSON.parse(rest) as ReadonlyArray<string>
    }
  }
  return { workdir: join(stage, workdir), entrypoint }
}
