// Composes the texts of notifications, in the language of the destination.
import { CAUSES } from '../../contract/health-causes.ts'
import type { Problem } from '../../contract/problem.ts'
import { causeSentences } from '../../contract/text/health-sentences.ts'
import type { FoundProblem } from '../health/problem-monitor.ts'
import { type Language, type Translation, translate } from '../messages/language.ts'
import { type Alarm, type AlarmConcern, activeConcerns, endOf, FLAPPING_TIME } from './alarm.ts'
import { type AlertMessage, CONCERNS_MAX, type Concern } from './sender.ts'

const NAMED: Translation = ['{0}: {1}', '{0}：{1}']
const COUNTED: Translation = ['{0}: {1} problems', '{0}：{1} 个问题']
const PREFIX: Readonly<Partial<Record<AlertMessage['state'], Translation>>> = {
  reminder: ['Still: {0}', '仍未恢复：{0}'],
  recovered: ['Recovered: {0}', '已恢复：{0}']
}
const MORE: Translation = ['… and {0} more', '……另有 {0} 个']
const SINCE: Translation = ['Since {0}', '开始时间：{0}']
const LASTED: Translation = ['From {0} to {1}', '{0} 至 {1}']
const RETURNED: Translation = [
  'This comes and goes: its recovery is sent when it has stayed away for {0} minutes.',
  '该问题反复出现：持续消失 {0} 分钟后才会发送恢复消息。'
]
const TEST_TITLE: Translation = ['Test message from {0}', '来自 {0} 的测试消息']
const TEST_TEXT: Translation = [
  'Notifications of this hub arrive at this destination.',
  '此中控的通知可以送达该目的地。'
]

/** Describes the hub, and its problems by ID, as an administrator sees them, in each language. */
export interface Describer {
  hub(): AlertMessage['hub']
  problems(language: Language, found: readonly FoundProblem[]): ReadonlyMap<string, Problem>
  /** The name of the object of a problem that has ended; empty for one of the hub. */
  nameOf(problem: string): string
  /** Time zone of the hub. */
  zone(): string
}

/** The cause of a problem, as one sentence. */
function sentenceOf(language: Language, problem: Problem): string {
  const [first = ''] = problem.message?.split('\n') ?? []
  return (
    first ||
    causeSentences(problem)
      .map(([sentence, values]) => translate(language, sentence, values))
      .join(' ')
  )
}

const fullName = ({ name = '', 'channel-name': channel }: Problem) => [channel, name].filter(Boolean).join(', ')

export class MessageComposer {
  readonly #describer: Describer

  constructor(describer: Describer) {
    this.#describer = describer
  }

  test(language: Language, id: string, now: number): AlertMessage {
    const hub = this.#describer.hub()
    return {
      id,
      alarm: id,
      state: 'test',
      severity: 'warn',
      since: now,
      title: translate(language, TEST_TITLE, [hub.name]),
      text: translate(language, TEST_TEXT),
      cause: 'test',
      concerns: [],
      concernCount: 0,
      hub
    }
  }

  /** @param found the present problems */
  alarm(
    language: Language,
    alarm: Alarm,
    state: 'problem' | 'reminder' | 'recovered',
    found: readonly FoundProblem[]
  ): AlertMessage {
    const isOver = state === 'recovered'
    const concerns = isOver ? alarm.concerns : activeConcerns(alarm)
    const problems = this.#describer.problems(language, found)
    const listed = concerns.slice(0, CONCERNS_MAX).map((concern) => this.#concern(language, concern, problems))
    const lines = listed.map(({ line }) => line)
    if (concerns.length > CONCERNS_MAX) lines.push(translate(language, MORE, [concerns.length - CONCERNS_MAX]))
    const prefix = PREFIX[state]
    const title = this.#title(language, alarm, concerns.length, lines[0] ?? '')
    const time = this.#timeFormat(language)
    const times = isOver
      ? translate(language, LASTED, [time(alarm.since), time(endOf(alarm))])
      : translate(language, SINCE, [time(alarm.since)])
    return {
      id: `${alarm.id}-${alarm.messages}`,
      alarm: alarm.id,
      state,
      severity: alarm.severity,
      since: alarm.since,
      ...(isOver && { endedAt: endOf(alarm) }),
      title: prefix ? translate(language, prefix, [title]) : title,
      text: [...(lines.length > 1 ? lines : []), times, ...this.#flappingLines(language, alarm, isOver)].join('\n'),
      cause: alarm.cause,
      concerns: listed.map(({ concern }) => concern),
      concernCount: concerns.length,
      hub: this.#describer.hub()
    }
  }

  #flappingLines(language: Language, { isFlapping }: Alarm, isOver: boolean): string[] {
    return isFlapping && !isOver ? [translate(language, RETURNED, [FLAPPING_TIME / 60_000])] : []
  }

  #title(language: Language, { name }: Alarm, count: number, first: string): string {
    if (count === 1) return first
    return translate(language, COUNTED, [name ? translate(language, name) : first, count])
  }

  /** The object of a problem, and its line in the text: its name, and the cause while the problem lasts. */
  #concern(
    language: Language,
    { id, kind, reason }: AlarmConcern,
    problems: ReadonlyMap<string, Problem>
  ): { concern: Concern; line: string } {
    const problem = problems.get(id)
    const name = (problem && fullName(problem)) || this.#describer.nameOf(id)
    const sentence = problem ? sentenceOf(language, problem) : name ? '' : translate(language, CAUSES[reason][0])
    const line = sentence && name ? translate(language, NAMED, [name, sentence]) : sentence || name
    return { concern: { kind, id, name }, line }
  }

  #timeFormat(language: Language): (time: number) => string {
    const format = new Intl.DateTimeFormat(language === 'zh' ? 'zh-CN' : 'en-GB', {
      dateStyle: 'medium',
      timeStyle: 'medium',
      timeZone: this.#describer.zone()
    })
    return (time) => format.format(time)
  }
}
