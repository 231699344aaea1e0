// The page as who uses it knows it: what is there by its role and name, and what can be done to it.
import { until } from './until.ts'

const ROLES = {
  alert: '[role=alert]',
  article: 'section.card',
  button: 'button:not([role])',
  checkbox: 'input[type=checkbox]',
  combobox: 'select',
  dialog: 'dialog[open]',
  group: '[role=group], fieldset',
  heading: 'h1, h2, h3',
  img: 'img, [role=img]',
  link: 'a[href]',
  listitem: 'li',
  menuitem: '[role^=menuitem]',
  meter: 'meter',
  navigation: 'nav',
  option: 'option',
  row: 'tr:has(> th[scope=row])',
  status: '[role=status]',
  textbox: 'input:not([type=checkbox]), textarea',
  toolbar: '[role=toolbar]',
  tooltip: '[role=tooltip]'
} as const

export type Role = keyof typeof ROLES
type Name = string | RegExp

const tidy = (text: string | null | undefined) => (text ?? '').replace(/\s+/g, ' ').trim()

/** All words of a part of the page, those of neighbours apart. */
export function words(part: Node = document.body): string {
  const said: string[] = []
  const walk = (node: Node): void => {
    if (node.nodeType === 3) said.push(node.textContent ?? '')
    else for (const child of node.childNodes) walk(child)
  }
  walk(part)
  return tidy(said.join(' '))
}

/** What an element is called: by its label, else by what names it, else by what it says. */
export function nameOf(element: Element): string {
  const own = element.getAttribute('aria-label') ?? element.getAttribute('alt')
  if (own) return tidy(own)
  const by = element.getAttribute('aria-labelledby')
  if (by) return tidy(document.getElementById(by)?.textContent)
  if (element.matches('input, select, textarea')) {
    const label = element.id && document.querySelector(`label[for="${element.id}"]`)
    return tidy((label || element.closest('label'))?.textContent)
  }
  if (element.matches('tr')) return tidy(element.querySelector('th[scope=row]')?.textContent)
  if (element.matches('fieldset')) return tidy(element.querySelector('legend')?.textContent)
  if (element.matches('section.card')) return tidy(element.querySelector('h2')?.textContent)
  return tidy(element.textContent)
}

const fits = (text: string, name: Name) => (typeof name === 'string' ? text === name : name.test(text))

/** All that has a role, and a name where one is given, in the order of the page. */
export function all(role: Role, name?: Name, within: ParentNode = document): HTMLElement[] {
  const found = [...within.querySelectorAll<HTMLElement>(ROLES[role])]
  return name === undefined ? found : found.filter((element) => fits(nameOf(element), name))
}

/** Waits for it. @returns the only one there is */
export async function one<Found extends HTMLElement = HTMLElement>(
  role: Role,
  name?: Name,
  within: ParentNode = document
): Promise<Found> {
  await until(() => all(role, name, within).length === 1, `there is one ${role} ${name ?? ''}`).catch(
    (error: Error) => {
      const there = all(role, undefined, within).map(nameOf)
      throw new Error(`${error.message}; there are: ${there.join(' | ') || 'none'}\n${words()}`)
    }
  )
  return all(role, name, within)[0] as Found
}

/** Waits until there is none. */
export function none(role: Role, name?: Name, within: ParentNode = document): Promise<void> {
  return until(() => all(role, name, within).length === 0, `there is no ${role} ${name ?? ''}`)
}

/** Waits until a part of the page says something. */
export async function says(said: Name, part: Node = document.body): Promise<void> {
  const there = () => (typeof said === 'string' ? words(part).includes(said) : said.test(words(part)))
  await until(there, `it says ${said}`).catch((error: Error) => {
    throw new Error(`${error.message}; it says: ${words(part)}`)
  })
}

/** What is said of a field: its hint, or what is wrong. */
export function saidOf(field: Element): string {
  const id = field.getAttribute('aria-describedby')
  return id ? tidy(document.getElementById(id)?.textContent) : ''
}

/** Waits until a field says something, as its hint or as what is wrong. */
export function saysOf(field: Element, said: string): Promise<void> {
  return until(() => saidOf(field) === said, `the field says ${said}`).catch((error: Error) => {
    throw new Error(`${error.message}; it says: ${saidOf(field)}`)
  })
}

/** Waits until what has this name has the focus. Elements themselves are not for `assert`: it would take minutes to print them. */
export function focuses(name: string): Promise<void> {
  const present = () => (document.activeElement ? nameOf(document.activeElement) : '')
  return until(() => present() === name, `${name} has the focus`).catch((error: Error) => {
    throw new Error(`${error.message}; it is on: ${present()}`)
  })
}

/** Lets what was done be drawn. */
export function drawn(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve))
}

/** Lets effects be done, which come after the next picture. */
export function settled(): Promise<void> {
  return new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))
}

export async function click(element: HTMLElement): Promise<void> {
  element.focus()
  element.click()
  await drawn()
}

/** Types a text in the place of what is there. */
export async function fill(field: HTMLElement, text: string): Promise<void> {
  field.focus()
  ;(field as HTMLInputElement).value = text
  field.dispatchEvent(new Event('input', { bubbles: true }))
  await drawn()
}

/** Goes elsewhere. */
export async function leave(field: HTMLElement): Promise<void> {
  field.focus()
  field.blur()
  await drawn()
}

export async function press(element: Element, key: string): Promise<void> {
  element.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }))
  await drawn()
}

/** Chooses the option of a list that has this name. */
export async function choose(list: HTMLElement, name: Name): Promise<void> {
  const option = (await one('option', name, list)) as HTMLOptionElement
  ;(list as HTMLSelectElement).value = option.value
  for (const event of ['input', 'change']) list.dispatchEvent(new Event(event, { bubbles: true }))
  await drawn()
}

/** What is copied from now on, oldest first. */
export function clipboard(): string[] {
  const copied: string[] = []
  const value = { writeText: async (text: string) => void copied.push(text) }
  Object.defineProperty(navigator, 'clipboard', { value, configurable: true })
  return copied
}
