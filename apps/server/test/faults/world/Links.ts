import { execFileSync } from "node:child_process"
import { getuid, pid } from "node:process"
import { Effect } from "effect"
import { cutLink } from "../../auth/limits/CutLink.ts"
import { Workshop } from "./Workshop.ts"

/** The link between one instance and the store. */
export interface Link {
  readonly host: string
  readonly port: number
  /** Drops everything silently. */
  readonly cut: Effect.Effect<void>
  readonly mend: Effect.Effect<void>
  /** 256 kbit in a second each way; none if the link is a proxy. */
  readonly slow: Effect.Effect<void> | undefined
}

export interface Links {
  readonly means: "network namespace" | "proxy"
  /** Where the store must run: the prefix of its command. */
  readonly inside: ReadonlyArray<string>
  /** A link for checks, which is never cut. */
  readonly observer: { readonly host: string; readonly port: number }
  readonly of: ReadonlyArray<Link>
}

const run = (command: string, ...args: ReadonlyArray<string>) =>
  void execFileSync(command, args, { stdio: ["ignore", "ignore", "pipe"] })

const works = (command: string, ...args: ReadonlyArray<string>): boolean => {
  try {
    run(command, ...args)
    return true
  } catch {
    // Not installed, or not allowed.
    return false
  }
}

/** Whether this user may make network namespaces with `ip` and limit the speed of a link with `tc`. */
export const hasNamespaces = getuid?.() === 0 && works("ip", "netns", "list") && works("tc", "-V")

const rate = ["tbf", "rate", "256kbit", "burst", "32kbit", "latency", "2s"] as const

/**
 * The store in a separate network namespace, with one cable to each instance. A cable that is unplugged at the store's
 * end looks connected to the instance.
 */
const namespaced = Effect.fnUntraced(function* (count: number, port: number) {
  const { atTheEnd } = yield* Workshop
  const namespace = `chaintape-${pid}`
  run("ip", "netns", "add", namespace)
  atTheEnd(`ip netns del ${namespace}`)
  const within = (...command: ReadonlyArray<string>) => run("ip", "netns", "exec", namespace, ...command)
  within("ip", "link", "set", "lo", "up")
  const cables = Array.from({ length: count + 1 }, (_, at) => {
    // The address block reserved for network benchmarks.
    const block = (pid % 16) * 16 + at
    const near = `ct${pid}n${at}`.slice(-15)
    const far = `ct${pid}f${at}`.slice(-15)
    run("ip", "link", "add", near, "type", "veth", "peer", "name", far, "netns", namespace)
    atTheEnd(`ip link del ${near}`)
    run("ip", "addr", "add", `198.18.${block}.1/30`, "dev", near)
    run("ip", "link", "set", near, "up")
    within("ip", "addr", "add", `198.18.${block}.2/30`, "dev", far)
    within("ip", "link", "set", far, "up")
    return { near, far, host: `198.18.${block}.2` }
  })
  const links = cables.map(({ far, host, near }): Link => ({
    host,
    port,
    cut: Effect.sync(() => within("ip", "link", "set", far, "down")),
    mend: Effect.sync(() => {
      within("ip", "link", "set", far, "up")
      works("tc", "qdisc", "del", "dev", near, "root")
      works("ip", "netns", "exec", namespace, "tc", "qdisc", "del", "dev", far, "root")
    }),
    slow: Effect.sync(() => {
      run("tc", "qdisc", "replace", "dev", near, "root", ...rate)
      within("tc", "qdisc", "replace", "dev", far, "root", ...rate)
    })
  }))
  return {
    means: "network namespace",
    inside: ["ip", "netns", "exec", namespace],
    observer: { host: cables.at(-1)?.host ?? "", port },
    of: links.slice(0, count)
  } satisfies Links
})

/** The store on this machine's own address, behind one proxy for each instance. */
const proxied = Effect.fnUntraced(function* (count: number, port: number) {
  const links = yield* Effect.forEach(Array.from({ length: count }), () =>
    Effect.map(cutLink(new URL(`postgres://127.0.0.1:${port}`)), ({ turn, url }): Link => ({
      host: url.hostname,
      port: Number(url.port),
      cut: turn("silent"),
      mend: turn("open"),
      slow: undefined
    }))
  )
  return { means: "proxy", inside: [], observer: { host: "127.0.0.1", port }, of: links } satisfies Links
})

export const makeLinks = Effect.fnUntraced(function* (count: number, port: number) {
  const links: Links = hasNamespaces ? yield* namespaced(count, port) : yield* proxied(count, port)
  return links
})
