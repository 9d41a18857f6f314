/** Loaded before a program, to step its clock: `STEPPED_CLOCK` names the file with the offset in milliseconds. */
import { readFileSync, watchFile } from "node:fs"

const file = process.env["STEPPED_CLOCK"] ?? ""
const RightDate = Date
const rightNow = Date.now
let offset = 0

const read = () => {
  offset = Number(readFileSync(file, "utf8"))
}

if (file !== "") {
  read()
  watchFile(file, { interval: 100, persistent: false }, read)
  // Every reading of the wall clock in JavaScript is one of these; timers use the monotonic clock.
  RightDate.now = () => rightNow() + offset
  globalThis.Date = new Proxy(RightDate, {
    construct: (target, given, made): object =>
      Reflect.construct(target, given.length === 0 ? [target.now()] : given, made),
    apply: (target) => new target(target.now()).toString()
  })
}
