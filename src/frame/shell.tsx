// What is around every room: the bar at the top, the menu at the side, the way here, the footer, and what pops up over all.
import { useEffect, useState } from 'react'
import { useLocation } from 'wouter'
import { USER_CONTROL } from '../../contract/permissions.ts'
import { door } from '../link/fetch-json.ts'
import type { Place } from '../paths.ts'
import { $fresh } from '../state/freshness.ts'
import { useQuery } from '../state/location.ts'
import { $may } from '../state/session.ts'
import { t } from '../text/language.ts'
import { Denied } from '../ui/placeholder.tsx'
import { $size, upTo } from '../ui/size.ts'
import { useStore } from '../ui/use-store.ts'
import { Breadcrumb } from './breadcrumb.tsx'
import { Footer } from './footer.tsx'
import { NotFound } from './not-found.tsx'
import { PasswordBanner } from './password-banner.tsx'
import { ROOMS, type Route, routeTo } from './routes.tsx'
import { SideMenu } from './side-menu.tsx'
import { TEXT } from './text.ts'
import { TopBar } from './top-bar.tsx'

const FOLDED = 'headend-folded'

/** The frame with the room of `place` in it; without one, the 404 page. */
export function Shell({ place }: { place: Exclude<Place, 'login'> | undefined }) {
  const small = upTo('sm', useStore($size))
  const [folded, setFolded] = useState(localStorage.getItem(FOLDED) === '1')
  const [drawer, setDrawer] = useState(false)
  const [path] = useLocation()
  const route = place && routeTo(place)
  const forced = useQuery().get('search-navigation')
  const current = forced && Object.hasOwn(ROOMS, forced) ? (forced as Place) : (route?.highlight ?? place)

  // Another place was chosen: the drawer has done its work.
  useEffect(() => setDrawer(false), [path])

  useEffect(() => {
    if (!drawer) return
    const key = (event: KeyboardEvent) => event.key === 'Escape' && setDrawer(false)
    addEventListener('keydown', key)
    return () => removeEventListener('keydown', key)
  }, [drawer])

  const toggle = () => {
    if (small) return setDrawer(!drawer)
    localStorage.setItem(FOLDED, folded ? '0' : '1')
    setFolded(!folded)
  }

  return (
    <div
      className="shell"
      data-side={!small && folded ? 'icons' : undefined}
      data-drawer={(small && drawer) || undefined}
      data-stale={useStore($fresh).stale || undefined}
    >
      <button type="button" className="skip" onClick={toContent}>
        {t(TEXT.skip)}
      </button>
      <TopBar menuOpen={small ? drawer : !folded} onMenu={toggle} current={current} />
      <div className="back" onClick={() => setDrawer(false)} aria-hidden="true" />
      <SideMenu current={current} folded={!small && folded} hidden={small && !drawer} />
      <main className="page" id="content" tabIndex={-1}>
        <PasswordBanner />
        {route && (route.cloud !== false || !door.hub) ? (
          <>
            <Breadcrumb crumbs={route.crumbs} back={route.back} />
            <Room route={route} key={path} />
          </>
        ) : (
          <NotFound />
        )}
        <Footer />
      </main>
    </div>
  )
}

/** The room, for who may come in. */
function Room({ route }: { route: Route }) {
  const may = useStore($may)
  const { scopes } = route
  if (scopes === undefined || may({ who: scopes })) return <route.screen />
  return <Denied text={scopes === USER_CONTROL ? t(TEXT.adminOnly) : undefined} />
}

/** The hash is the router's, so the jump to the content is made by hand. */
function toContent(): void {
  document.getElementById('content')?.focus()
}
