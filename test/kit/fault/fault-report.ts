// Asserts that the hub reports faults in time, rightly and in both languages, and says nothing false until then.
import assert from 'node:assert/strict'
import type { HealthReason } from '../../../contract/health.ts'
import { CAUSES } from '../../../contract/health-causes.ts'
import { listLog } from '../../../contract/log.ts'
import { listProblems } from '../../../contract/problem.ts'
import { channelDashboard, queryChannel } from '../../../contract/stream/channel.ts'
import { channelTimeline } from '../../../contract/stream/channel-timeline.ts'
import type { HubProcess } from '../hub/hub-process.ts'
import { until } from '../until.ts'
import { waitDuring } from '../within.ts'
import type { Fault } from './faults.ts'
import type { VerdictWatch } from './verdict-watch.ts'

/** Milliseconds within which a fault is reported, besides those for which programs wait for a processor. */
const REPORT_TIME = 5000
/** Milliseconds for which programs may wait for a processor before packets are lost. */
export const WAIT_MAX = 500

/** When faults were caused, and the milliseconds for which programs waited for a processor until all were reported. */
export interface Causation {
  at: number
  wait: number
}

/** @param wait milliseconds for which programs waited for a processor meanwhile */
export function assertInTime(took: number, wait: number): void {
  assert.ok(took - wait < REPORT_TIME, `reported after ${took} ms, of which ${wait} ms passed without a processor`)
}

/** Waits until a fault is reported as expected. */
export function waitForReport(watch: VerdictWatch, { channel, title, expected }: Fault) {
  const { channel: verdict, input, outputs } = expected
  const isRight = (seen: readonly string[]) =>
    seen.length === outputs.length && seen.every((each, output) => outputs[output]?.includes(each))
  return watch.waitFor(
    channel,
    (each) => each.channel === verdict && each.input === input && isRight(each.outputs),
    title
  )
}

/** @param allowed other verdicts that may be seen */
export async function assertReport(
  watch: VerdictWatch,
  fault: Fault,
  { at, wait }: Causation,
  allowed: readonly RegExp[] = []
): Promise<void> {
  const { channel, title, expected, meanwhile = [], problem } = fault
  const seen = await waitForReport(watch, fault)
  assertInTime(seen.since - at, wait)
  const reason = expected.channel.split(': ')[1] as HealthReason
  assert.equal(seen.nextStep, CAUSES[reason][1])
  const { problems } = await watch.waitFor(channel, (each) => each.problems.length > 0, `the problem of ${title}`)
  assert.match(problems.join(), new RegExp(`^(${problem})$`.replace(/: (.*)\)/, ': ($1))')))
  const right = [
    'on-air',
    expected.channel,
    ...meanwhile,
    ...expected.outputs.flatMap((verdicts, output) =>
      ['on-air', ...verdicts].map((verdict) => `output ${output + 1} ${verdict}`)
    )
  ]
  assert.deepEqual(
    watch.seen(channel).filter((verdict) => !right.includes(verdict) && !allowed.some((each) => each.test(verdict))),
    [],
    `${title} was reported as something else`
  )
}

/**
 * Causes all faults, and asserts that the hub reports each.
 * @param cause causes them
 */
export async function assertReports(
  watch: VerdictWatch,
  faults: readonly Fault[],
  cause: () => Promise<unknown>,
  allowed?: readonly RegExp[]
): Promise<void> {
  watch.forget()
  const at = Date.now()
  const wait = await waitDuring(async () => {
    await cause()
    // The assertions say which one is not reported.
    await Promise.allSettled(faults.map((fault) => waitForReport(watch, fault)))
  })
  for (const fault of faults) await assertReport(watch, fault, { at, wait }, allowed)
}

/**
 * Waits until all channels and all their outputs are on air.
 * @param time milliseconds for which the channels have been
 */
export async function waitUntilOnAir(watch: VerdictWatch, faults: readonly Fault[], time = 0): Promise<void> {
  for (const { channel, title } of faults)
    await watch.waitFor(
      channel,
      ({ channel: verdict, outputs, problems, since }) =>
        [verdict, ...outputs].every((each) => each === 'on-air') && problems.length === 0 && Date.now() - since >= time,
      `"${title}" is on air`
    )
}

/** What the hub says about a channel in each place, in a language. */
async function readWords(hub: Pick<HubProcess, 'send'>, id: number, language: 'en' | 'zh') {
  const send: HubProcess['send'] = (call, request) => hub.send(call, request, language)
  const { channel } = await send(queryChannel, { id })
  const legs = [channel.input, ...channel.outputs.list]
  const { list: problems } = await send(listProblems, {})
  const { list: entries } = await send(channelTimeline, { id })
  const { list: log } = await send(listLog, { type: 'system' })
  return {
    page: legs.map((leg) => leg?.health?.message),
    list: (await send(channelDashboard, {})).list.filter((each) => each.id === id).map(({ health }) => health?.message),
    problems: problems.filter((problem) => problem.channel === id).map(({ message }) => message),
    timeline: entries.map(({ text }) => text),
    log: log.map(({ text }) => text)
  }
}

const PLACES = ['page', 'list', 'problems', 'timeline', 'log'] as const
type Place = (typeof PLACES)[number]

/** What the hub says about a fault in a language: the cause, and what to do about it. */
export interface FaultWords {
  cause: string
  step: string
  /** The cause as the log says it. Default: `cause`. */
  logged?: string
}

/**
 * Asserts that page, list, problems, timeline and log of a hub say the cause of a fault and what to do about it, in
 * both languages. Timeline and log say the cause alone.
 * @param where the places; default: all
 */
export async function assertWords(
  hub: Pick<HubProcess, 'send'>,
  { channel, title }: Fault,
  words: Readonly<Record<'en' | 'zh', FaultWords>>,
  where: readonly Place[] = PLACES
): Promise<void> {
  for (const language of ['en', 'zh'] as const) {
    const { cause, step, logged = cause } = words[language]
    const expected = {
      page: [cause, step],
      list: [cause, step],
      problems: [cause, step],
      timeline: [cause],
      log: [logged]
    }
    let places: Awaited<ReturnType<typeof readWords>> | undefined
    const says = (text: string | undefined, part: string) => text?.toLowerCase().includes(part.toLowerCase())
    const missing = () =>
      where.flatMap((place) => {
        const [texts, parts]: [readonly (string | undefined)[], string[]] = [places?.[place] ?? [], expected[place]]
        return texts.some((text) => parts.every((part) => says(text, part)))
          ? []
          : [`${place}: ${JSON.stringify(texts)}`]
      })
    await until(
      async () => {
        places = await readWords(hub, channel, language)
        return missing().length === 0
      },
      () => `"${title}" says "${cause}" and "${step}" everywhere: ${missing().join('\n')}`
    )
  }
}
