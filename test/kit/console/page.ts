// Finds elements of the page by ARIA role and accessible name, and simulates user actions.
import { until } from '../until.ts'

// Tests replace the timers.
const { setTimeout } = globalThis

const ROLES = {
  alert: '[role=alert]',
  article: 'section:is(.card, .path-column)',
  button: 'button:not([role])',
  checkbox: 'input[type=checkbox]',
  combobox: 'select',
  dialog: 'dialog[open], [role="dialog"]',
  group: '[role=group], fieldset',
  heading: 'h1, h2, h3',
  img: 'img, [role=img]',
  link: 'a[href]',
  listitem: 'li',
  menuitem: '[role^=menuitem]',
  meter: 'meter, [role=meter]',
  navigation: 'nav',
  option: 'option',
  region: 'section[aria-label]',
  row: 'tr:has(> th[scope=row])',
  status: '[role=status]',
  textbox: 'input:not([type=checkbox]), textarea',
  toolbar: '[role=toolbar]',
  tooltip: '[role=tooltip]'
} as const

export type Role = keyof typeof ROLES
type Name = string | RegExp

const normalizeSpace = (text: string | null | undefined) => (text ?? '').replace(/\s+/g, ' ').trim()

/** The text of a part of the page, with spaces between elements. */
export function visibleText(part: Node = document.body): string {
  const expected: string[] = []
  const walk = (node: Node): void => {
    if (node.nodeType === 3) expected.push(node.textContent ?? '')
    else for (const child of node.childNodes) walk(child)
  }
  walk(part)
  return normalizeSpace(expected.join(' '))
}

/** The accessible name of an element: from its label, else from related elements, else its text. */
export function nameOf(element: Element): string {
  const own = element.getAttribute('aria-label') ?? element.getAttribute('alt')
  if (own) return normalizeSpace(own)
  const by = element.getAttribute('aria-labelledby')
  if (by) return normalizeSpace(document.getElementById(by)?.textContent)
  if (element.matches('input, select, textarea')) {
    const label = element.id && document.querySelector(`label[for="${element.id}"]`)
    return normalizeSpace((label || element.closest('label'))?.textContent)
  }
  if (element.matches('tr')) return normalizeSpace(element.querySelector('th[scope=row]')?.textContent)
  if (element.matches('fieldset')) return normalizeSpace(element.querySelector('legend')?.textContent)
  if (element.matches('section.card')) return normalizeSpace(element.querySelector('h2')?.textContent)
  return normalizeSpace(element.textContent)
}

const matchesName = (text: string, name: Name) => (typeof name === 'string' ? text === name : name.test(text))

/** Returns the elements with a role, and with a name if given, in document order. */
export function queryAllByRole(role: Role, name?: Name, within: ParentNode = document): HTMLElement[] {
  const elements = [...within.querySelectorAll<HTMLElement>(ROLES[role])]
  return name === undefined ? elements : elements.filter((element) => matchesName(nameOf(element), name))
}

/** Waits until exactly one element matches, and returns it. */
export async function findByRole<Found extends HTMLElement = HTMLElement>(
  role: Role,
  name?: Name,
  within: ParentNode = document
): Promise<Found> {
  await until(() => queryAllByRole(role, name, within).length === 1, `there is one ${role} ${name ?? ''}`).catch(
    (error: Error) => {
      const names = queryAllByRole(role, undefined, within).map(nameOf)
      throw new Error(`${error.message}; there are: ${names.join(' | ') || 'none'}\n${visibleText()}`)
    }
  )
  return queryAllByRole(role, name, within)[0] as Found
}

/** Waits for a dialog whose form is loaded, and returns it. While it loads, another element is shown. */
export async function findFormDialog(name: string): Promise<HTMLElement> {
  const find = () =>
    queryAllByRole('dialog', name).find((dialog) => queryAllByRole('button', 'Save', dialog).length === 1)
  await until(() => find() !== undefined, `there is the form of ${name}`)
  return find() as HTMLElement
}

/** Waits until no element matches. */
export function waitForNone(role: Role, name?: Name, within: ParentNode = document): Promise<void> {
  return until(() => queryAllByRole(role, name, within).length === 0, `there is no ${role} ${name ?? ''}`)
}

/** Waits until a part of the page contains a text. */
export async function waitForText(expected: Name, part: Node = document.body): Promise<void> {
  const isShown = () =>
    typeof expected === 'string' ? visibleText(part).includes(expected) : expected.test(visibleText(part))
  await until(isShown, `the page shows ${expected}`).catch((error: Error) => {
    throw new Error(`${error.message}; it shows: ${visibleText(part)}`)
  })
}

/** The description of a field: its hint or its validation error. */
export function fieldMessage(field: Element): string {
  const id = field.getAttribute('aria-describedby')
  return id ? normalizeSpace(document.getElementById(id)?.textContent) : ''
}

/** Waits until a field has a description, as a hint or as a validation error. */
export function waitForFieldMessage(field: Element, expected: string): Promise<void> {
  return until(() => fieldMessage(field) === expected, `the field shows ${expected}`).catch((error: Error) => {
    throw new Error(`${error.message}; it shows: ${fieldMessage(field)}`)
  })
}

/**
 * Waits until the element with this name has the focus. (Do not pass elements to `assert`: printing them takes
 * minutes.)
 */
export function waitForFocus(name: string): Promise<void> {
  const present = () => (document.activeElement ? nameOf(document.activeElement) : '')
  return until(() => present() === name, `${name} has the focus`).catch((error: Error) => {
    throw new Error(`${error.message}; it is on: ${present()}`)
  })
}

/** Waits until state changes are rendered. */
export function waitForRender(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve))
}

/** Waits until effects have run, which happens after the next frame. */
export function waitForEffects(): Promise<void> {
  return new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))
}

export async function click(element: HTMLElement): Promise<void> {
  element.focus()
  element.click()
  await waitForRender()
}

/** Clicks a button when it is not busy any more with the last click: until then it ignores others. */
export async function clickWhenFree(name: Name, within: ParentNode = document): Promise<void> {
  const isFree = () => queryAllByRole('button', name, within).some((each) => !each.hasAttribute('aria-disabled'))
  await until(isFree, `${name} can be pressed`)
  await click(await findByRole('button', name, within))
}

/** Replaces the text of a field. */
export async function fill(field: HTMLElement, text: string): Promise<void> {
  field.focus()
  ;(field as HTMLInputElement).value = text
  field.dispatchEvent(new Event('input', { bubbles: true }))
  await waitForRender()
}

/** Moves the focus away from a field. */
export async function blur(field: HTMLElement): Promise<void> {
  field.focus()
  field.blur()
  await waitForRender()
}

export async function press(element: Element, key: string, modifiers: EventModifierInit = {}): Promise<void> {
  element.dispatchEvent(new KeyboardEvent('keydown', { ...modifiers, key, bubbles: true, cancelable: true }))
  await waitForRender()
}

/** Selects the option with this name. */
export async function selectOption(list: HTMLElement, name: Name): Promise<void> {
  const option = (await findByRole('option', name, list)) as HTMLOptionElement
  ;(list as HTMLSelectElement).value = option.value
  for (const event of ['input', 'change']) list.dispatchEvent(new Event(event, { bubbles: true }))
  await waitForRender()
}

/** Replaces the clipboard. @returns the texts copied from now on, oldest first */
export function recordClipboard(): string[] {
  const copied: string[] = []
  const value = { writeText: async (text: string) => void copied.push(text) }
  Object.defineProperty(navigator, 'clipboard', { value, configurable: true })
  return copied
}
