// The frame with the screens of a hub: the menu that the user sees, banners, breadcrumb.
import { useEffect, useState } from 'react'
import { useLocation } from 'wouter'
import { USER_CONTROL } from '../../contract/access/permissions.ts'
import { linkTo, type ScreenRoute } from '../paths.ts'
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
import { Frame } from './frame.tsx'
import { placeOf } from './menu.ts'
import { isScreenRoute, MENU, type Route, routeTo } from './routes.tsx'
import * as TEXT from './text.ts'
import { TopBar } from './top-bar.tsx'
import { useMenu } from './use-menu.ts'

const PlaceTabs = lazy(() => import('./place-tabs.tsx').then((module) => module.PlaceTabs))
const SettingsFrame = lazy(() => import('./settings-frame.tsx').then((module) => module.SettingsFrame))

const Tour = lazy(() => import('./tour.tsx').then((module) => module.Tour))

/** The frame with the screen of a route, or with the 404 page if there is no route. */
export function Shell({ routeName }: { routeName: ScreenRoute | undefined }) {
  const isSmall = isAtMost('sm', useStore($screenSize))
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

  const place = placeOf(page, MENU)
  const screen = route && <Screen route={route} page={page} key={route.isShared ? '' : path} />

  return (
    <Frame menu={useMenu(highlighted)} topBar={<TopBar highlighted={highlighted} />} footer={<FooterLinks />}>
      <Banners hasWarnings={routeName === 'dashboard'} />
      {route ? (
        <>
          <Breadcrumb crumbs={route.crumbs} back={route.back} />
          {place?.hasTabs && !isSmall && <PlaceTabs route={routeName} />}
          {place?.overview ? <SettingsFrame page={routeName}>{screen}</SettingsFrame> : screen}
        </>
      ) : (
        <NotFound />
      )}
      {hasTour && <Tour />}
    </Frame>
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

function FooterLinks() {
  return (
    <>
      {PAGES.map(([text, href]) => (
        <a key={href} href={href} target="_blank" rel="noreferrer">
          {t(text)}
        </a>
      ))}
      <a href={`#${linkTo('dashboard', { tour: '1' })}`}>{t(TEXT.tour)}</a>
    </>
  )
}
