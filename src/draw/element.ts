// What components answer: descriptions of what is to be seen. JSX becomes calls of `createElement` (`bundle.mjs`).

export type Key = unknown

/** Properties by name; `children` are among them. */
export type Properties = Readonly<Record<string, unknown>>

// biome-ignore lint/suspicious/noExplicitAny: each component has properties of its own
export type Component = (properties: any) => unknown

export interface Sketch<Type = string | Component> {
  /** The name of an element, '' for text, or a component. */
  type: Type
  properties: Properties
  /** Which one it is among those beside it, wherever it stands. */
  key?: Key
}

/**
 * One child stands for itself, so that a component can be given a function; several are a list.
 * @param given are the description's from now on, as JSX makes them for each; its `key` is not for who draws it
 */
export function createElement(
  type: string | Component,
  given: Record<string, unknown> | null,
  ...children: readonly unknown[]
): Sketch {
  let properties = given ?? {}
  let { key } = properties
  if (key !== undefined) ({ key, ...properties } = properties)
  if (children.length) properties.children = children.length > 1 ? children : children[0]
  return { type, properties, key }
}

/** Draws its children without an element around them. */
export function Fragment({ children }: Properties): unknown {
  return children
}

/** The description of a child; undefined for what is not drawn. */
export function sketchOf(child: unknown): Sketch | undefined {
  if (child == null || typeof child === 'boolean') return undefined
  if (Array.isArray(child)) return { type: Fragment, properties: { children: child } }
  return typeof child === 'object' ? (child as Sketch) : { type: '', properties: { children: String(child) } }
}
