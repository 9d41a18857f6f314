import { createServer } from "node:http"
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { Context, Effect, Layer, Schema } from "effect"
import { HttpRouter, HttpServer, HttpServerRequest, HttpServerResponse } from "effect/http"
import { Devnet } from "./devnet/Devnet.ts"

/** The offline start takes blocks below this depth for final: a deeper reorg contradicts what the service calls final. */
const finality = 32

/** The body of `POST /sandbox/reorg`: how many of the newest blocks to replace. */
const ReorgOrder = Schema.Struct({ depth: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: finality })) })

const sentence = (message: string, status: number) => HttpServerResponse.jsonUnsafe({ message }, { status })

const reorg = Effect.gen(function* () {
  const devnet = yield* Devnet
  const order = yield* Effect.option(HttpServerRequest.schemaBodyJson(ReorgOrder))
  if (order._tag === "None")
    return sentence(`The body must be {"depth": n}, with n an integer from 1 to ${finality}.`, 400)
  const { depth } = order.value
  return yield* devnet.chain.reorg(depth).pipe(
    Effect.map(({ hash, number }) => HttpServerResponse.jsonUnsafe({ depth, head: { number: String(number), hash } })),
    Effect.catch((error) => Effect.succeed(sentence(error.message, error.reason === "InvalidDepth" ? 409 : 502)))
  )
})

/** An HTTP interface over which another process replaces blocks of the devnet: the counterpart of the exchange's faults. */
export class ReorgApi extends Context.Service<
  ReorgApi,
  {
    /** `http://host:port` */
    readonly address: string
  }
>()("@chaintape/sandbox/ReorgApi") {
  static readonly layer = Layer.effect(
    ReorgApi,
    Effect.map(HttpServer.HttpServer, ({ address }) => ReorgApi.of({ address: HttpServer.formatAddress(address) }))
  ).pipe(
    Layer.provide(
      HttpRouter.serve(HttpRouter.add("POST", "/sandbox/reorg", reorg), {
        disableLogger: true,
        disableListenLog: true
      }).pipe(
        Layer.provideMerge(
          NodeHttpServer.layer(createServer, { host: "127.0.0.1", port: 0, gracefulShutdownTimeout: "100 millis" })
        )
      )
    )
  )
}
