import type { ComponentType } from 'react'
import { linkTo, type RouteName, type RouteParams } from '../paths.ts'
import { useQuery } from '../state/location.ts'
import { type Translation, t } from '../text/language.ts'

interface Tab {
  /** The first tab has no name in the URL. */
  tab?: string
  /** A tab that is a page of its own. */
  route?: RouteName
  title: Translation
  Content?: ComponentType
}

interface TabsProps {
  /** The route of the page. */
  route: RouteName
  /** Parameters of the route. */
  params?: RouteParams
  label: Translation
  tabs: readonly Tab[]
}

/**
 * Tabs of a screen, or of several screens that belong together. Shows the tab that is the page or that the URL names,
 * otherwise the first one.
 */
export function Tabs({ route, params, label, tabs }: TabsProps) {
  const requested = useQuery().get('tab')
  const current = tabs.find((item) => (item.route ? item.route === route : item.tab === requested)) ?? tabs[0]
  return (
    <>
      <nav className="tabs" aria-label={t(label)}>
        {tabs.map((item) => (
          <a
            key={item.route ?? item.tab}
            href={`#${linkTo(item.route ?? route, { ...params, tab: item.tab } as never)}`}
            aria-current={item === current ? 'page' : undefined}
          >
            {t(item.title)}
          </a>
        ))}
      </nav>
      {current?.Content && <current.Content />}
    </>
  )
}
