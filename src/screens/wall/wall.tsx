// The wall display: problems on top, below them the started channels as tiles that fill the screen, without a menu.
// When the hub cannot be reached, a banner covers the top and everything else turns grey: nothing may look healthy
// then.
import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { HealthTile, sortByTrouble } from '../../parts/channel/health-tile.tsx'
import { VerdictCounts } from '../../parts/channel/verdict-counts.tsx'
import { ProblemList, StaleWarning } from '../../parts/problem/problem-list.tsx'
import { useProblems } from '../../parts/problem/problems.ts'
import * as PROBLEM_TEXT from '../../parts/problem/text.ts'
import { useWakeLock } from '../../parts/wake-lock.ts'
import { linkTo } from '../../paths.ts'
import { $channels } from '../../state/channels.ts'
import { $freshness } from '../../state/freshness.ts'
import { $display, signOut, verifySession } from '../../state/session.ts'
import { keepSession } from '../../state/session-use.ts'
import { timeOfDay } from '../../text/dates.ts'
import { t } from '../../text/language.ts'
import { Button } from '../../ui/button.tsx'
import { $clockOffset, $now } from '../../ui/clock.ts'
import { AccessDenied } from '../../ui/placeholder.tsx'
import { StatusLabel } from '../../ui/status-label.tsx'
import { useStore } from '../../ui/use-store.ts'
import { TEXT } from './text.ts'

/** Milliseconds between requests that renew the cookie of a display: a day. */
const RENEWAL_INTERVAL = 86_400_000

/** Problems shown at the top. */
const PROBLEMS_MAX = 4

export function WallDisplay() {
  const { stale } = useStore($freshness)
  const { phase } = useStore($channels)
  useRenewal()
  useEffect(keepSession, [])
  useWakeLock()
  return (
    <main className="wall" data-stale={stale || undefined}>
      <StaleWarning />
      <WallHeader />
      <div className="wall-content">
        <WallProblems />
        {phase === 'denied' ? <AccessDenied /> : <WallTiles />}
      </div>
    </main>
  )
}

/** Renews the cookie of a display once a day. */
function useRenewal(): void {
  useEffect(() => {
    const timer = setInterval(() => void verifySession(), RENEWAL_INTERVAL)
    return () => clearInterval(timer)
  }, [])
}

function WallHeader() {
  const display = useStore($display)
  const { stale } = useStore($freshness)
  const { items: channels } = useStore($channels)
  const now = useStore($now) + useStore($clockOffset)
  return (
    <header className="wall-header">
      <h1>{display ?? t(TEXT.title)}</h1>
      <VerdictCounts channels={channels} />
      <span className="push row">
        {display === undefined ? (
          <a className="button" href={`#${linkTo('dashboard')}`}>
            {t(TEXT.close)}
          </a>
        ) : (
          <Button label={t(TEXT.signOut)} onClick={() => void signOut()} />
        )}
        {document.fullscreenEnabled && (
          <Button label={t(TEXT.fullScreen)} onClick={() => void document.documentElement.requestFullscreen()} />
        )}
        {!stale && <StatusLabel tone="good" text={t(TEXT.connected)} />}
        <time className="num">{timeOfDay(now)}</time>
      </span>
    </header>
  )
}

function WallProblems() {
  const problems = useProblems()
  const open = problems.items.filter(({ ack }) => !ack)
  return (
    <section className="problems" aria-label={t(PROBLEM_TEXT.title)} data-tone={open[0]?.severity ?? 'good'}>
      <ProblemList problems={problems} shown={open} max={PROBLEMS_MAX} />
    </section>
  )
}

/** The started channels, worst first, as large as the screen allows. */
function WallTiles() {
  const { phase, items } = useStore($channels)
  const frame = useRef<HTMLDivElement>(null)
  const [size, setSize] = useState({ width: innerWidth, height: innerHeight })
  useLayoutEffect(() => {
    const observer = new ResizeObserver(([entry]) => entry && setSize(entry.contentRect))
    if (frame.current) observer.observe(frame.current)
    return () => observer.disconnect()
  }, [])
  const started = sortByTrouble(items).filter(({ config }) => config.enable)
  const { columns, width, count } = fitTiles(started.length, size.width, size.height)
  const hidden = started.length - count
  return (
    <div className="wall-tiles" ref={frame}>
      {phase === 'ready' && started.length === 0 && <p className="muted">{t(TEXT.noneStarted)}</p>}
      <ul className="tiles" style={{ '--tile': `${width}px`, '--columns': columns } as object}>
        {started.slice(0, count).map((channel) => (
          <HealthTile key={channel.id} channel={channel} />
        ))}
      </ul>
      {hidden > 0 && <p className="muted">{t(TEXT.moreChannels, hidden)}</p>}
    </div>
  )
}

/**
 * Pixels, as in the style sheet: the gap between tiles, the height of caption, meters and borders, and the smallest
 * width of a tile.
 */
const GAP = 12
const CAPTION_HEIGHT = 128
const TILE_MIN = 200
/** Pixels of width below which the page scrolls: tiles below each other, as wide as the screen. */
const SCREEN_MIN = 740

interface GridSize {
  columns: number
  /** Width of a tile in pixels. */
  width: number
  /** Tiles that fit. */
  count: number
}

function largestTile(count: number, width: number, height: number): { columns: number; width: number } {
  let best = { columns: 1, width: 0 }
  for (let columns = 1; columns <= count; columns++) {
    const rows = Math.ceil(count / columns)
    const byWidth = (width - GAP * (columns - 1)) / columns
    const byHeight = (((height - GAP * (rows - 1)) / rows - CAPTION_HEIGHT) * 16) / 9
    const tileWidth = Math.floor(Math.min(byWidth, byHeight))
    if (tileWidth > best.width) best = { columns, width: tileWidth }
  }
  return best
}

/** @param width of the area in pixels @param height of the area in pixels */
export function fitTiles(count: number, width: number, height: number): GridSize {
  if (width < SCREEN_MIN) return { columns: 1, width, count }
  let shown = count
  let best = largestTile(shown, width, height)
  while (shown > 1 && best.width < TILE_MIN) {
    shown--
    best = largestTile(shown, width, height)
  }
  return { columns: best.columns, width: Math.max(best.width, Math.min(width, TILE_MIN)), count: shown }
}
