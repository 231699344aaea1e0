// The frame of the settings: the search over all of them above every page, the overview with the four parts, and the
// jump to a setting that the address names.
import { atom } from 'nanostores'
import { type ReactNode, useEffect } from 'react'
import { describeForms, type FormEntry } from '../../contract/form/form.ts'
import { descriptionOf } from '../parts/described-form/store.ts'
import { SaveTogether } from '../parts/settings/save-together.tsx'
import { linkTo, type RouteName } from '../paths.ts'
import { navigate, setQuery, useQuery } from '../state/location.ts'
import { isMissing } from '../state/other-hub.ts'
import { $isAllowed } from '../state/session.ts'
import { type Translation, t } from '../text/language.ts'
import { Card } from '../ui/card.tsx'
import { Icon } from '../ui/icon.tsx'
import { SearchBox } from '../ui/search-box.tsx'
import { useStore } from '../ui/use-store.ts'
import type { Menu, MenuEntry, Place } from './menu.ts'
import {
  allSettings,
  findSettings,
  labelText,
  linkToSetting,
  type Setting,
  settingOfLink,
  visibleSettings
} from './settings-index.ts'
import { EntryBadges } from './side-menu.tsx'
import { useMenu } from './use-menu.ts'

const TEXT = {
  find: ['Search settings', '搜索设置'],
  found: ['Settings found', '找到的设置'],
  none: ['No setting is called “{0}”.', '没有名为“{0}”的设置。']
} as const satisfies Record<string, Translation>

interface SettingsFrameProps {
  /** The overview takes the place of a page. */
  page: RouteName
  children: ReactNode
}

export function SettingsFrame({ page, children }: SettingsFrameProps) {
  const menu = useMenu(page)
  const query = useQuery()
  const all = useAllSettings()
  useJump(settingOfLink(all, page, query.get('setting') ?? ''))
  // The places are those of the menu, so that the user sees the same entries here.
  const place = menu.places.find(({ overview }) => overview === 'settings')
  const text = query.get('find') ?? ''
  if (!place) return <>{children}</>
  return (
    <>
      <Search place={place} text={text} />
      <SaveTogether>
        {page !== 'settings' ? children : !text.trim() && <Overview place={place} menu={menu} />}
      </SaveTogether>
    </>
  )
}

/** At a hub that describes no settings. */
const NOT_DESCRIBED = atom<{ entries?: FormEntry[] }>({})

/** The settings of the console and those that the hub describes. */
function useAllSettings(): Setting[] {
  const { entries } = useStore(isMissing(describeForms.path) ? NOT_DESCRIBED : descriptionOf(''))
  return allSettings(entries)
}

const useVisibleSettings = ({ entries }: Place): Setting[] => {
  const isAllowed = useStore($isAllowed)
  return visibleSettings(
    useAllSettings(),
    entries.map(({ route }) => route),
    isAllowed
  )
}

/** Search box and results. The address keeps the text. */
function Search({ place, text }: { place: Place; text: string }) {
  const settings = useVisibleSettings(place)
  const pageTitle = ({ entry }: Setting) => {
    const { title } = place.entries.find(({ route }) => route === entry) ?? {}
    return title ? t(title) : ''
  }
  const find = (of: string) => (of.trim() ? findSettings(settings, of, pageTitle) : [])
  const results = find(text)
  return (
    <search className="find-setting">
      <form
        onSubmit={(event) => {
          event.preventDefault()
          const [first] = find(event.currentTarget.querySelector('input')?.value ?? '')
          if (first) navigate(linkToSetting(first))
        }}
      >
        <SearchBox label={t(TEXT.find)} value={text} onSearch={(input) => setQuery({ find: input })} />
      </form>
      {text.trim() && (
        <Card title={t(TEXT.found)}>
          {results.length === 0 && <p role="status">{t(TEXT.none, text)}</p>}
          <ul>
            {results.map((setting) => (
              <li key={linkToSetting(setting)}>
                <a href={`#${linkToSetting(setting)}`}>{labelText(setting.label)}</a>{' '}
                <small className="muted">
                  {[
                    ...new Set([pageTitle(setting), ...(setting.section ? [labelText(setting.section.label)] : [])])
                  ].join(' / ')}
                </small>
              </li>
            ))}
          </ul>
        </Card>
      )}
    </search>
  )
}

/** The four parts, each with its pages and their sections. */
function Overview({ place, menu }: { place: Place; menu: Menu }) {
  const settings = useVisibleSettings(place)
  const parts = [...new Set(place.entries.map(({ part }) => part))]
  /** The sections of a page, or the settings of a page without sections. */
  function contentOf({ route, title }: MenuEntry): string {
    const own = settings.filter(({ entry, label }) => entry === route && labelText(label) !== t(title))
    const sections = own.filter(({ section }) => !section)
    return (sections.length > 0 ? sections : own).map(({ label }) => labelText(label)).join(' · ')
  }
  return (
    <div className="cards">
      {parts.map(
        (part) =>
          part && (
            <Card key={t(part)} title={t(part)}>
              <ul>
                {place.entries
                  .filter((entry) => entry.part === part)
                  .map((entry) => (
                    <li key={entry.route}>
                      <a className="row" href={`#${linkTo(entry.route)}`}>
                        <Icon name={entry.icon} />
                        {t(entry.title)}
                        <EntryBadges entry={entry} menu={menu} />
                      </a>
                      <small className="muted">{contentOf(entry)}</small>
                    </li>
                  ))}
              </ul>
            </Card>
          )
      )}
    </div>
  )
}

/** Milliseconds without a change of the document after which a page counts as loaded. */
const SETTLE_TIME = 500

const CONTROL = 'input, select, textarea, button'

/** Finds headings, labels and buttons with a text, in the page below the search. */
function findLabel(label: Setting['label']): HTMLElement | undefined {
  const text = labelText(label)
  const labels = document.querySelectorAll<HTMLElement>('#content :is(h2, h3, label, legend, dt, li, a, button, th)')
  return [...labels].find((each) => !each.closest('.find-setting') && each.textContent.trim() === text)
}

/** Scrolls to a setting, marks it and gives it the focus. @returns whether the page shows it */
function jumpTo({ label, section }: Setting, isLast: boolean): boolean {
  const found = findLabel(label) ?? (isLast && section ? findLabel(section.label) : undefined)
  if (!found) return false
  const box = found.closest<HTMLElement>('.field') ?? found.closest<HTMLElement>('section') ?? found
  // A row of a list of values may have a button that changes the value.
  const row = found.matches('dt') ? found.nextElementSibling : undefined
  const control = box.matches('.field')
    ? box.querySelector<HTMLElement>(CONTROL)
    : row?.querySelector<HTMLElement>(CONTROL)
  const target = control ?? (found.matches('a, button') ? found : box)
  if (target === box) box.tabIndex = -1
  box.toggleAttribute('data-found', true)
  target.addEventListener('blur', () => box.removeAttribute('data-found'), { once: true })
  box.scrollIntoView({ block: 'center' })
  target.focus({ preventScroll: true })
  return true
}

/** Jumps to a setting as soon as the page shows it, or to its section when the page does not have it. */
function useJump(setting: Setting | undefined): void {
  useEffect(() => {
    if (!setting || jumpTo(setting, false)) return
    const content = document.getElementById('content')
    if (!content) return
    let timer: ReturnType<typeof setTimeout>
    const stop = () => {
      observer.disconnect()
      clearTimeout(timer)
      removeEventListener('pointerdown', stop)
      removeEventListener('keydown', stop)
    }
    const wait = () => {
      clearTimeout(timer)
      timer = setTimeout(() => {
        if (content.querySelector('.skeleton')) return
        stop()
        jumpTo(setting, true)
      }, SETTLE_TIME)
    }
    const observer = new MutationObserver(() => (jumpTo(setting, false) ? stop() : wait()))
    observer.observe(content, { childList: true, subtree: true })
    wait()
    // Input of the user cancels the jump.
    addEventListener('pointerdown', stop)
    addEventListener('keydown', stop)
    return stop
  }, [setting && linkToSetting(setting)])
}
