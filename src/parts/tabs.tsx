import type { ComponentType } from 'react'
import { link } from '../paths.ts'
import { useQuery } from '../state/location.ts'
import { type Pair, t } from '../text/language.ts'

interface TabsProps {
  place: 'firmware' | 'logs' | 'users'
  label: Pair
  /** The first one has no name in the address. */
  tabs: readonly { tab?: string; title: Pair; part?: ComponentType }[]
}

/** The parts of a screen, each with an address of its own, and the one that is asked for; the first where there is no such. */
export function Tabs({ place, label, tabs }: TabsProps) {
  const wish = useQuery().get('tab')
  const current = tabs.find(({ tab }) => tab === wish) ?? tabs[0]
  return (
    <>
      <nav className="tabs" aria-label={t(label)}>
        {tabs.map((one) => (
          <a
            key={one.tab}
            href={`#${link(place, { tab: one.tab } as object)}`}
            aria-current={one === current ? 'page' : undefined}
          >
            {t(one.title)}
          </a>
        ))}
      </nav>
      {current?.part && <current.part />}
    </>
  )
}
