// The lists of a place as tabs above each of them. A small screen has the row of all its pages instead.
import { Tabs } from '../parts/tabs.tsx'
import type { RouteName } from '../paths.ts'
import { entryOf } from './menu.ts'
import { useMenu } from './use-menu.ts'

export function PlaceTabs({ route }: { route: RouteName | undefined }) {
  const { open } = useMenu(route)
  // The router is no list.
  const lists = open?.entries.filter((entry) => entry.route !== 'ndiRouter') ?? []
  if (!open || !route || route === 'ndiRouter' || !entryOf(open, route) || lists.length < 2) return null
  return <Tabs route={route} label={open.title} tabs={lists} />
}
