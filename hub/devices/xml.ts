// Reads XML of devices and servers, which are not trusted: names without their namespace prefixes, text as text.
import { XMLParser } from 'fast-xml-parser'
import { text } from './adapters/fields.ts'

/** An element: its children by name, its attributes by name after `@`, and its text as `#text`. */
export type XmlElement = Readonly<Record<string, unknown>>

const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: '@',
  removeNSPrefix: true,
  parseTagValue: false,
  // Each element is an array and has its text in a field, so that there is one way to read them.
  isArray: (_name, _path, _isLeaf, isAttribute) => !isAttribute,
  alwaysCreateTextNode: true
})

/** @returns undefined if the text is not XML, or declares entities, whose expansion could fill the memory */
export function parseXml(source: string): XmlElement | undefined {
  if (!source.trimStart().startsWith('<') || source.includes('<!')) return undefined
  try {
    return parser.parse(source) as XmlElement
  } catch {
    return undefined
  }
}

/** The elements at the end of a path of names. Of the elements on the way, the first one of each name counts. */
export function elementsAt(element: XmlElement | undefined, ...path: readonly string[]): XmlElement[] {
  let found: unknown[] = [element]
  for (const name of path) {
    const [first] = found
    const next = typeof first === 'object' && first !== null ? (first as XmlElement)[name] : undefined
    found = Array.isArray(next) ? next : []
  }
  return found.filter((each): each is XmlElement => typeof each === 'object' && each !== null)
}

/** Text of the first element at a path; undefined if it is missing, empty or longer than `max`. */
export function textAt(element: XmlElement | undefined, max: number, ...path: readonly string[]): string | undefined {
  const value = elementsAt(element, ...path)[0]?.['#text']
  return typeof value === 'string' ? text(value.trim(), max) : undefined
}
