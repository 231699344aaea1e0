// Root component: shows the screen of the current route, or the login page to users who are not signed in.
import { useEffect, useLayoutEffect } from 'react'
import { useLocation } from 'wouter'
import { SUCCESS } from '../../contract/codes.ts'
import { linkTo, loginLink, matchRoute, returnPath } from '../paths.ts'
import { LoginScreen } from '../screens/login/login.tsx'
import { currentLink, navigate, useQuery } from '../state/location.ts'
import { $display, $passwordNotice, $session } from '../state/session.ts'
import { $toasts, dismiss, type SuccessMessage, setExpiryPaused, undo, undoLast } from '../state/toasts.ts'
import { $language, t } from '../text/language.ts'
import { nameList } from '../text/outcomes.ts'
import { responseLines } from '../text/response-message.ts'
import { closeDialogs, DialogHost } from '../ui/dialog/dialog-host.tsx'
import { lazy } from '../ui/lazy/lazy.tsx'
import { ToastList } from '../ui/toast-list.tsx'
import { useStore } from '../ui/use-store.ts'
import { Shell } from './shell.tsx'
import { LanguageMenu } from './top-bar.tsx'

const EnrollScreen = lazy(() => import('../screens/login/enroll.tsx').then((module) => module.EnrollScreen))
const PasswordScreen = lazy(() => import('../screens/login/password.tsx').then((module) => module.PasswordScreen))

const FollowScreen = lazy(() => import('../screens/follow/follow.tsx').then((module) => module.FollowScreen))
const NdiDestinationScreen = lazy(() =>
  import('../screens/ndi-router/destination-page.tsx').then((module) => module.NdiDestinationScreen)
)
const RebootScreen = lazy(() => import('../screens/power/reboot.tsx').then((module) => module.RebootScreen))
const ResetScreen = lazy(() => import('../screens/power/reset.tsx').then((module) => module.ResetScreen))
const WallScreen = lazy(() => import('../screens/wall/entry.tsx').then((module) => module.WallScreen))

export function App() {
  // A change of language renders the whole tree from here, so that no other component has to subscribe to it. Input and
  // focus are kept.
  useStore($language)
  return (
    <>
      <SessionGuard />
      <DialogHost />
      <ToastHost />
    </>
  )
}

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

function Redirect({ to }: { to: string }) {
  useEffect(() => navigate(to, { replace: true }), [to])
  return null
}

const successLines = ({ text, names = [], note, lines = [] }: SuccessMessage) => [
  t(text, nameList(names)),
  ...(note ? [t(note.text, nameList(note.names))] : []),
  ...lines
]

/** Ctrl-Z undoes the last action of which a toast is shown, except in a field, where the browser undoes the typing. */
function undoByKey(event: KeyboardEvent): void {
  const isUndo = event.key.toLowerCase() === 'z' && (event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey
  if (isUndo && !(event.target as Element).closest?.('input, textarea') && undoLast()) event.preventDefault()
}

/** Shows the replies in `$toasts` as messages in the current language. */
function ToastHost() {
  useEffect(() => {
    addEventListener('keydown', undoByKey)
    return () => removeEventListener('keydown', undoByKey)
  }, [])
  const items = useStore($toasts).map((toast) => {
    const { id, response, success } = toast
    return {
      id,
      lines: success ? successLines(success) : responseLines(response),
      isFailure: response.result !== SUCCESS,
      href: success?.path && `#${success.path}`,
      ...(success?.undo && { onUndo: () => undo(toast) })
    }
  })
  return <ToastList items={items} onDismiss={dismiss} onReadingChange={setExpiryPaused} />
}
