import { Component } from "react"
import type { ReactNode } from "react"

interface Props {
  /** The address of the page. Another page is drawn again. */
  readonly address: string
  readonly children: ReactNode
}

/** Replaces a page that throws: the other pages and the navigation stay. */
export class ErrorBoundary extends Component<Props, { readonly isBroken: boolean }> {
  override state = { isBroken: false }

  override componentDidUpdate({ address }: Props) {
    if (this.state.isBroken && address !== this.props.address) this.setState({ isBroken: false })
  }

  static getDerivedStateFromError() {
    return { isBroken: true }
  }

  override render() {
    if (!this.state.isBroken) return this.props.children
    return (
      <p className="problem" role="alert">
        This page cannot be drawn in this browser, or not at the moment. The others are not affected.{" "}
        <button type="button" className="link" onClick={() => window.location.reload()}>
          Load the page again
        </button>
      </p>
    )
  }
}
