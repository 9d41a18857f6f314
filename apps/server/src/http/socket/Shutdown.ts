/** How long requests in progress may take to finish after the stop has begun. They are interrupted then, with a problem. */
export const drainMs = 10_000

/**
 * After this time the remaining connections are reset, so that their readers notice that the end of the response is
 * missing. The two seconds after `drainMs` are for the last problems to arrive. A supervisor must wait longer than this.
 */
export const resetAfterMs = drainMs + 2000
