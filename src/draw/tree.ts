// Draws descriptions into the document, and again what has changed: what stands there already stays, by its key or else its place.
import { type Component, type Key, type Properties, type Sketch, sketchOf } from './element.ts'
import { leave, setControls, setProperties } from './properties.ts'

/** What a component keeps from one drawing to the next (`hooks.ts`). */
export interface Kept {
  /** Undoes what was done after drawing. */
  undo?: (() => void) | undefined
}

/** Something to be done when what was drawn is in the document. */
export interface Effect extends Kept {
  act(): void
}

/** An element, a text or a component that has been drawn. */
export interface Drawn {
  sketch: Sketch
  /** That of its description, else its index among those that are described beside it. */
  key: Key
  /** What it is in; nothing when it was taken away. */
  above: Drawn | undefined
  /** How many it is in. */
  depth: number
  /** The element or text that it is; a component is none. */
  node: Node | undefined
  /** The nearest element that it is in. */
  host: Drawn | undefined
  /** What is in it, in order. */
  inside: readonly Drawn[]
  /** The round in which it was last found among what is in `above`. */
  round: number
  /** Whether something in this element is not where it belongs. */
  unsettled: boolean
  /** Names of the handlers that this element has had. */
  heard: Set<string> | undefined
  /** What this component keeps, each time in the same order. */
  kept: Kept[] | undefined
  /** Whether this component is to be drawn again. */
  due: boolean
}

const SVG = 'http://www.w3.org/2000/svg'
const NOTHING: Properties = {}

/** The component that is being drawn, and what it wants done afterwards. */
export let present: Drawn
export let wanted: Effect[]

/** How much of what the present component keeps it has come by. */
let kept = 0
/** How often the inside of something was drawn. */
let rounds = 0
/** What is to be done once all is drawn, inner components first. */
let effects: Effect[] = []
/** Components to be drawn again. */
const queue: Drawn[] = []

/** Does something that must not keep others from being done: what it throws is the page's. */
function attempt(act: () => void): void {
  try {
    act()
  } catch (error) {
    queueMicrotask(() => {
      throw error
    })
  }
}

/** The nearest element: itself, or what it is in. */
const hostOf = (drawn: Drawn) => (drawn.node ? drawn : drawn.host) as Drawn

function drawnOf(type: Sketch['type'], key: Key, node: Node | undefined, above?: Drawn): Drawn {
  return {
    sketch: { type, properties: NOTHING },
    key,
    above,
    depth: above ? above.depth + 1 : 0,
    node,
    host: above?.node ? above : above?.host,
    inside: [],
    round: 0,
    unsettled: false,
    heard: undefined,
    kept: undefined,
    due: false
  }
}

/** Makes the element or text for a description, still empty, or a component that has not been drawn. */
function begin(type: Sketch['type'], key: Key, above: Drawn): Drawn {
  const { namespaceURI } = hostOf(above).node as Element
  let node: Node | undefined
  if (type === '') node = document.createTextNode('')
  else if (typeof type === 'string') node = document.createElementNS(type === 'svg' ? SVG : namespaceURI, type)
  return drawnOf(type, key, node, above)
}

/** Draws what is there already by another description. */
function draw(drawn: Drawn, sketch: Sketch): void {
  const { node } = drawn
  const { properties: before } = drawn.sketch
  const { type, properties } = sketch
  // The very same one: what is in it may have changed, which it then knows itself.
  if (properties === before) return
  drawn.sketch = sketch
  if (!node) drawComponent(drawn)
  else if (type) {
    setProperties(drawn, before)
    drawInside(drawn, properties.children)
    settle(drawn)
    setControls(drawn)
  } else if (properties.children !== before.children) (node as Text).data = properties.children as string
}

function drawComponent(drawn: Drawn): void {
  const { type, properties } = drawn.sketch as Sketch<Component>
  let answer: unknown
  present = drawn
  // What is set while it is drawn has it drawn again at once.
  do {
    drawn.due = false
    wanted = []
    kept = 0
    answer = type(properties)
  } while (drawn.due)
  const own = wanted
  drawInside(drawn, answer)
  effects.push(...own)
}

/** Draws what is in something, and takes away what is no more. */
function drawInside(drawn: Drawn, what: unknown): void {
  const before = drawn.inside
  const inside: Drawn[] = []
  const round = ++rounds
  let byKey: Map<Key, Drawn> | undefined
  let index = 0
  for (const child of Array.isArray(what) ? what : [what]) {
    const sketch = sketchOf(child)
    const key = sketch?.key ?? index
    index++
    if (!sketch) continue
    const here = before[inside.length]
    let one = here
    if (before.length && here?.key !== key) {
      byKey ??= new Map(before.map((other) => [other.key, other]))
      one = byKey.get(key)
    }
    // A key that comes twice is found once.
    if (!one || one.round === round || one.sketch.type !== sketch.type) one = begin(sketch.type, key, drawn)
    one.round = round
    draw(one, sketch)
    if (one !== here) hostOf(drawn).unsettled = true
    inside.push(one)
  }
  drawn.inside = inside
  for (const one of before) if (one.round !== round) remove(one, true)
}

/** @param top whether nothing that it is in goes with it */
function remove(drawn: Drawn, top: boolean): void {
  const { node, kept, inside, sketch } = drawn
  drawn.above = undefined
  for (const one of kept ?? []) undo(one)
  for (const one of inside) remove(one, top && !node)
  leave(sketch.properties.ref, node)
  if (top) (node as ChildNode | undefined)?.remove()
}

/** Puts what is in an element where it belongs. */
function settle(host: Drawn): void {
  if (!host.unsettled) return
  host.unsettled = false
  const element = host.node as Element
  let next = element.firstChild
  function place({ inside }: Drawn): void {
    for (const one of inside) {
      const { node } = one
      if (!node) place(one)
      else if (node === next) next = node.nextSibling
      // What stood before it belongs further on, and is found there: so that the fewer are moved.
      else if (next && node === next.nextSibling) next = node.nextSibling
      // Where the browser can, what is moved keeps its focus, and how far it was scrolled.
      else element[node.isConnected && 'moveBefore' in element ? 'moveBefore' : 'insertBefore'](node, next)
    }
  }
  place(host)
}

export function undo(kept: Kept): void {
  const { undo: act } = kept
  kept.undo = undefined
  if (act) attempt(act)
}

/** Draws a part of the tree, and does what was to be done then. */
function redraw(host: Drawn, draw: () => void): void {
  effects = []
  draw()
  settle(host)
  const now = effects
  for (const one of now) undo(one)
  for (const one of now) attempt(() => one.act())
}

/** Outer ones first, whenever they were asked for: they may take inner ones away, or give them other properties. */
function work(): void {
  while (queue.length) {
    queue.sort((one, other) => one.depth - other.depth)
    const drawn = queue.shift() as Drawn
    if (drawn.due && drawn.above) attempt(() => redraw(hostOf(drawn), () => drawComponent(drawn)))
  }
}

/** Has a component drawn again, soon: together with all others that are asked for until then, outer ones first. */
export function drawAgain(drawn: Drawn): void {
  if (drawn.due) return
  drawn.due = true
  if (queue.push(drawn) === 1) queueMicrotask(work)
}

/** What the present component keeps here. */
export function keep<T extends Kept>(make: () => T): T {
  const at = kept++
  present.kept ??= []
  present.kept[at] ??= make()
  return present.kept[at] as T
}

/** @returns draws something into an element that is empty, the next time in the place of that */
export function rootOf(element: Element): (what: unknown) => void {
  const root = drawnOf('', undefined, element)
  return (what) => redraw(root, () => drawInside(root, what))
}
