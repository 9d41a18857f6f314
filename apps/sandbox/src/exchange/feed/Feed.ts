import * as NodeHttpServerRequest from "@effect/platform-node/NodeHttpServerRequest"
import { Clock, Deferred, Duration, Effect, Queue } from "effect"
import type { Scope } from "effect"
import { HttpServerResponse } from "effect/http"
import type { HttpServerError, HttpServerRequest } from "effect/http"
import { Socket } from "effect/socket"
import { deliveryFaults } from "../faults/FaultBoard.ts"
import type { FaultBoard } from "../faults/FaultBoard.ts"
import type { Listing, Markets } from "../market/Markets.ts"
import type { Trade } from "../market/Trade.ts"
import type { MutableCounters } from "../rest/Counters.ts"
import { getDelay } from "../rest/FaultyResponse.ts"
import { FeedSession } from "./FeedSession.ts"
import type { Delivery } from "./FeedSession.ts"

export interface FeedOptions {
  readonly markets: Markets
  readonly board: FaultBoard
  readonly counters: MutableCounters
  readonly subscriptionsPerSocket: number
  readonly subscribeWithin: Duration.Input
  /** Bytes that may be queued for a reader; a slower one is disconnected. */
  readonly maxBufferedBytes: number
}

/** Frames that may be queued before the socket. */
const maxQueuedFrames = 65_536

/** The state of a connection from the operating system, besides its frames. */
interface RawSocket {
  readonly destroyed: boolean
  readonly writableLength: number
  destroy(): unknown
  resetAndDestroy(): unknown
  pause(): unknown
}

/** The stream: every connection with its session. */
export class Feed {
  readonly #options: FeedOptions
  readonly #sessions = new Set<FeedSession>()

  constructor(options: FeedOptions) {
    this.#options = options
  }

  publish(listing: Listing, trades: ReadonlyArray<Trade>): void {
    for (const session of this.#sessions) session.publish(listing, trades)
  }

  /** Serves one connection until either side closes it. */
  readonly serve = Effect.fnUntraced(
    { self: this },
    function* (
      request: HttpServerRequest.HttpServerRequest
    ): Effect.fn.Return<HttpServerResponse.HttpServerResponse, HttpServerError.HttpServerError> {
      const socket = yield* request.upgrade
      const raw = NodeHttpServerRequest.toIncomingMessage(request).socket
      // A peer that has closed gets no response.
      yield* Effect.scoped(this.#connect(socket, raw)).pipe(Effect.catchTag("SocketError", () => Effect.void))
      return HttpServerResponse.empty()
    }
  )

  readonly #connect = Effect.fnUntraced(
    { self: this },
    function* (socket: Socket.Socket, raw: RawSocket): Effect.fn.Return<void, Socket.SocketError, Scope.Scope> {
      const { board, subscriptionsPerSocket, markets } = this.#options
      const pull = yield* Socket.readerString(socket)
      const writer = yield* socket.writer
      const outbox = yield* Queue.dropping<Delivery>(maxQueuedFrames)
      const ended = yield* Deferred.make<void>()
      const deliver = (delivery: Delivery) => {
        if (!Queue.offerUnsafe(outbox, delivery)) this.#cutOff(raw)
      }
      const session = new FeedSession({ markets, board, subscriptionsPerSocket, deliver })
      yield* Effect.acquireRelease(
        Effect.sync(() => this.#enter(session)),
        () => Effect.sync(() => this.#leave(session))
      )
      yield* Effect.forkScoped(this.#closeUnlessSubscribed(session, writer, ended))
      yield* Effect.forkScoped(beatForever(session))
      // If a frame cannot be written, the connection has failed: `receive` fails, too.
      yield* Effect.forkScoped(Effect.ignore(this.#drain(outbox, writer, raw, ended)))
      const receive = Effect.forever(Effect.map(pull, (frames) => frames.forEach((frame) => session.receive(frame))))
      yield* Effect.raceFirst(receive, Deferred.await(ended))
    }
  )

  readonly #drain = Effect.fnUntraced(
    { self: this },
    function* (
      outbox: Queue.Queue<Delivery>,
      writer: Socket.Writer,
      raw: RawSocket,
      ended: Deferred.Deferred<void>
    ): Effect.fn.Return<void, Socket.SocketError> {
      const { board, counters, maxBufferedBytes } = this.#options
      let silent = false
      while (true) {
        const deliveries = yield* Queue.takeAll(outbox)
        const delay = getDelay(board.selectFaults({ endpoint: "stream" }, deliveryFaults), (fault) => board.draw(fault))
        if (delay > 0) yield* Effect.sleep(Duration.millis(delay))
        for (const delivery of deliveries) {
          if (silent) continue
          if (typeof delivery === "string") {
            yield* writer.write(delivery)
            counters.framesSent++
          } else if (delivery.drop === "silence") {
            silent = true
            // Unread pings are not answered, as on a half-open connection.
            raw.pause()
          } else {
            if (delivery.drop === "reset") raw.resetAndDestroy()
            else yield* writer.write(new Socket.CloseEvent(1000, ""))
            return yield* Effect.asVoid(Deferred.succeed(ended, undefined))
          }
        }
        if (raw.writableLength > maxBufferedBytes) this.#cutOff(raw)
      }
    }
  )

  readonly #closeUnlessSubscribed = Effect.fnUntraced(
    { self: this },
    function* (session: FeedSession, writer: Socket.Writer, ended: Deferred.Deferred<void>) {
      yield* Effect.sleep(this.#options.subscribeWithin)
      if (session.isSubscribed) return
      // A connection that has failed meanwhile needs no close frame.
      yield* Effect.ignore(writer.write(new Socket.CloseEvent(1008, "no subscription was received in time")))
      yield* Deferred.succeed(ended, undefined)
    }
  )

  #cutOff(raw: RawSocket): void {
    if (raw.destroyed) return
    this.#options.counters.slowReaders++
    raw.destroy()
  }

  #enter(session: FeedSession): void {
    this.#sessions.add(session)
    this.#options.counters.connections++
    this.#options.counters.openConnections++
  }

  #leave(session: FeedSession): void {
    this.#sessions.delete(session)
    this.#options.counters.openConnections--
  }
}

const beatForever = (session: FeedSession): Effect.Effect<never> =>
  Effect.sleep("1 second").pipe(
    Effect.andThen(Clock.currentTimeMillis),
    Effect.map((now) => session.beat(now * 1000)),
    Effect.forever
  )
