import { useLocation } from 'wouter'
import { door } from '../link/fetch-json.ts'
import { CatalogTree } from '../parts/catalog-tree.tsx'
import { link, type Place, placeOf } from '../paths.ts'
import { $session } from '../state/session.ts'
import { $system, type Badges, badgesOf } from '../state/system.ts'
import { t } from '../text/language.ts'
import { Badge } from '../ui/badge.tsx'
import { Icon } from '../ui/icon.tsx'
import { useStore } from '../ui/use-store.ts'
import { MENU, type MenuEntry, visibleEntries } from './menu.ts'
import { TEXT } from './text.ts'

interface SideMenuProps {
  /** The place whose entry is highlighted. */
  current: Place | undefined
  /** Icons only. */
  folded: boolean
  /** The drawer is shut: out of reach for keyboard and screen reader too. */
  hidden: boolean
}

export function SideMenu({ current, folded, hidden }: SideMenuProps) {
  const user = useStore($session)
  const { value } = useStore($system)
  const features = value?.status.system.info['feature-support'] ?? 0
  if (!user) return null
  const entries = visibleEntries(MENU, { user, cloud: door.hub !== undefined, features })
  return (
    <nav className="side" id="menu" aria-label={t(TEXT.main)} inert={hidden}>
      <div className="menu">
        <Entries entries={entries} current={current} folded={folded} badges={badgesOf(value)} />
      </div>
    </nav>
  )
}

/** The device groups, of which the one that is shown is chosen. */
function Groups() {
  const [path] = useLocation()
  const { place, params } = placeOf(path)
  return (
    <li>
      <CatalogTree selected={place === 'groupDevices' ? params?.catalog : undefined} />
    </li>
  )
}

interface EntriesProps {
  entries: readonly MenuEntry[]
  current: Place | undefined
  folded: boolean
  badges: Badges
}

function Entries({ entries, current, folded, badges }: EntriesProps) {
  return (
    <ul>
      {entries.map((entry) => {
        const { title, icon, place, badge, alarm, entries: inner } = entry
        const text = t(title)
        if (place === 'groupDevices') return folded ? null : <Groups key={text} />
        return (
          <li key={text}>
            {place ? (
              <a
                href={`#${link(place)}`}
                aria-current={place === current ? 'page' : undefined}
                data-tip={folded ? text : ''}
              >
                {icon && <Icon name={icon} />}
                <span className="cut">{text}</span>
                {badge && <Badge count={badges[badge]} alarm={alarm} label={text} />}
              </a>
            ) : (
              <h3>{text}</h3>
            )}
            {inner && <Entries entries={inner} current={current} folded={folded} badges={badges} />}
          </li>
        )
      })}
    </ul>
  )
}
