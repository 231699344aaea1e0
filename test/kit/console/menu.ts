// The menu of the console, as a user opens its pages.
import { until } from '../until.ts'
import { click, findByRole, nameOf } from './page.ts'

export const findMenu = () => findByRole('navigation', 'Main menu')

/** The names of the links of a list in the menu, with their counts, without those of lists in it. */
const linksOf = (list: Element | null | undefined): HTMLAnchorElement[] =>
  [...(list?.children ?? [])].flatMap((item) =>
    [...item.children].filter((child) => child instanceof HTMLAnchorElement)
  )

/** The links to the places. */
export const findPlaces = async () => linksOf((await findMenu()).querySelector('ul'))

/** The links to the entries of the open place. */
export const findEntries = async () => linksOf((await findMenu()).querySelector('ul ul'))

/** The link to a place. Its name may be followed by the counts of its entries. */
export async function findPlace(name: string): Promise<HTMLAnchorElement> {
  const place = (await findPlaces()).find((link) => nameOf(link).startsWith(name))
  if (!place) throw new Error(`The menu has no ${name}, but ${(await findPlaces()).map(nameOf)}`)
  return place
}

/** Opens a place, and finds one of its entries. */
export async function findEntry(place: string, name: string | RegExp): Promise<HTMLAnchorElement> {
  await click(await findPlace(place))
  return (await findByRole('link', name, (await findMenu()).querySelector('ul ul') ?? undefined)) as HTMLAnchorElement
}

/** Opens a page by the menu. */
export async function openFromMenu(place: string, name: string): Promise<void> {
  await click(await findEntry(place, name))
}

/** What a user sees in the menu, place by place. Opens each of them. */
export async function readMenu(): Promise<Record<string, string[]>> {
  const seen: Record<string, string[]> = {}
  for (const name of (await findPlaces()).map(nameOf)) {
    await click(await findPlace(name))
    await until(async () => (await findPlace(name)).hasAttribute('data-open'), `${name} is open`)
    seen[name] = (await findEntries()).map(nameOf)
  }
  return seen
}
