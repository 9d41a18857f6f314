// The forms of the API reference: each sends its request and shows the response.

const storageKey = "chaintape-key" // the same as the demo's
const maxCharacters = 20_000
const maxEvents = 5

/** The browser may refuse every access to its storage. */
const readKey = () => {
  try {
    return sessionStorage.getItem(storageKey) ?? ""
  } catch {
    return ""
  }
}

const storeKey = (key) => {
  try {
    sessionStorage.setItem(storageKey, key)
  } catch {
    // The key stays in its input.
  }
}

const keyInput = document.querySelector("#key")
keyInput.value = readKey()

const toTarget = (form) => {
  const query = new URLSearchParams()
  let path = form.dataset.path
  for (const { dataset, name, value } of form.querySelectorAll("input")) {
    const text = value.trim()
    if (dataset.in === "path") path = path.replace(`{${name}}`, encodeURIComponent(text) || `{${name}}`)
    else if (text !== "") query.set(name, text)
  }
  return query.size === 0 ? path : `${path}?${query}`
}

const toCommand = (form, key) =>
  `curl ${form.dataset.keyed === "true" ? `-H "api-key: ${key}" ` : ""}"${location.origin}${toTarget(form)}"`

const showCommand = (form) => {
  form.querySelector(".command code").textContent = toCommand(form, "$CHAINTAPE_API_KEY")
}

const element = (name, text, className = "") =>
  Object.assign(document.createElement(name), { textContent: text, className })

const block = (text, label) => {
  const pre = element("pre", text)
  pre.tabIndex = 0
  pre.setAttribute("role", "group")
  pre.setAttribute("aria-label", label)
  return pre
}

const pretty = (text) => {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}

/** The first events of a stream. */
const readEvents = async (response, abort) => {
  let text = ""
  const decoder = new TextDecoder()
  for await (const part of response.body) {
    text += decoder.decode(part, { stream: true })
    if (text.split("\n\n").length > maxEvents) break
  }
  abort.abort()
  return text.split("\n\n").slice(0, maxEvents).join("\n\n")
}

const show = (target, response, text, milliseconds, note) => {
  const headers = [...response.headers]
    .filter(([name]) => name.startsWith("chaintape-") || name.startsWith("ratelimit") || name === "x-request-id")
    .map(([name, value]) => `${name}: ${value}`)
  const isLong = text.length > maxCharacters
  const rest = isLong
    ? ` The first ${maxCharacters.toLocaleString("en")} of ${text.length.toLocaleString("en")} characters:`
    : ""
  target.replaceChildren(
    element(
      "p",
      `${response.status} ${response.statusText} in ${milliseconds} ms.${rest}${note}`,
      response.ok ? "" : "failed"
    ),
    block(headers.join("\n"), "Headers of the response"),
    block(isLong ? text.slice(0, maxCharacters) : text, "Body of the response")
  )
}

/** The newest request of each form. */
const newest = new Map()

const send = async (form) => {
  const target = form.querySelector(".response")
  target.replaceChildren(element("p", "Waiting for the response"))
  // A browser has few connections, and an earlier response must not replace this one.
  newest.get(form)?.abort()
  const abort = new AbortController()
  newest.set(form, abort)
  const begun = window.performance.now()
  const key = keyInput.value.trim()
  try {
    const response = await fetch(toTarget(form), {
      signal: abort.signal,
      headers: key === "" || form.dataset.keyed !== "true" ? {} : { "api-key": key }
    })
    const isStream = (response.headers.get("content-type") ?? "").startsWith("text/event-stream")
    const text = isStream ? await readEvents(response, abort) : pretty(await response.text())
    const note = isStream ? ` The first ${maxEvents} events:` : ""
    if (newest.get(form) !== abort) return
    show(target, response, text, Math.round(window.performance.now() - begun), note)
  } catch (error) {
    if (newest.get(form) !== abort) return
    target.replaceChildren(
      element(
        "p",
        `The service did not answer: ${error.message}. Check that it runs, and send the request again.`,
        "failed"
      )
    )
  }
}

const read = async (path) => {
  const response = await fetch(path, { headers: { "api-key": keyInput.value.trim() } })
  return response.ok ? await response.json() : []
}

/** Puts values that exist here into the inputs that still have the example of the documentation. */
const fill = (group, name, value) => {
  if (value === undefined) return
  for (const input of document.querySelectorAll(`form[data-path] input[id^="${group}."]`))
    if (input.name === name && input.dataset.in === "path" && input.value === input.defaultValue) input.value = value
}

const findExamples = async () => {
  if (keyInput.value.trim() === "") return
  const exchange = document.querySelector('input[id="dex.pools-exchange"]').value
  const [[deployment], [chain]] = await Promise.all([read(`/v2/dex/${exchange}`), read("/v2/blocks")])
  fill("blocks", "blockchain", chain?.id)
  fill("dex", "blockchain", deployment?.id)
  if (deployment !== undefined) {
    const [pool] = await read(`/v2/dex/${exchange}/${deployment.id}/pools?limit=1`)
    fill("dex", "pool", pool?.id)
    fill("dex", "token", pool?.token0?.id)
  }
  for (const form of forms) showCommand(form)
}

/** Whether the text was copied. A page that came without TLS from another machine has no clipboard, but the command. */
const copy = async (text) => {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    const focused = document.activeElement
    const field = Object.assign(document.createElement("textarea"), { value: text })
    document.body.append(field)
    field.select()
    const isCopied = document.execCommand("copy")
    field.remove()
    focused?.focus({ preventScroll: true })
    return isCopied
  }
}

const forms = document.querySelectorAll("form[data-path]")
for (const form of forms) {
  showCommand(form)
  form.addEventListener("input", () => showCommand(form))
  form.addEventListener("submit", (event) => {
    event.preventDefault()
    void send(form)
  })
  form.querySelector(".copy").addEventListener("click", async ({ currentTarget }) => {
    const isCopied = await copy(toCommand(form, keyInput.value.trim() || "$CHAINTAPE_API_KEY"))
    currentTarget.textContent = isCopied ? "Copied" : "Not allowed: mark the command"
    window.setTimeout(() => (currentTarget.textContent = "Copy"), 2000)
  })
}

document.querySelector("#access").addEventListener("submit", (event) => event.preventDefault())
keyInput.addEventListener("change", () => {
  storeKey(keyInput.value.trim())
  void findExamples().catch(() => {})
})
void findExamples().catch(() => {})
