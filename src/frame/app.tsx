// The console: where one is decides what is drawn, and whether one has to sign in first.
import { useEffect, useLayoutEffect } from 'react'
import { useLocation } from 'wouter'
import { loginLink, placeOf, returnPath } from '../paths.ts'
import { LoginScreen } from '../screens/login/login.tsx'
import { PasswordScreen } from '../screens/login/password.tsx'
import { currentLink, navigate, useQuery } from '../state/location.ts'
import { $password, $session } from '../state/session.ts'
import { $language } from '../text/language.ts'
import { closeDialogs, DialogHost } from '../ui/dialog/dialog-host.tsx'
import { useStore } from '../ui/use-store.ts'
import { Shell } from './shell.tsx'
import { Notices } from './toast-host.tsx'
import { LanguageMenu } from './top-bar.tsx'

export function App() {
  // In another language all is drawn anew from here, which keeps each component free of it; what was typed and the focus stay.
  useStore($language)
  return (
    <>
      <Guarded />
      <DialogHost />
      <Notices />
    </>
  )
}

function Guarded() {
  const user = useStore($session)
  const password = useStore($password)
  const [path] = useLocation()
  const { place, leadsTo } = placeOf(path)
  // What stands over a page goes with it.
  useLayoutEffect(closeDialogs, [path])
  if (!user && place !== 'login') return <Redirect to={loginLink(currentLink())} />
  if (user && password === 'must-change') return <PasswordScreen language={<LanguageMenu />} />
  if (leadsTo) return <Redirect to={leadsTo} />
  return place === 'login' ? <Login /> : <Shell place={place} />
}

/** The login page, for who is not signed in; everybody else is led on to where they wanted to go. */
function Login() {
  const user = useStore($session)
  const wish = useQuery().get('return_url')
  return user ? <Redirect to={returnPath(wish)} /> : <LoginScreen language={<LanguageMenu />} />
}

function Redirect({ to }: { to: string }) {
  useEffect(() => navigate(to, { replace: true }), [to])
  return null
}
