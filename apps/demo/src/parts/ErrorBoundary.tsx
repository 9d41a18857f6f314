import { Component } from "react"
import type { ReactNode } from "react"

interface Props {
  readonly children: ReactNode
}

/** Replaces a view that throws: the other views and the navigation stay. */
export class ErrorBoundary extends Component<Props, { readonly isBroken: boolean }> {
  override state = { isBroken: false }

  static getDerivedStateFromError() {
    return { isBroken: true }
  }

  override render() {
    if (!this.state.isBroken) return this.props.children
    return (
      <p className="problem" role="alert">
        This view cannot be drawn in this browser, or not at the moment. The other views are not affected.{" "}
        <button type="button" className="link" onClick={() => window.location.reload()}>
          Load the page again
        </button>
      </p>
    )
  }
}
