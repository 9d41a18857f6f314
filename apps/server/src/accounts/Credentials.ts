/** The e-mail address and the password of a form. */
export interface Credentials {
  /** Normalized. */
  readonly email: string
  readonly password: string
  /** The address of the request. */
  readonly address: string
}

export const maxEmailLength = 254

/** One `@` with text on both sides, a dot on the right side, and no character that is invalid in an address. */
const emailShape = /^[^\s@<>"(),:;[\]\\\p{Cc}]{1,64}@[^\s@<>"(),:;[\]\\\p{Cc}]+\.[^\s@<>"(),:;[\]\\\p{Cc}.]+$/u

/** The stored form of an e-mail address: trimmed and in lower case. Undefined if the text is not an address. */
export const normalizeEmail = (text: string): string | undefined => {
  const email = text.trim().toLowerCase()
  return email.length <= maxEmailLength && emailShape.test(email) && !email.includes("..") ? email : undefined
}

export const minPasswordLength = 10
export const maxPasswordLength = 256

/** The most common passwords of at least ten characters. Shorter ones are refused for their length. */
const commonest = new Set(
  (
    "1234567890 0123456789 0987654321 9876543210 1111111111 0000000000 12345678910 123456789a a123456789 1q2w3e4r5t " +
    "1qaz2wsx3edc 1q2w3e4r5t6y qwertyuiop qwertyuiop123 asdfghjkl1 asdfghjkl123 zxcvbnm123 qwerty12345 qwerty123456 " +
    "qwe123qwe123 password12 password123 password1234 password12345 passw0rd123 p@ssw0rd123 p@ssword123 passwordpassword " +
    "mypassword mypassword1 letmein123 letmeinnow welcome123 welcome1234 iloveyou12 iloveyou123 iloveyou1234 sunshine123 " +
    "princess123 football123 baseball123 dragon1234 monkey1234 superman123 batman1234 abcdefghij abcdefghijk abcd123456 " +
    "abc1234567 abc123abc123 administrator admin12345 admin123456 adminadmin changeme123 changemenow secret1234 " +
    "qazwsxedcrfv 1234qwerasdf trustno1trustno1 bitcoin123 ethereum123 blockchain crypto1234 cryptocurrency chaintape123"
  ).split(" ")
)

const sameCharacter = /^(.)\1*$/su

/** The defect of a new password, as a sentence. The password may not be `email` either. */
export const passwordIssue = (password: string, email: string | undefined): string | undefined => {
  const { length } = [...password]
  if (length < minPasswordLength) return `Use at least ${minPasswordLength} characters.`
  if (length > maxPasswordLength) return `Use at most ${maxPasswordLength} characters.`
  const plain = password.toLowerCase()
  if (commonest.has(plain) || sameCharacter.test(plain)) return "This is one of the first passwords that others try."
  return plain === email ? "The e-mail address is no password." : undefined
}
