// The wall display: problems on top, below them the channels as tiles that fill the screen, without a menu. Buttons
// appear while somebody uses the pointer or the keyboard. When the hub cannot be reached, a banner covers the top and
// everything else turns grey: nothing may look healthy then.
import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { CACHE_PREFIX } from '../../../contract/limits.ts'
import type { Channel } from '../../../contract/stream/channel.ts'
import { HealthTile, sortByTrouble } from '../../parts/channel/health-tile.tsx'
import { VerdictCounts } from '../../parts/channel/verdict-counts.tsx'
import { usePlaceholder } from '../../parts/load-state.tsx'
import { ProblemList, StaleWarning } from '../../parts/problem/problem-list.tsx'
import { useProblems } from '../../parts/problem/problems.ts'
import * as PROBLEM_TEXT from '../../parts/problem/text.ts'
import { useWakeLock, type WakeLockFault } from '../../parts/wake-lock.ts'
import { linkTo } from '../../paths.ts'
import { $channels } from '../../state/channels.ts'
import { $freshness } from '../../state/freshness.ts'
import { setQuery, useQuery } from '../../state/location.ts'
import { $display, signOut, verifySession } from '../../state/session.ts'
import { keepSession } from '../../state/session-use.ts'
import { timeOfDay } from '../../text/dates.ts'
import { t } from '../../text/language.ts'
import { Button } from '../../ui/button.tsx'
import { $clockOffset, $now } from '../../ui/clock.ts'
import { openDialog } from '../../ui/dialog/dialog-host.tsx'
import { StatusLabel } from '../../ui/status-label.tsx'
import { useStore } from '../../ui/use-store.ts'
import { ChooseDialog } from './choose-dialog.tsx'
import { fitGrid, LINE_HEIGHT, splitIntoPages, TURN_INTERVAL, tilesPerPage } from './grid.ts'
import { TEXT } from './text.ts'

/** Milliseconds between requests that renew the cookie of a display: a day. */
const RENEWAL_INTERVAL = 86_400_000

/** Problems shown at the top. */
const PROBLEMS_MAX = 4

/** Milliseconds without pointer and keyboard after which the buttons are hidden. */
const IDLE_AFTER = 5000

/** Pixels of width below which the page scrolls: tiles below each other, as wide as the screen. */
const SCREEN_MIN = 768

export function WallDisplay() {
  const { stale } = useStore($freshness)
  const { items } = useStore($channels)
  const frame = useRef<HTMLDivElement>(null)
  const size = useSize(frame)
  const selected = useSelection()
  const isIdle = useIdle()
  const fault = useWakeLock()
  useRenewal()
  useEffect(keepSession, [])
  const channels = sortByTrouble(items).filter(({ id, config }) => (selected.size ? selected.has(id) : config.enable))
  const pages = innerWidth < SCREEN_MIN ? [channels] : splitIntoPages(channels, tilesPerPage(size.width, size.height))
  const page = usePage(pages.length)
  const placeholder = usePlaceholder(
    $channels,
    channels.length === 0,
    <p className="muted">{t(selected.size ? TEXT.noneSelected : TEXT.noneStarted)}</p>
  )
  return (
    <main className="wall" data-stale={stale || undefined} data-idle={isIdle || undefined}>
      <StaleWarning />
      <WallHeader channels={channels} selected={selected} page={page} pages={pages.length} />
      {fault && <WakeLockNotice fault={fault} />}
      <div className="wall-content">
        <WallProblems selected={selected} />
        <div className="wall-tiles" ref={frame}>
          {placeholder ?? <WallTiles channels={pages[page] ?? []} {...size} />}
        </div>
      </div>
    </main>
  )
}

/** The channels of the page, in a grid that fills the area. */
function WallTiles({ channels, width, height }: { channels: readonly Channel[]; width: number; height: number }) {
  const { columns, rows, font, lines } = fitGrid(channels.length, width, height)
  const style = { '--columns': columns, '--rows': rows, '--font': `${font}px`, '--text': `${lines * LINE_HEIGHT}em` }
  return (
    <ul className="tiles" data-lines={lines} style={style as object}>
      {channels.map((channel) => (
        <HealthTile key={channel.id} channel={channel} />
      ))}
    </ul>
  )
}

/** The size of an element in pixels. */
function useSize(element: RefObject<HTMLElement | null>): { width: number; height: number } {
  const [size, setSize] = useState({ width: innerWidth, height: innerHeight })
  useLayoutEffect(() => {
    const observer = new ResizeObserver(([entry]) => {
      if (entry) setSize({ width: entry.contentRect.width, height: entry.contentRect.height })
    })
    if (element.current) observer.observe(element.current)
    return () => observer.disconnect()
  }, [element.current])
  return size
}

/** IDs of the channels that the address selects; empty = all that are started. */
function useSelection(): ReadonlySet<number> {
  const ids = useQuery().get('channels') ?? ''
  return new Set(ids.split(',').map(Number).filter(Boolean))
}

/**
 * The page to show, from 0: that of the address, otherwise they turn, by the clock of the hub, so that all displays
 * turn together.
 */
function usePage(count: number): number {
  const now = useStore($now) + useStore($clockOffset)
  const held = Number(useQuery().get('page'))
  if (held > 0) return Math.min(held, count) - 1
  return Math.floor(now / TURN_INTERVAL) % count
}

/** Whether nobody has used pointer or keyboard for some seconds. */
function useIdle(): boolean {
  const [isIdle, setIdle] = useState(false)
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const handleUse = () => {
      clearTimeout(timer)
      setIdle(false)
      timer = setTimeout(() => setIdle(true), IDLE_AFTER)
    }
    const events = ['pointermove', 'pointerdown', 'keydown']
    handleUse()
    for (const event of events) addEventListener(event, handleUse)
    return () => {
      clearTimeout(timer)
      for (const event of events) removeEventListener(event, handleUse)
    }
  }, [])
  return isIdle
}

/** Renews the cookie of a display once a day. */
function useRenewal(): void {
  useEffect(() => {
    const timer = setInterval(() => void verifySession(), RENEWAL_INTERVAL)
    return () => clearInterval(timer)
  }, [])
}

interface WallHeaderProps {
  channels: readonly Channel[]
  selected: ReadonlySet<number>
  /** From 0. */
  page: number
  /** The number of pages. */
  pages: number
}

function WallHeader({ channels, selected, page, pages }: WallHeaderProps) {
  const display = useStore($display)
  const { stale } = useStore($freshness)
  const { items } = useStore($channels)
  const now = useStore($now) + useStore($clockOffset)
  return (
    <header className="wall-header">
      <h1>{display ?? t(TEXT.title)}</h1>
      <VerdictCounts channels={channels} />
      <span className="row wall-controls">
        {pages > 1 && <PageButtons page={page} pages={pages} />}
        <Button label={t(TEXT.choose)} onClick={() => void openDialog(ChooseDialog, { channels: items, selected })} />
        {document.fullscreenEnabled && (
          <Button label={t(TEXT.fullScreen)} onClick={() => void document.documentElement.requestFullscreen()} />
        )}
        {display === undefined ? (
          <a className="button" href={`#${linkTo('dashboard')}`}>
            {t(TEXT.close)}
          </a>
        ) : (
          <Button label={t(TEXT.signOut)} onClick={() => void signOut()} />
        )}
      </span>
      <span className="push num">{pages > 1 && t(TEXT.page, page + 1, pages)}</span>
      {!stale && <StatusLabel tone="good" text={t(TEXT.connected)} />}
      <time className="num">{timeOfDay(now)}</time>
    </header>
  )
}

/** Turns the page, and stops or resumes that pages turn by themselves. */
function PageButtons({ page, pages }: Pick<WallHeaderProps, 'page' | 'pages'>) {
  const isHeld = useQuery().has('page')
  const hold = (next: number) => setQuery({ page: String(((next + pages) % pages) + 1) })
  return (
    <>
      <Button iconOnly icon="back" label={t(TEXT.previous)} onClick={() => hold(page - 1)} />
      <Button iconOnly icon="right" label={t(TEXT.next)} onClick={() => hold(page + 1)} />
      <Button
        label={t(TEXT.hold)}
        pressed={isHeld}
        onClick={() => (isHeld ? setQuery({ page: undefined }) : hold(page))}
      />
    </>
  )
}

const NOTICE_KEY = `${CACHE_PREFIX}wake`
/** Milliseconds for which the notice is shown if nobody closes it. */
const NOTICE_TIME = 60_000

/** Says once in each browser that the screen may go dark, and what to do. */
function WakeLockNotice({ fault }: { fault: WakeLockFault }) {
  const [shownAt] = useState(Date.now)
  const [isSeen, setSeen] = useState(localStorage.getItem(NOTICE_KEY) !== null)
  const isOver = useStore($now) - shownAt > NOTICE_TIME
  const close = () => {
    localStorage.setItem(NOTICE_KEY, '1')
    setSeen(true)
  }
  useEffect(() => {
    if (isOver) close()
  }, [isOver])
  if (isSeen) return null
  return (
    <p className="banner" role="status">
      <span>{t(fault === 'insecure' ? TEXT.darkInsecure : TEXT.darkRefused)}</span>
      <Button label={t(TEXT.understood)} onClick={close} />
    </p>
  )
}

/** The problems, of channels only those that are selected. */
function WallProblems({ selected }: { selected: ReadonlySet<number> }) {
  const problems = useProblems()
  const open = problems.items.filter(
    ({ ack, channel }) => !ack && (channel === undefined || selected.size === 0 || selected.has(channel))
  )
  return (
    <section className="problems" aria-label={t(PROBLEM_TEXT.title)} data-tone={open[0]?.severity ?? 'good'}>
      <ProblemList problems={problems} shown={open} max={PROBLEMS_MAX} />
    </section>
  )
}
