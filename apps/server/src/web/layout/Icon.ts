/** The icon of every page: three candles. */
export const icon =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E%3Crect width='16' height='16' rx='3' fill='%23155e75'/%3E%3Cpath d='M4 4v9M8 2v9M12 5v8' stroke='%23a5f3fc'/%3E%3Cpath d='M4 6v5M8 4v5M12 7v4' stroke='%23a5f3fc' stroke-width='2.4'/%3E%3C/svg%3E"
