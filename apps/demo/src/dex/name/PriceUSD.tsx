import { Figure } from "../../parts/Figure.tsx"

/** The words for a price that the service does not have. */
export const noPriceUSD = "no USD price"

/** The price of a token in USD, if the service has one. */
export const PriceUSD = ({ price }: { readonly price: string | undefined }) =>
  price === undefined ? <small className="quiet">{noPriceUSD}</small> : <Figure value={price} as="price" />
