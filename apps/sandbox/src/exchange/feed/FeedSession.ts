import { Option, Schema } from "effect"
import { otherPrice } from "../faults/DistortedBody.ts"
import type { FaultOf } from "../faults/Fault.ts"
import { findFault, frameFaults } from "../faults/FaultBoard.ts"
import type { FaultBoard } from "../faults/FaultBoard.ts"
import type { Listing, Markets } from "../market/Markets.ts"
import type { Trade } from "../market/Trade.ts"
import { heartbeat, match } from "../rest/Wire.ts"

const Channel = Schema.Literals(["matches", "heartbeat"])
type Channel = typeof Channel.Type

const Message = Schema.fromJsonString(
  Schema.Struct({
    type: Schema.Literals(["subscribe", "unsubscribe"]),
    product_ids: Schema.optionalKey(Schema.Array(Schema.String)),
    channels: Schema.Array(
      Schema.Union([
        Schema.String,
        Schema.Struct({ name: Schema.String, product_ids: Schema.optionalKey(Schema.Array(Schema.String)) })
      ])
    )
  })
)
const decodeMessage = Schema.decodeUnknownOption(Message)
const isChannel = Schema.is(Channel)

type Message = typeof Message.Type

/** An action on the socket, in this order. */
export type Delivery = string | { readonly drop: FaultOf<"socket-drop">["mode"] }

export interface FeedSessionOptions {
  readonly markets: Markets
  readonly board: FaultBoard
  readonly subscriptionsPerSocket: number
  /** Takes the pending actions, in order. */
  readonly deliver: (delivery: Delivery) => void
}

interface Held {
  readonly text: string
  left: number
}

/** The subscriptions of one client of the stream, and its pending frames. It is independent of the socket. */
export class FeedSession {
  readonly #options: FeedSessionOptions
  readonly #subscriptions = new Map<Channel, Set<string>>()
  #held: Array<Held> = []

  constructor(options: FeedSessionOptions) {
    this.#options = options
  }

  get isSubscribed(): boolean {
    return this.#subscriptions.size > 0
  }

  /** A frame from the client. */
  receive(text: string): void {
    const message = Option.getOrUndefined(decodeMessage(text))
    if (message === undefined)
      return this.#refuse("Malformed message", "expected subscribe or unsubscribe with channels")
    const wanted = this.#read(message)
    if (typeof wanted === "string") return this.#refuse(`Failed to ${message.type}`, wanted)
    for (const { channel, products } of wanted) {
      if (message.type === "subscribe") this.#add(channel, products)
      else this.#remove(channel, products)
    }
    this.#send({ type: "subscriptions", channels: this.#current() })
    if (message.type === "subscribe") this.#sendLastMatches(wanted)
  }

  /** New trades of a product, oldest first. */
  publish({ product }: Listing, trades: ReadonlyArray<Trade>): void {
    if (this.#subscriptions.get("matches")?.has(product.id) !== true) return
    for (const trade of trades) {
      const frame = match("match", product, trade, this.#skew(product.id, trade.time))
      this.#deliverFrame(frame, product.id)
    }
  }

  /** The heartbeats of one second. */
  beat(time: number): void {
    for (const id of this.#subscriptions.get("heartbeat") ?? []) {
      const listing = this.#options.markets.get(id)
      if (listing === undefined) continue
      const shown = time + this.#options.board.skew("time", { endpoint: "stream", product: id }, time)
      this.#send(heartbeat(listing.product, listing.market.sequence, shown))
    }
  }

  #deliverFrame(frame: ReturnType<typeof match>, product: string): void {
    const applied = this.#options.board.selectFaults({ endpoint: "stream", product }, frameFaults, frame.trade_id)
    const text = JSON.stringify(frame)
    const late = findFault(applied, "out-of-order")
    const twice = findFault(applied, "duplicate")
    const drop = findFault(applied, "socket-drop")
    const due = this.#countDown()
    if (findFault(applied, "frame-loss") === undefined) {
      if (late === undefined) this.#options.deliver(text)
      else this.#held.push({ text, left: 1 + Math.floor(this.#options.board.draw(late) * late.window) })
      if (twice !== undefined) {
        this.#send(twice.content === "same" ? frame : { ...frame, price: otherPrice(frame.price) })
      }
    }
    for (const held of due) this.#options.deliver(held.text)
    if (drop !== undefined) this.#options.deliver({ drop: drop.mode })
  }

  /** Delayed frames that are due. */
  #countDown(): ReadonlyArray<Held> {
    for (const held of this.#held) held.left--
    const due = this.#held.filter(({ left }) => left <= 0)
    this.#held = this.#held.filter(({ left }) => left > 0)
    return due
  }

  /** The channels of a message with their products, or the reason of its rejection. */
  #read(message: Message) {
    const wanted: Array<{ readonly channel: Channel; readonly products: ReadonlyArray<string> }> = []
    for (const entry of message.channels) {
      const name = typeof entry === "string" ? entry : entry.name
      if (!isChannel(name)) return `${name} is not a valid channel`
      const named = (typeof entry === "string" ? undefined : entry.product_ids) ?? message.product_ids
      const products = named ?? (message.type === "unsubscribe" ? [...(this.#subscriptions.get(name) ?? [])] : [])
      const unknown = products.find((id) => this.#options.markets.get(id) === undefined)
      if (unknown !== undefined) return `${unknown} is not a valid product`
      if (products.length === 0 && message.type === "subscribe") return "no product_ids were given"
      wanted.push({ channel: name, products })
    }
    if (wanted.length === 0) return "no channels were given"
    return message.type === "subscribe" && this.#countWith(wanted) > this.#options.subscriptionsPerSocket
      ? `more than ${this.#options.subscriptionsPerSocket} subscriptions`
      : wanted
  }

  #countWith(wanted: ReadonlyArray<{ readonly channel: Channel; readonly products: ReadonlyArray<string> }>): number {
    const all = new Set(wanted.flatMap(({ channel, products }) => products.map((id) => `${channel}/${id}`)))
    for (const [channel, products] of this.#subscriptions) for (const id of products) all.add(`${channel}/${id}`)
    return all.size
  }

  #add(channel: Channel, products: ReadonlyArray<string>): void {
    this.#subscriptions.set(channel, new Set([...(this.#subscriptions.get(channel) ?? []), ...products]))
  }

  #remove(channel: Channel, products: ReadonlyArray<string>): void {
    const left = new Set([...(this.#subscriptions.get(channel) ?? [])].filter((id) => !products.includes(id)))
    if (left.size === 0) this.#subscriptions.delete(channel)
    else this.#subscriptions.set(channel, left)
  }

  #current() {
    return [...this.#subscriptions].map(([name, products]) => ({ name, product_ids: [...products] }))
  }

  #sendLastMatches(
    wanted: ReadonlyArray<{ readonly channel: Channel; readonly products: ReadonlyArray<string> }>
  ): void {
    for (const id of new Set(wanted.flatMap(({ channel, products }) => (channel === "matches" ? products : [])))) {
      const listing = this.#options.markets.get(id)
      const trade = listing?.journal.get(listing.journal.last)
      if (listing === undefined || trade === undefined) continue
      this.#send(match("last_match", listing.product, trade, this.#skew(id, trade.time)))
    }
  }

  #skew(product: string, time: number): number {
    return this.#options.board.skew("trades", { endpoint: "stream", product }, time)
  }

  #refuse(message: string, reason: string): void {
    this.#send({ type: "error", message, reason })
  }

  #send(frame: object): void {
    this.#options.deliver(JSON.stringify(frame))
  }
}
