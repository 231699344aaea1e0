// The clock of the hub beside that of the browser, and the state of its synchronisation.
import type { TimeSource, TimeStatus } from '../../../contract/machine/time.ts'
import { ago, browserZone, dateTime, duration } from '../../text/dates.ts'
import { inLanguage, t } from '../../text/language.ts'
import { number } from '../../text/numbers.ts'
import { Card } from '../../ui/card.tsx'
import { $now } from '../../ui/clock.ts'
import { DescriptionList } from '../../ui/description-list.tsx'
import { StateLabel } from '../../ui/state-label.tsx'
import { useStore } from '../../ui/use-store.ts'
import { SOURCE_STATES, STATES, TEXT } from './time-text.ts'

/** Milliseconds. The time that the response took is not known, so that a smaller difference is not significant. */
const DIFFERENCE_MIN = 2000

/** Date and time in a zone, which the browser may not know. */
function dateTimeIn(zone: string, ms: number): string {
  const formats = inLanguage(
    (locale) =>
      new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'medium', hourCycle: 'h23', timeZone: zone })
  )
  try {
    return formats().format(ms)
  } catch {
    return new Date(ms).toISOString()
  }
}

/** Seconds with a suitable unit: 231 ns, 4.2 µs, 12 ms, 3 s. */
function shortDuration(seconds: number): string {
  const size = Math.abs(seconds)
  if (size >= 60) return duration(size)
  if (size >= 1) return `${number(size, 2)} s`
  if (size >= 1e-3) return `${number(size * 1e3, 1)} ms`
  return size >= 1e-6 ? `${number(size * 1e6, 1)} µs` : `${number(size * 1e9)} ns`
}

function differenceText(ms: number): string {
  if (Math.abs(ms) < DIFFERENCE_MIN) return t(TEXT.same)
  return t(ms > 0 ? TEXT.ahead : TEXT.behind, duration(Math.abs(ms) / 1000))
}

function offsetText(seconds: number): string {
  return t(seconds > 0 ? TEXT.offsetAhead : TEXT.offsetBehind, shortDuration(seconds))
}

/** @param difference milliseconds by which the clock of the hub is ahead of that of the browser */
export function TimeCard({ status, difference }: { status: TimeStatus; difference: number }) {
  const now = useStore($now)
  const { zone, sync } = status
  const hubTime = now + difference
  return (
    <Card title={t(TEXT.time)}>
      <DescriptionList
        items={[
          [
            t(TEXT.hubTime),
            <span key="hub" className="num">
              {dateTimeIn(zone, hubTime)}
            </span>
          ],
          [t(TEXT.zone), zone],
          [t(TEXT.browserTime), <span key="browser" className="num">{`${dateTime(now)} (${browserZone()})`}</span>],
          [t(TEXT.difference), differenceText(difference)],
          [t(TEXT.state), <StateLabel key="state" state={STATES[sync.state]} />],
          [t(TEXT.offset), sync.offset !== undefined && offsetText(sync.offset)],
          [t(TEXT.lastUpdate), sync['last-update'] && ago((hubTime - sync['last-update']) / 1000)]
        ]}
      />
      {sync.state !== 'unknown' && sync.state !== 'off' && (
        <>
          <h3>{t(TEXT.sources)}</h3>
          {sync.sources.length === 0 && (
            <p className="muted">
              {t(TEXT.noSources)} {!sync.access.reason && t(TEXT.enterServer)}
            </p>
          )}
          <DescriptionList
            items={sync.sources.map((source) => [
              source.name,
              <Source key={source.name} source={source} age={(hubTime - status.time) / 1000} />
            ])}
          />
        </>
      )}
    </Card>
  )
}

/** The number of ones in the last eight requests. */
const answersOf = (reach: number) => reach.toString(2).replaceAll('0', '').length

/** @param age seconds since the response of the hub */
function Source({ source, age }: { source: TimeSource; age: number }) {
  const { state, stratum, reach, offset, error, 'last-answer-s': lastAnswer, 'set-here': isSetHere } = source
  const details = [
    lastAnswer === undefined ? t(TEXT.notAnswered) : t(TEXT.lastAnswer, ago(lastAnswer + age)),
    t(TEXT.reach, answersOf(reach)),
    stratum !== undefined && t(TEXT.stratum, stratum),
    offset !== undefined &&
      error !== undefined &&
      t(TEXT.measured, (offset < 0 ? '−' : '+') + shortDuration(offset), shortDuration(error)),
    !isSetHere && t(TEXT.ofMachine)
  ]
  return (
    <>
      <StateLabel state={SOURCE_STATES[state]} />
      <div className="muted">{details.filter(Boolean).join(' · ')}</div>
    </>
  )
}
