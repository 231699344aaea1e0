// The login form of the page itself, which can be typed into before the console's script has arrived (`src/loader.ts`).
import '../text/page-loader.ts'

export interface EarlyLogin {
  name: string
  password: string
  /** The field that has the focus, with its selection. */
  focus: { field: 'name' | 'password'; start: number; end: number } | undefined
  /** The form was submitted: signing in is to happen by itself. */
  submitted: boolean
}

const FIELDS = ['name', 'password'] as const

let early: EarlyLogin | undefined

/** Reads the form. Call it before the console replaces the page. */
export function readEarlyLogin(): void {
  const [name, password] = FIELDS.map((field) => document.querySelector<HTMLInputElement>(`#boot-${field}`))
  if (!name || !password) return
  const focused = [name, password].indexOf(document.activeElement as HTMLInputElement)
  const input = focused === 1 ? password : name
  const field = FIELDS[focused]
  early = {
    name: name.value,
    password: password.value,
    focus: field && { field, start: input.selectionStart ?? 0, end: input.selectionEnd ?? 0 },
    submitted: window.pageLoader?.submitted ?? false
  }
}

/** Returns the form's content once, so that a login screen that is shown again later is empty. */
export function takeEarlyLogin(): EarlyLogin | undefined {
  const content = early
  early = undefined
  return content
}
