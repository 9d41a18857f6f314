import { Operation } from "@chaintape/core/operations"
/** The problems of requests that match no operation: no call of a client returns them, so its bundle omits them. */
import * as Schema from "effect/Schema"

/** No operation has this path. */
export class NotFound extends Operation.problemClass<NotFound>()(
  "NotFound",
  { status: 404 },
  { path: Schema.String }
) {}

/** The path exists, but only for other methods. */
export class MethodNotAllowed extends Operation.problemClass<MethodNotAllowed>()(
  "MethodNotAllowed",
  { status: 405 },
  { method: Schema.String }
) {}

/** The URL is longer than the service accepts. */
export class UriTooLong extends Operation.problemClass<UriTooLong>()("UriTooLong", {
  status: 414,
  title: "URI too long"
}) {}

/** The request headers are larger than the service accepts. */
export class HeadersTooLarge extends Operation.problemClass<HeadersTooLarge>()("HeadersTooLarge", { status: 431 }) {}
