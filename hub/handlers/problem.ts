// Handlers for problems: the list, with the messages and names that the caller has access to, and acknowledgements.
import { isPermitted } from '../../contract/access/permissions.ts'
import { NOT_EXIST } from '../../contract/codes.ts'
import type { Health } from '../../contract/health.ts'
import { acknowledgeProblems, listProblems, PROBLEM_ACCESS, type Problem } from '../../contract/problem.ts'
import type { Channel } from '../../contract/stream/channel.ts'
import type { SystemStatus } from '../../contract/system.ts'
import { causeSentences } from '../../contract/text/health-sentences.ts'
import type { EngineClient } from '../../engine/interfaces/engine-client.ts'
import { isMaintained, objectsOf } from '../alerts/rule-filter.ts'
import type { Gate } from '../auth/gate.ts'
import type { Scheduler } from '../channels/scheduler.ts'
import type { Registry } from '../devices/registry.ts'
import type { ChannelHealthMonitor } from '../health/channel-health.ts'
import type { FoundProblem, ProblemMonitor } from '../health/problem-monitor.ts'
import {
  CallError,
  type Context,
  type Handler,
  handle,
  handleChange,
  requireCaller,
  type Viewer
} from '../http/handler.ts'
import type { WebPorts } from '../http/ports/web-ports.ts'
import { backupFaultText } from '../messages/backup.ts'
import { healthMessage } from '../messages/health.ts'
import { type Translation, translate } from '../messages/language.ts'
import type { WatchFeed } from '../preview/watch-feed.ts'
import type { Recordings } from '../recordings/recordings.ts'
import type { MaintenanceRow } from '../store/alert-rules.ts'
import type { Store } from '../store/store.ts'
import { ChannelSerializer } from './channel/response.ts'
import { healthOfDevice } from './device/health.ts'

export interface ProblemParts {
  store: Store
  gate: Gate
  registry: Registry
  engine: EngineClient
  channelHealth: ChannelHealthMonitor
  problems: ProblemMonitor
  scheduler: Scheduler
  webPorts: WebPorts
  watches: WatchFeed
  recordings: Recordings
}

const IN_MAINTENANCE: Translation = ['In maintenance: no notifications are sent.', '维护中：不发送通知。']

/** All outputs of a channel, and none of its clients. */
const ALL_OUTPUTS = { start: 0, count: 1000 }
const NO_CLIENTS = { start: 0, count: 0 }

/** The message of a health, which a problem repeats. */
function messageOf(health: Health<string> | undefined): Pick<Problem, 'message'> {
  return health?.message === undefined ? {} : { message: health.message }
}

/** Describes the problems that a caller has access to. */
export class ProblemView {
  readonly #parts: ProblemParts
  readonly #context: Viewer
  readonly #isPermitted: (permissions: number) => boolean
  readonly #isChannelVisible: (id: number) => boolean
  readonly #channels = new Map<number, Channel | undefined>()

  constructor(parts: ProblemParts, context: Viewer) {
    const caller = requireCaller(context)
    this.#parts = parts
    this.#context = context
    this.#isPermitted = (permissions) => isPermitted(permissions, caller.user)
    this.#isChannelVisible = parts.gate.channelsVisibleTo(caller)
  }

  list(): Problem[] {
    const stored = this.#parts.problems.stored()
    const maintained = this.#parts.store.alertRules.maintained(Date.now())
    return this.#parts.problems.list().flatMap((found) => {
      const problem = this.#describe(found)
      const ack = stored.get(found.id)?.ack
      return problem ? [{ ...problem, ...this.#maintenanceOf(problem, found, maintained), ...(ack && { ack }) }] : []
    })
  }

  /** The end of the maintenance of a problem, and its message, which then says so. */
  #maintenanceOf(
    problem: Problem,
    found: FoundProblem,
    maintained: readonly MaintenanceRow[]
  ): Pick<Problem, 'maintenance' | 'message'> {
    if (maintained.length === 0) return {}
    const objects = objectsOf(this.#parts.store, found)
    const ends = maintained.filter((row) => isMaintained([row], objects)).map(({ until }) => until)
    if (ends.length === 0) return {}
    const { language } = this.#context
    const causes = causeSentences(problem).map(([sentence, values]) => translate(language, sentence, values))
    const message = problem.message ?? causes.join(' ')
    return { maintenance: Math.max(...ends), message: `${message}\n${translate(language, IN_MAINTENANCE)}` }
  }

  #describe(found: FoundProblem): Problem | undefined {
    const { kind } = found
    if (!this.#isPermitted(PROBLEM_ACCESS[kind])) return undefined
    if (kind === 'channel' || kind === 'output') return this.#describeChannel(found)
    if (kind === 'device') return this.#describeDevice(found)
    if (kind === 'backup') return this.#describeBackup(found)
    return kind === 'port' ? this.#describePort(found) : found
  }

  #describeChannel(found: FoundProblem): Problem | undefined {
    const { channel: id = 0, output: outputId } = found
    if (!this.#isChannelVisible(id)) return undefined
    const channel = this.#channel(id)
    if (!channel) return undefined
    if (found.reason === 'recording-failed') {
      const fault = this.#parts.recordings.describe(id, this.#context.language)?.fault
      return { ...found, name: channel.name, ...(fault && { message: fault }) }
    }
    if (outputId === undefined) {
      // The health of the channel has no reasons of devices that the caller has no access to.
      const { reason = found.reason, 'next-step': step } = channel.health ?? {}
      return { ...found, name: channel.name, reason, ...(step && { 'next-step': step }), ...messageOf(channel.health) }
    }
    const output = channel.outputs.list.find((each) => each.id === outputId)
    if (!output) return undefined
    const named = { ...found, name: output.name, 'channel-name': channel.name }
    if (!output.hidden) return { ...named, ...(output.sn && { sn: output.sn }), ...messageOf(output.health) }
    const { 'next-step': _, ...rest } = named
    return { ...rest, reason: 'failed' }
  }

  #describeDevice(found: FoundProblem): Problem | undefined {
    const { store, gate, registry } = this.#parts
    const row = found.sn === undefined ? undefined : store.devices.bySerial(found.sn)
    if (!row || !gate.canSeeDevice(requireCaller(this.#context), row)) return undefined
    const health = healthOfDevice(this.#context.language, registry.toWire(row, []))
    return { ...found, name: row.name, ...messageOf(health) }
  }

  #describePort(found: FoundProblem): Problem {
    const { language } = this.#context
    const { engine, webPorts } = this.#parts
    const ports = engine.observePorts()
    const web = found.id === 'port-files' ? webPorts.ports.files : webPorts.ports.https
    const { reason } = ['port-files', 'port-https'].includes(found.id)
      ? web.observe()
      : ports[found.id === 'port-srt' ? 'srt' : 'rtmp']
    const failure = { state: 0, connState: 0, ...(reason !== undefined && { reason }) }
    const message = healthMessage(language, found, [{ failure }])
    return { ...found, ...(message && { message }) }
  }

  #describeBackup(found: FoundProblem): Problem {
    const fault = this.#parts.store.settings.get('backup-result')?.fault
    return { ...found, ...(fault && { message: backupFaultText(this.#context.language, fault) }) }
  }

  #channel(id: number): Channel | undefined {
    if (!this.#channels.has(id)) {
      const row = this.#parts.store.channels.byId(id)
      const serializer = new ChannelSerializer(this.#parts, this.#context, ALL_OUTPUTS, NO_CLIENTS)
      this.#channels.set(id, row && serializer.serialize(row))
    }
    return this.#channels.get(id)
  }
}

/** Counts of the problems that the caller of one request has access to. */
export function countProblems(parts: ProblemParts, context: Context): NonNullable<SystemStatus['system']['problem']> {
  const problems = new ProblemView(parts, context).list()
  const count = (isCounted: (problem: Problem) => boolean) => problems.filter(isCounted).length
  return {
    'num-down': count(({ kind, severity }) => kind === 'channel' && severity === 'bad'),
    'num-bad': count(({ severity }) => severity === 'bad'),
    'num-warn': count(({ severity }) => severity === 'warn'),
    'num-new': count(({ ack }) => !ack)
  }
}

/** The object of a problem in the operation log, so that only users with access to the object read the entry. */
function objectOf({ sn, channel }: Problem): string[] {
  if (sn !== undefined) return [`device:${sn}`]
  return channel === undefined ? [] : [`channel:${channel}`]
}

export function problemHandlers(parts: ProblemParts): Handler[] {
  const { store } = parts
  return [
    handle(listProblems, (context) => {
      const list = new ProblemView(parts, context).list()
      return { total: list.length, list }
    }),
    handleChange(acknowledgeProblems, (context, { id, note = '', undo = false }) => {
      const visible = new ProblemView(parts, context).list()
      const problems = [...new Set(id)].map((each) => {
        const problem = visible.find((one) => one.id === each)
        if (!problem) throw new CallError(NOT_EXIST, { field: 'id' })
        return problem
      })
      context.objects.push(...problems.flatMap(objectOf))
      const names = problems.map(({ kind, name, 'channel-name': channel }) =>
        [channel, name ?? kind].filter(Boolean).join(', ')
      )
      context.detail = note ? `${names.join('; ')}: ${note}` : names.join('; ')
      const ack = { by: requireCaller(context).user.name, at: Date.now(), note }
      for (const problem of problems) store.problems.acknowledge(problem.id, problem.since, undo ? undefined : ack)
      context.afterCommit(() => store.changes.markChanged('problem'))
      return {}
    })
  ]
}
