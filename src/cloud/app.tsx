// Root component of the cloud's pages: shows the screen of the current route, or the login page to users who are not
// signed in.
import { useLayoutEffect } from 'react'
import { useLocation } from 'wouter'
import { LanguageMenu } from '../frame/language-menu.tsx'
import { Redirect } from '../frame/redirect.tsx'
import { Root } from '../frame/root.tsx'
import { currentLink, useQuery } from '../state/location.ts'
import { $passwordNotice, $session } from '../state/session.ts'
import { closeDialogs } from '../ui/dialog/dialog-host.tsx'
import { lazy } from '../ui/lazy/lazy.tsx'
import { useStore } from '../ui/use-store.ts'
import { CloudLogin } from './login.tsx'
import { cloudLink, cloudReturnPath, HOME, matchCloudRoute } from './paths.ts'
import { CloudShell } from './shell.tsx'

const EnrollScreen = lazy(() => import('../screens/login/enroll.tsx').then((module) => module.EnrollScreen))
const PasswordScreen = lazy(() => import('../screens/login/password.tsx').then((module) => module.PasswordScreen))

export const CloudApp = () => <Root guard={SessionGuard} />

function SessionGuard() {
  const user = useStore($session)
  const notice = useStore($passwordNotice)
  const returnUrl = useQuery().get('return_url')
  const [path] = useLocation()
  const { route } = matchCloudRoute(path) ?? {}
  // Navigation closes the dialogs of the page.
  useLayoutEffect(closeDialogs, [path])
  if (route === 'login')
    return user ? <Redirect to={cloudReturnPath(returnUrl)} /> : <CloudLogin language={<LanguageMenu />} />
  if (!user) return <Redirect to={cloudLink('login', { return_url: currentLink() })} />
  if (notice === 'must-change') return <PasswordScreen language={<LanguageMenu />} />
  if (notice === 'must-enroll') return <EnrollScreen language={<LanguageMenu />} />
  if (path === '/') return <Redirect to={cloudLink(HOME)} />
  return <CloudShell route={route} />
}
