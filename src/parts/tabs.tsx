import type { ComponentType } from 'react'
import { linkTo, type RouteParams } from '../paths.ts'
import { useQuery } from '../state/location.ts'
import { type Translation, t } from '../text/language.ts'

interface TabsProps {
  route: 'channelDetail' | 'firmware' | 'logs' | 'ndiSources' | 'problems' | 'users'
  /** Parameters of the route. */
  params?: RouteParams
  label: Translation
  /** The first tab has no name in the URL. */
  tabs: readonly { tab?: string; title: Translation; Content?: ComponentType }[]
}

/** Tabs of a screen. Shows the tab that the URL names, otherwise the first one. */
export function Tabs({ route, params, label, tabs }: TabsProps) {
  const requested = useQuery().get('tab')
  const current = tabs.find(({ tab }) => tab === requested) ?? tabs[0]
  return (
    <>
      <nav className="tabs" aria-label={t(label)}>
        {tabs.map((item) => (
          <a
            key={item.tab}
            href={`#${linkTo(route, { ...params, tab: item.tab } as never)}`}
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
