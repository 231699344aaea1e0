// What JSX says of an element, done to the element. Attributes are what it has in HTML and SVG.
import type { Properties } from './element.ts'

interface Place {
  current: unknown
}

type Style = Readonly<Record<string, string>>

/** Where a property is not called as its attribute. */
const ATTRIBUTES: Readonly<Record<string, string>> = { className: 'class', htmlFor: 'for' }

/** What users change too. */
const USERS = ['value', 'checked', 'indeterminate']

/** Attributes that say whether something is so, as those of `aria-` and `data-` do; others are there or not. */
const SAYS = /-|^(draggable|spellCheck)$/

/** An element, its properties as they are now, and the names of its handlers so far. */
interface Described {
  node: Node | undefined
  sketch: { properties: Properties }
  heard: Set<string> | undefined
}

/** Has an element hear an event once and for all: whichever handler there then is is called. */
function hear(drawn: Described, name: string): void {
  drawn.heard ??= new Set()
  if (drawn.heard.has(name)) return
  drawn.heard.add(name)
  const [, type = '', capture] = /^on(.+?)(Capture)?$/.exec(name) ?? []
  const handle = (event: Event) => (drawn.sketch.properties[name] as ((event: Event) => void) | undefined)?.(event)
  drawn.node?.addEventListener(type.toLowerCase(), handle, Boolean(capture))
}

/** @param style by their names in CSS */
function setStyle({ style: own }: HTMLElement, style: Style | undefined, before: Style | undefined): void {
  for (const name of Object.keys({ ...before, ...style })) own.setProperty(name, style?.[name] ?? '')
}

/** A place that was left may hold another element by now. */
export function leave(place: unknown, element: Node | undefined): void {
  if (place && (place as Place).current === element) (place as Place).current = null
}

function setProperty(drawn: Described, name: string, value: unknown, before: unknown): void {
  const element = drawn.node as HTMLElement
  if (name.startsWith('on')) hear(drawn, name)
  else if (name === 'ref') {
    leave(before, element)
    if (value) (value as Place).current = element
  } else if (name === 'style') setStyle(element, value as Style | undefined, before as Style | undefined)
  else if (name !== 'children' && !USERS.includes(name)) {
    const attribute = ATTRIBUTES[name] ?? name
    const says = SAYS.test(name)
    if (value == null || (value === false && !says)) element.removeAttribute(attribute)
    else element.setAttribute(attribute, value === true && !says ? '' : String(value))
  }
}

/** Sets what is other than before, and takes away what is no more. */
export function setProperties(drawn: Described, before: Properties): void {
  const { properties } = drawn.sketch
  for (const name in before) if (!(name in properties)) setProperty(drawn, name, undefined, before[name])
  for (const name in properties)
    if (properties[name] !== before[name]) setProperty(drawn, name, properties[name], before[name])
}

/**
 * Sets what users change too, where it is not as it should be: a field that holds it keeps its cursor. After all else, since neither
 * a list nor a range takes a value that it does not have.
 */
export function setControls({ node, sketch: { properties } }: Described): void {
  const control = node as unknown as Record<string, unknown>
  for (const name of USERS)
    if (properties[name] !== undefined && properties[name] !== control[name]) control[name] = properties[name]
}
