// Root component: shows the screen of the current route, or the login page to users who are not signed in.
import { useLayoutEffect } from 'react'
import { useLocation } from 'wouter'
import { linkTo, loginLink, matchRoute, returnPath } from '../paths.ts'
import { LoginScreen } from '../screens/login/login.tsx'
import { currentLink, useQuery } from '../state/location.ts'
import { $display, $passwordNotice, $session } from '../state/session.ts'
import { closeDialogs } from '../ui/dialog/dialog-host.tsx'
import { lazy } from '../ui/lazy/lazy.tsx'
import { useStore } from '../ui/use-store.ts'
import { LanguageMenu } from './language-menu.tsx'
import { Redirect } from './redirect.tsx'
import { Root } from './root.tsx'
import { Shell } from './shell.tsx'

const EnrollScreen = lazy(() => import('../screens/login/enroll.tsx').then((module) => module.EnrollScreen))
const PasswordScreen = lazy(() => import('../screens/login/password.tsx').then((module) => module.PasswordScreen))

const FollowScreen = lazy(() => import('../screens/follow/follow.tsx').then((module) => module.FollowScreen))
const NdiDestinationScreen = lazy(() =>
  import('../screens/ndi-router/destination-page.tsx').then((module) => module.NdiDestinationScreen)
)
const RebootScreen = lazy(() => import('../screens/power/reboot.tsx').then((module) => module.RebootScreen))
const ResetScreen = lazy(() => import('../screens/power/reset.tsx').then((module) => module.ResetScreen))
const WallScreen = lazy(() => import('../screens/wall/entry.tsx').then((module) => module.WallScreen))

export const App = () => <Root guard={SessionGuard} />

function SessionGuard() {
  const user = useStore($session)
  const passwordNotice = useStore($passwordNotice)
  const display = useStore($display)
  const [path] = useLocation()
  const { routeName, redirectTo } = matchRoute(path)
  // Navigation closes the dialogs of the page.
  useLayoutEffect(closeDialogs, [path])
  if (routeName === 'wall') return <WallScreen />
  if (routeName === 'follow') return <FollowScreen />
  // The reset ends the session, and its page says how to sign in then.
  if (routeName === 'reset') return <ResetScreen />
  if (!user && routeName !== 'login') return <Redirect to={loginLink(currentLink())} />
  if (user && display !== undefined) return <Redirect to={linkTo('wall')} />
  if (user && passwordNotice === 'must-change') return <PasswordScreen language={<LanguageMenu />} />
  if (user && passwordNotice === 'must-enroll') return <EnrollScreen language={<LanguageMenu />} />
  if (redirectTo) return <Redirect to={redirectTo} />
  if (routeName === 'ndiDestination') return <NdiDestinationScreen />
  if (routeName === 'reboot') return <RebootScreen />
  return routeName === 'login' ? <Login /> : <Shell routeName={routeName} />
}

/** The login page. Users who are signed in are redirected to the page that they requested. */
function Login() {
  const user = useStore($session)
  const returnUrl = useQuery().get('return_url')
  return user ? <Redirect to={returnPath(returnUrl)} /> : <LoginScreen language={<LanguageMenu />} />
}
