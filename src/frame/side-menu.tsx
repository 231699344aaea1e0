import { useLocation } from 'wouter'
import { transport } from '../link/fetch-json.ts'
import { CatalogTree } from '../parts/catalog-tree.tsx'
import { linkTo, matchRoute, type RouteName } from '../paths.ts'
import { $otherHub } from '../state/other-hub.ts'
import { $session } from '../state/session.ts'
import { $system, type Badges, badgesOf } from '../state/system.ts'
import { t } from '../text/language.ts'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { hubNow } from '../ui/clock.ts'
import { Icon } from '../ui/icon.tsx'
import { useStore } from '../ui/use-store.ts'
import { licenseNotes } from './license-notes.ts'
import { type MenuEntry, visibleEntries } from './menu.ts'
import { MENU } from './routes.tsx'
import { TEXT } from './text.ts'

interface SideMenuProps {
  /** The route whose entry is highlighted. */
  highlighted: RouteName | undefined
  /** Shows icons only. */
  collapsed: boolean
  /** Shows the whole menu. */
  onExpand: () => void
  /** The drawer is closed, also for keyboards and screen readers. */
  hidden: boolean
}

export function SideMenu({ highlighted, collapsed, onExpand, hidden }: SideMenuProps) {
  const user = useStore($session)
  const { value } = useStore($system)
  const features = value?.status.system.info['feature-support'] ?? 0
  const otherHub = useStore($otherHub)
  if (!user) return null
  const context = { user, cloud: transport.relayedHub !== undefined, features }
  const all = visibleEntries(MENU, context)
  const entries = visibleEntries(MENU, { ...context, missing: otherHub?.MISSING_PAGES })
  return (
    <nav className="side" id="menu" aria-label={t(TEXT.main)} inert={hidden}>
      <div className="menu">
        <MenuEntries
          entries={entries}
          highlighted={highlighted}
          collapsed={collapsed}
          onExpand={onExpand}
          badges={badgesOf(value)}
          notes={licenseNotes(value?.status, hubNow())}
        />
        {otherHub && !collapsed && countPages(entries) < countPages(all) && <p>{t(otherHub.TEXT.missingPages)}</p>}
      </div>
    </nav>
  )
}

const countPages = (entries: readonly MenuEntry[]): number => entries.flatMap((entry) => entry.entries ?? entry).length

/** The tree of device groups, with the group of the current screen selected. */
function DeviceGroups() {
  const [path] = useLocation()
  const { routeName, params } = matchRoute(path)
  return (
    <li>
      <CatalogTree selected={routeName === 'groupDevices' ? params?.catalog : undefined} />
    </li>
  )
}

interface MenuEntriesProps {
  entries: readonly MenuEntry[]
  /** Title of the group that the entries belong to. */
  group?: string
  highlighted: RouteName | undefined
  collapsed: boolean
  onExpand: () => void
  badges: Badges
  /** Notes about the licence, by route. */
  notes: Partial<Record<RouteName, string>>
}

function MenuEntries({ entries, group, ...shared }: MenuEntriesProps) {
  const { highlighted, collapsed, onExpand, badges, notes } = shared
  return (
    <ul>
      {entries.map((entry) => {
        const { title, icon, route, badge, alarm, entries: children } = entry
        const text = t(title)
        const note = route && notes[route]
        if (route === 'groupDevices' && !collapsed) return <DeviceGroups key={text} />
        // A tree has no place among icons.
        if (route === 'groupDevices')
          return (
            <li key={text}>
              <Button iconOnly icon="group" label={text} onClick={onExpand} />
            </li>
          )
        return (
          <li key={text}>
            {route ? (
              <a
                href={`#${linkTo(route)}`}
                aria-current={route === highlighted ? 'page' : undefined}
                data-tip={note ?? (collapsed ? (group ? t(TEXT.inGroup, group, text) : text) : '')}
              >
                {icon && <Icon name={icon} />}
                <span className="cut">{text}</span>
                {note && <Badge count="!" alarm label={note} />}
                {badge && <Badge count={badges[badge]} alarm={alarm} label={text} />}
              </a>
            ) : (
              <h3>{text}</h3>
            )}
            {children && <MenuEntries entries={children} group={text} {...shared} />}
          </li>
        )
      })}
    </ul>
  )
}
