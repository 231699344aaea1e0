// The frame with the screens of the cloud.
import { USER_CONTROL } from '../../contract/access/permissions.ts'
import { searchHubs } from '../../contract/cloud/calls.ts'
import { AccountMenu, passwordItem } from '../frame/account-menu.tsx'
import { PasswordBanner } from '../frame/banner.tsx'
import { Breadcrumb } from '../frame/breadcrumb.tsx'
import { Frame } from '../frame/frame.tsx'
import { FreshnessLabel } from '../frame/freshness-label.tsx'
import { LanguageMenu } from '../frame/language-menu.tsx'
import { entryOf, type Menu, placeOf, visiblePlaces } from '../frame/menu.ts'
import * as FRAME_TEXT from '../frame/text.ts'
import { navigate, useQuery } from '../state/location.ts'
import { $isAllowed, $session } from '../state/session.ts'
import { type Translation, t } from '../text/language.ts'
import { AccessDenied, EmptyState } from '../ui/placeholder.tsx'
import { SearchBox } from '../ui/search-box.tsx'
import * as UI from '../ui/text.ts'
import { useStore } from '../ui/use-store.ts'
import { useCloudBadges } from './badges.ts'
import { DatabaseBanner } from './database-banner.tsx'
import { type CloudRoute, cloudLink, HOME } from './paths.ts'
import { CLOUD_MENU, CLOUD_SCREENS, describeRoute, menuRouteOf } from './routes.tsx'
import { SEARCH } from './search/text.ts'

const TO_OVERVIEW: Translation = ['Go to the overview', '前往总览']

function useCloudMenu(route: CloudRoute | undefined): Menu<CloudRoute> {
  const user = useStore($session)
  const badges = useCloudBadges()
  const places = user ? visiblePlaces(CLOUD_MENU, { user, features: 0 }) : []
  const open = placeOf(route, places)
  return { places, open, current: open && entryOf(open, route), badges, notes: {}, linkOf: cloudLink }
}

/** The frame with the screen of a route, or with the 404 page if there is no route. */
export function CloudShell({ route }: { route: Exclude<CloudRoute, 'login'> | undefined }) {
  return (
    <Frame
      menu={useCloudMenu(route && menuRouteOf(route))}
      topBar={
        <>
          <HubSearch />
          <FreshnessLabel />
          <LanguageMenu />
          <AccountMenu
            items={[
              { label: t(FRAME_TEXT.profile), icon: 'user', onSelect: () => navigate(cloudLink('profile')) },
              passwordItem()
            ]}
          />
        </>
      }
      footer={
        <a href="legal.txt" target="_blank" rel="noreferrer">
          {t(FRAME_TEXT.legal)}
        </a>
      }
    >
      <DatabaseBanner />
      <PasswordBanner />
      {route ? <Screen route={route} /> : <NotFound />}
    </Frame>
  )
}

/** The search box in the header. Enter opens the page of results. */
function HubSearch() {
  const text = useQuery().get('for') ?? ''
  if (!useStore($isAllowed)(searchHubs)) return null
  return (
    <SearchBox
      label={t(SEARCH)}
      value={text}
      onEnterOnly
      onSearch={(key) => navigate(cloudLink('search', { for: key }))}
    />
  )
}

/** The screen, or a notice that the user may not open it. */
function Screen({ route }: { route: Exclude<CloudRoute, 'login'> }) {
  const isAllowed = useStore($isAllowed)
  const { crumbs, permissions, back } = describeRoute(route)
  const Component = CLOUD_SCREENS[route]
  return (
    <>
      <Breadcrumb crumbs={crumbs} back={back} />
      {permissions === undefined || isAllowed({ access: permissions }) ? (
        <Component />
      ) : (
        <AccessDenied
          text={permissions === 'admin' || permissions === USER_CONTROL ? t(UI.adminRequired) : undefined}
        />
      )}
    </>
  )
}

/** Shown for paths that match no route. */
function NotFound() {
  return (
    <EmptyState isPage icon="search" title={t(FRAME_TEXT.notFound)}>
      <a href={`#${cloudLink(HOME)}`}>{t(TO_OVERVIEW)}</a>
    </EmptyState>
  )
}
