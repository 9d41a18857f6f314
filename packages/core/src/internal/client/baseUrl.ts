export const baseUrlRule = "it must be an address such as http://127.0.0.1:3000, without a query"

export const isBaseUrl = (text: string): boolean => /^\s*https?:[^?#]*$/i.test(text) && URL.canParse(text)
