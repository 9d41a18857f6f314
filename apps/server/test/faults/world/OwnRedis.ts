import { existsSync } from "node:fs"
import { join } from "node:path"
import { keepRunning } from "./Child.ts"

export const redisProgram: string | undefined = (process.env["PATH"] ?? "")
  .split(":")
  .map((folder) => join(folder, "redis-server"))
  .find(existsSync)

/** A separate Redis without persistence, which is restarted whenever it ends. */
export const ownRedis = (port: number) =>
  keepRunning({
    name: "redis",
    command: redisProgram ?? "redis-server",
    args: ["--port", String(port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"],
    ending: "SIGTERM"
  })
