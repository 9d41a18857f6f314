// The price of one coin: the nearest to a last trade that this interface has.
import Coingecko from "@coingecko/coingecko-typescript"

const client = new Coingecko({ demoAPIKey: "key", environment: "demo" })
console.log(await client.simple.price.get({ ids: "bitcoin", vs_currencies: "usd" }))
