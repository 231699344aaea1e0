// The frame around every screen: top bar, side menu, breadcrumb, footer.
import { useEffect, useState } from 'react'
import { useLocation } from 'wouter'
import { USER_CONTROL } from '../../contract/access/permissions.ts'
import { transport } from '../link/fetch-json.ts'
import { linkTo, type ScreenRoute } from '../paths.ts'
import { $freshness } from '../state/freshness.ts'
import { useQuery } from '../state/location.ts'
import { $otherHub } from '../state/other-hub.ts'
import { $dataSaver } from '../state/previews.ts'
import { $isAllowed } from '../state/session.ts'
import { $system } from '../state/system.ts'
import { t } from '../text/language.ts'
import { preloadLater } from '../ui/lazy/later-script.ts'
import { lazy } from '../ui/lazy/lazy.tsx'
import { AccessDenied, EmptyState } from '../ui/placeholder.tsx'
import { $screenSize, isAtMost } from '../ui/screen-size.ts'
import * as UI from '../ui/text.ts'
import { useStore } from '../ui/use-store.ts'
import { Banners } from './banners.tsx'
import { Breadcrumb } from './breadcrumb.tsx'
import { placeOf } from './menu.ts'
import { isScreenRoute, MENU, type Route, routeTo } from './routes.tsx'
import { EntryRow, PlaceBar, SideMenu } from './side-menu.tsx'
import * as TEXT from './text.ts'
import { TopBar } from './top-bar.tsx'

const PlaceTabs = lazy(() => import('./place-tabs.tsx').then((module) => module.PlaceTabs))
const SettingsFrame = lazy(() => import('./settings-frame.tsx').then((module) => module.SettingsFrame))

const Tour = lazy(() => import('./tour.tsx').then((module) => module.Tour))

const COLLAPSED_KEY = 'headend-folded'

/** The frame with the screen of a route, or with the 404 page if there is no route. */
export function Shell({ routeName }: { routeName: ScreenRoute | undefined }) {
  const isSmall = isAtMost('sm', useStore($screenSize))
  const [isCollapsed, setCollapsed] = useState(localStorage.getItem(COLLAPSED_KEY) === '1')
  const [isDrawerOpen, setDrawerOpen] = useState(false)
  const [path] = useLocation()
  const route = routeName && routeTo(routeName)
  const query = useQuery()
  const requested = query.get('search-navigation')
  const isTourRequested = query.has('tour')
  const [hasTour, setTour] = useState(false)
  const page = route?.parent ?? routeName
  const highlighted = requested && isScreenRoute(requested) ? requested : page

  useEffect(() => preloadWhenIdle(() => setTour(true)), [])
  useEffect(() => {
    if (isTourRequested) setTour(true)
  }, [isTourRequested])

  // The form that had the focus is gone after signing in.
  useEffect(() => {
    if (document.activeElement === document.body) focusContent()
  }, [])

  // Navigation closes the drawer.
  useEffect(() => setDrawerOpen(false), [path])

  useEffect(() => {
    if (!isDrawerOpen) return
    const closeOnEscape = (event: KeyboardEvent) => event.key === 'Escape' && setDrawerOpen(false)
    addEventListener('keydown', closeOnEscape)
    return () => removeEventListener('keydown', closeOnEscape)
  }, [isDrawerOpen])

  const toggle = () => {
    if (isSmall) return setDrawerOpen(!isDrawerOpen)
    localStorage.setItem(COLLAPSED_KEY, isCollapsed ? '0' : '1')
    setCollapsed(!isCollapsed)
  }

  const place = placeOf(page, MENU)
  const screen = route && <Screen route={route} page={page} key={route.isShared ? '' : path} />

  return (
    <div
      className="shell"
      data-side={!isSmall && isCollapsed ? 'icons' : undefined}
      data-drawer={(isSmall && isDrawerOpen) || undefined}
      data-stale={useStore($freshness).stale || undefined}
    >
      <button type="button" className="skip" onClick={focusContent}>
        {t(TEXT.skip)}
      </button>
      <TopBar menuOpen={isSmall ? isDrawerOpen : !isCollapsed} onMenu={toggle} highlighted={highlighted} />
      <div className="back" onClick={() => setDrawerOpen(false)} aria-hidden="true" />
      <SideMenu
        highlighted={highlighted}
        collapsed={!isSmall && isCollapsed}
        onExpand={toggle}
        hidden={isSmall && !isDrawerOpen}
      />
      <main className="page" id="content" tabIndex={-1}>
        {isSmall && <EntryRow highlighted={highlighted} />}
        <Banners hasWarnings={routeName === 'dashboard'} />
        {route && (route.cloud !== false || !transport.relayedHub) ? (
          <>
            <Breadcrumb crumbs={route.crumbs} back={route.back} />
            {place?.hasTabs && !isSmall && <PlaceTabs route={routeName} />}
            {place?.overview ? <SettingsFrame page={routeName}>{screen}</SettingsFrame> : screen}
          </>
        ) : (
          <NotFound />
        )}
        {hasTour && <Tour />}
        <Footer />
      </main>
      {isSmall && <PlaceBar highlighted={highlighted} />}
    </div>
  )
}

/**
 * The screen, or a notice that the hub does not support it, or that the user may not open it.
 * @param page the route of its menu entry
 */
function Screen({ route, page }: { route: Route; page: string | undefined }) {
  const isAllowed = useStore($isAllowed)
  const otherHub = useStore($otherHub)
  const { permissions } = route
  if (otherHub?.MISSING_PAGES.has(page)) return <EmptyState title={t(otherHub.TEXT.missingPage)} />
  if (permissions === undefined || isAllowed({ access: permissions })) return <route.screen />
  const isAdminMatter = permissions === USER_CONTROL || permissions === 'admin'
  return <AccessDenied text={isAdminMatter ? t(UI.adminRequired) : undefined} />
}

/** Skips to the content. A link cannot do it, because the router owns the URL's hash. */
function focusContent(): void {
  document.getElementById('content')?.focus()
}

/** Shown for paths that match no route. */
function NotFound() {
  return (
    <EmptyState isPage icon="search" title={t(TEXT.notFound)}>
      <a href={`#${linkTo('dashboard')}`}>{t(TEXT.toDashboard)}</a>
    </EmptyState>
  )
}

/** Milliseconds after which the script is loaded although the browser is not idle. */
const IDLE_TIMEOUT = 5_000

/** Runs a function when the browser has nothing else to do. Safari does not offer that. */
function whenIdle(run: () => void): void {
  if ('requestIdleCallback' in window) requestIdleCallback(run, { timeout: IDLE_TIMEOUT })
  else setTimeout(run, IDLE_TIMEOUT)
}

/**
 * Loads the later script when the first screen has its data and the browser is idle. With the data saver it is loaded
 * when it is needed. A failure is not reported: the script is requested again when it is needed.
 * @param onLoaded called when it is loaded
 * @returns stops waiting
 */
function preloadWhenIdle(onLoaded: () => void): () => void {
  const stop = $system.subscribe(({ value }) => {
    if (!value || $dataSaver.get()) return
    queueMicrotask(() => stop())
    whenIdle(() => void preloadLater(() => import('../screens/profile/profile.tsx')).then(onLoaded, () => undefined))
  })
  return stop
}

/** Pages that the hub serves from `static/`, because many hubs have no internet access. */
const PAGES = [
  [TEXT.support, 'help.html#support'],
  [TEXT.legal, 'legal.txt'],
  [TEXT.help, 'help.html']
] as const

function Footer() {
  return (
    <footer className="foot">
      {PAGES.map(([text, href]) => (
        <a key={href} href={href} target="_blank" rel="noreferrer">
          {t(text)}
        </a>
      ))}
      <a href={`#${linkTo('dashboard', { tour: '1' })}`}>{t(TEXT.tour)}</a>
      <span>{t(TEXT.copyright)}</span>
    </footer>
  )
}
