/** Whether a body can mean "no rows": it contains an empty list and no other. */
export const isEmptyBody = (body: unknown): boolean => {
  let empty = 0
  const holdsRows = (value: unknown): boolean => {
    if (Array.isArray(value)) {
      if (value.length === 0) empty++
      return value.length > 0
    }
    return typeof value === "object" && value !== null && Object.values(value).some(holdsRows)
  }
  return !holdsRows(body) && empty > 0
}
