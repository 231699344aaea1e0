// The frame around every screen: top bar, side menu, content, footer.
import { type ReactNode, useEffect, useState } from 'react'
import { useLocation } from 'wouter'
import { $freshness } from '../state/freshness.ts'
import { t } from '../text/language.ts'
import { Button } from '../ui/button.tsx'
import { $screenSize, isAtMost } from '../ui/screen-size.ts'
import { useStore } from '../ui/use-store.ts'
import type { Menu } from './menu.ts'
import { EntryRow, PlaceBar, SideMenu } from './side-menu.tsx'
import * as TEXT from './text.ts'

const COLLAPSED_KEY = 'headend-folded'

interface FrameProps<Route extends string> {
  menu: Menu<Route>
  /** In the top bar, after the name of the product. */
  topBar: ReactNode
  footer: ReactNode
  children: ReactNode
}

export function Frame<Route extends string>({ menu, topBar, footer, children }: FrameProps<Route>) {
  const isSmall = isAtMost('sm', useStore($screenSize))
  const [isCollapsed, setCollapsed] = useState(localStorage.getItem(COLLAPSED_KEY) === '1')
  const [isDrawerOpen, setDrawerOpen] = useState(false)
  const [path] = useLocation()

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
      <header className="top">
        <Button
          iconOnly
          icon="menu"
          label={t((isSmall ? isDrawerOpen : !isCollapsed) ? TEXT.fold : TEXT.unfold)}
          onClick={toggle}
        />
        <span className="brand">Headend</span>
        {topBar}
      </header>
      <div className="back" onClick={() => setDrawerOpen(false)} aria-hidden="true" />
      <SideMenu menu={menu} collapsed={!isSmall && isCollapsed} onExpand={toggle} hidden={isSmall && !isDrawerOpen} />
      <main className="page" id="content" tabIndex={-1}>
        {isSmall && <EntryRow menu={menu} />}
        {children}
        <footer className="foot">
          {footer}
          <span>{t(TEXT.copyright)}</span>
        </footer>
      </main>
      {isSmall && <PlaceBar menu={menu} />}
    </div>
  )
}

/** Skips to the content. A link cannot do it, because the router owns the URL's hash. */
function focusContent(): void {
  document.getElementById('content')?.focus()
}
